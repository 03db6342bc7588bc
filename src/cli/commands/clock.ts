import { Option, type Command } from 'commander';
import { clockInput } from '../../client/clock.js';
import type { Connection } from '../../client/connection.js';
import type { AdvanceResult, Clock, ClockInput, ClockStart } from '../../client/types.js';
import { readClock, readValue, ValueError } from '../../config/values.js';
import { parseInstant } from '../../domain/instant.js';
import { counted, nearestWord } from '../../domain/text.js';
import { parseDuration } from '../../time/duration.js';
import { answering, inWordsOf, withClientFlags } from '../client.js';
import { UsageError } from '../../failure.js';

interface AdvanceFlags {
  readonly to?: string;
  readonly until?: 'next' | 'idle';
  readonly max?: string;
}

/** `--json` lists all jobs. */
const MOST_LINES = 20;

export function clock(clock: Command): void {
  withClientFlags(clock).allowExcessArguments().helpCommand(true);
  answering(clock, (client) => {
    const [word] = clock.args;
    if (word !== undefined) throw unknownSubcommand(clock, word);
    return show(client);
  });
  answering(clock.command('show').description('show the time, the mode and the pending jobs (the default)'), show);
  const advance = clock
    .command('advance')
    .description('advance the clock, and wait until all due jobs and deliveries have finished')
    .argument('[duration]', 'duration, such as 250ms, 10s, 5m, 24h, 7d or 1h30m')
    .option('--to <INSTANT>', 'time to advance to, such as 2026-03-01T09:00:00Z')
    .addOption(
      new Option(
        '--until <WHAT>',
        'next: advance to the next job; idle: advance until no status report, review or reply is pending',
      ).choices(['next', 'idle']),
    )
    .option('--max <DURATION>', 'with --until idle: longest duration; default: 7d');
  answering(advance, async (client, { to, until, max }: AdvanceFlags, by: string | undefined) => {
    const targets = { by, to, until };
    const given = Object.values(targets).filter((target) => target !== undefined).length;
    if (given !== 1) {
      const found = given === 0 ? 'there is no target' : 'there is more than one target';
      throw new UsageError(
        `clock advance: ${found}. Give one of a duration such as 24h, --to INSTANT, --until next|idle.`,
      );
    }
    if (by !== undefined) readValue('DURATION', () => durationOf(by));
    if (max !== undefined) readValue('--max', () => durationOf(max));
    if (to !== undefined) readValue('--to', () => instantOf(to));
    const advanced = client.call<AdvanceResult>('POST', '/_sandbox/clock/advance', { ...targets, max });
    const result = await advanced.catch(inWordsOf({ by: 'DURATION', to: '--to', max: '--max' }));
    return [result, advanceLines(result)];
  });
  const set = clock.command('set').description('set the time; jobs that are due by then run first');
  answering(set.argument('<instant>', 'such as 2026-03-01T09:00:00Z'), (client, _flags, now: string) =>
    put(client, { now }),
  );
  const freeze = clock.command('freeze').description('stop the clock; it then moves only by command');
  answering(freeze.argument('[instant]', 'time to stop at; default: now'), (client, _flags, now: string | undefined) =>
    put(client, { mode: 'frozen', ...(now !== undefined && { now }) }),
  );
  const run = clock.command('run').description('let time pass, with the machine, faster or in jumps');
  const about = 'real, auto, or a factor such as x60 (a minute per second)';
  answering(run.argument('[mode]', about, 'real'), (client, _flags, mode: string) => {
    readValue('MODE', () => readClock(mode));
    return put(client, clockInput(mode as ClockStart));
  });
}

function unknownSubcommand(clock: Command, word: string): UsageError {
  const names = clock.commands.map((command) => command.name());
  const near = nearestWord(word, names);
  const meant = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new UsageError(
    `Unknown subcommand "${word}" of clock.${meant} Expected one of ${names.join(', ')}, or none to show the clock.`,
  );
}

async function show(client: Connection) {
  return clockLine(await client.call<Clock>('GET', '/_sandbox/clock'));
}

async function put(client: Connection, input: ClockInput) {
  const { now } = input;
  if (now !== undefined) readValue('INSTANT', () => instantOf(now));
  return clockLine(await client.call<Clock>('PUT', '/_sandbox/clock', input).catch(inWordsOf({ now: 'INSTANT' })));
}

function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    throw new ValueError(text, '250ms, 10s, 5m, 24h or 7d');
  }
}

function instantOf(text: string): number {
  const ms = parseInstant(text);
  if (ms === null) throw new ValueError(text, 'a time such as 2026-03-01T09:00:00Z');
  return ms;
}

function clockLine(clock: Clock): [Clock, string[]] {
  const speed = clock.mode === 'scaled' ? `scaled x${clock.scale}` : clock.mode;
  const ahead = clock.next_due === null ? 'nothing due' : `next due ${clock.next_due}`;
  return [clock, [`${clock.now}  ${speed}, ${counted(clock.pending, 'job')} ahead, ${ahead}`]];
}

function advanceLines({ now, ran, ran_total: total, deliveries, pending }: AdvanceResult): string[] {
  const shown = ran.slice(0, MOST_LINES).map(({ at, job, subject }) => `  ${at}  ${job}  ${subject}`);
  const more = total > shown.length ? [`  … and ${total - shown.length} more (--json lists them)`] : [];
  const attempts = counted(deliveries, 'webhook attempt');
  return [...shown, ...more, `${now}  ${counted(total, 'job')} ran, ${attempts}, ${counted(pending, 'job')} ahead`];
}
