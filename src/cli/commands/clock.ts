import { Option, type Command } from 'commander';
import type { Connection } from '../../client/connection.js';
import type { AdvanceResult, Clock, ClockInput } from '../../client/types.js';
import { counted } from '../../domain/in-words.js';
import { nearestWord } from '../../domain/nearest-word.js';
import { checkedDuration, checkedInstant } from '../checked-values.js';
import { clientCommand, connect, withClientFlagsBefore, type ClientFlags } from '../client.js';
import { newCommand, print } from '../command.js';
import { UsageError } from '../failure.js';

interface AdvanceFlags extends ClientFlags {
  readonly to?: string;
  readonly until?: 'next' | 'idle';
  readonly max?: string;
  readonly settleReal?: string;
}

/** Number of jobs listed after an advance; `--json` lists all of them. */
const MOST_LINES = 20;

/** `clock`: reads and moves the account's clock. */
export function define(): Command {
  const clock = withClientFlagsBefore(
    newCommand('clock', "Show the account's clock, and move it. Without a subcommand, the clock is shown."),
  );
  clock
    .allowExcessArguments()
    .helpCommand(true)
    .action(async (flags: ClientFlags) => {
      const [word] = clock.args;
      if (word !== undefined) throw unknownSubcommand(clock, word);
      print(flags.json, ...(await show(connect(flags))));
    });
  clientCommand(clock.command('show').description('show the time, the mode and the pending jobs'), show);
  clientCommand(
    clock
      .command('advance')
      .description('advance the clock; returns when everything that was due has finished, including deliveries')
      .argument('[duration]', 'duration, such as 250ms, 10s, 5m, 24h, 7d or 1h30m')
      .option('--to <INSTANT>', 'time to advance to, such as 2026-03-01T09:00:00Z')
      .addOption(
        new Option('--until <WHAT>', 'next job, or until no progress job is pending').choices(['next', 'idle']),
      )
      .option('--max <DURATION>', 'with --until idle: longest duration; default: 7d')
      .option('--settle-real <DURATION>', 'real time for which the application must be idle after each step'),
    async (client, flags: AdvanceFlags, by: string | undefined) => {
      const result = await client.call<AdvanceResult>('POST', '/_sandbox/clock/advance', advanceInput(by, flags));
      return [result, advanceLines(result)];
    },
  );
  clientCommand(
    clock
      .command('set')
      .description('set the time; jobs that are due by then run first')
      .argument('<instant>', 'such as 2026-03-01T09:00:00Z'),
    (client, _flags, now: string) => put(client, { now: checkedInstant('clock set', now) }),
  );
  clientCommand(
    clock
      .command('freeze')
      .description('stop the clock: it then moves only by command')
      .argument('[instant]', 'time to stop at; default: now'),
    (client, _flags, now: string | undefined) =>
      put(client, { mode: 'frozen', ...(now !== undefined && { now: checkedInstant('clock freeze', now) }) }),
  );
  clientCommand(
    clock
      .command('run')
      .description('start the clock')
      .argument('[mode]', 'real, auto, or a factor such as x60 (a minute per second)', 'real'),
    (client, _flags, mode: string) => put(client, runInput(mode)),
  );
  return clock;
}

function unknownSubcommand(clock: Command, word: string): UsageError {
  const names = clock.commands.map((command) => command.name());
  const near = nearestWord(word, names);
  const meant = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new UsageError(
    `Unknown subcommand "${word}" of clock.${meant} Expected one of ${names.join(', ')}, or none to show the clock.`,
  );
}

function advanceInput(by: string | undefined, flags: AdvanceFlags): object {
  const targets = { by, to: flags.to, until: flags.until };
  const given = Object.values(targets).filter((target) => target !== undefined).length;
  if (given !== 1) {
    const found = given === 0 ? 'there is no target' : 'there is more than one target';
    throw new UsageError(
      `clock advance: ${found}. Give one of a duration such as 24h, --to INSTANT, --until next|idle.`,
    );
  }
  if (by !== undefined) checkedDuration('clock advance', by);
  if (flags.to !== undefined) checkedInstant('--to', flags.to);
  if (flags.max !== undefined) checkedDuration('--max', flags.max);
  if (flags.settleReal !== undefined) checkedDuration('--settle-real', flags.settleReal);
  return { ...targets, max: flags.max, settle_real: flags.settleReal };
}

function runInput(mode: string): ClockInput {
  if (mode === 'real' || mode === 'auto') return { mode };
  const scale = /^x(\d+(?:\.\d+)?)$/.exec(mode)?.[1];
  if (scale !== undefined) return { mode: 'scaled', scale: Number(scale) };
  throw new UsageError(`Invalid mode "${mode}" for clock run. Expected real, auto, or a factor such as x60.`);
}

async function show(client: Connection) {
  return clockLine(await client.call<Clock>('GET', '/_sandbox/clock'));
}

async function put(client: Connection, input: ClockInput) {
  return clockLine(await client.call<Clock>('PUT', '/_sandbox/clock', input));
}

function clockLine(clock: Clock): [Clock, string[]] {
  const speed = clock.mode === 'scaled' ? `scaled x${clock.scale}` : clock.mode;
  const ahead = clock.next_due === null ? 'nothing due' : `next due ${clock.next_due}`;
  return [clock, [`${clock.now}  ${speed}, ${counted(clock.pending, 'job')} ahead, ${ahead}`]];
}

function advanceLines(result: AdvanceResult): string[] {
  const total = result.ran_total;
  const shown = result.ran.slice(0, MOST_LINES).map(({ at, job, subject }) => `  ${at}  ${job}  ${subject}`);
  const more = total > shown.length ? [`  … and ${total - shown.length} more (--json lists them)`] : [];
  const attempts = counted(result.deliveries, 'webhook attempt');
  const summary = `${result.now}  ${counted(total, 'job')} ran, ${attempts}, ${counted(result.pending, 'job')} ahead`;
  return [...shown, ...more, summary];
}
