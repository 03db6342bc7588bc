import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import type { Observer } from '../../certify/observe.js';
import { ObserveError, createObserver } from '../../certify/observe.js';
import { checks } from '../../certify/registry.js';
import { checkLines, summaryLines, tallyWords } from '../../certify/report.js';
import { certificateJson, certificateJunit } from '../../certify/report-files.js';
import { certify, freshSecret } from '../../certify/run.js';
import type { Certificate, RunOptions } from '../../certify/run.js';
import { TargetError, targetOf } from '../../certify/target.js';
import { ReceiverUnreachable } from '../../certify/unreachable.js';
import { ValueError } from '../../config/error.js';
import { readDuration, readSeed } from '../../config/values.js';
import { nearestWord } from '../../domain/nearest-word.js';
import { machineTime } from '../../time/system-clock.js';
import { isInsideContainer } from '../../webhooks/sender/container.js';
import { createSender } from '../../webhooks/sender/sender.js';
import { mayColour } from '../colour.js';
import { CliFailure } from '../failure.js';
import { newCommand } from '../new-command.js';
import { offerSecret } from '../secret-prompt.js';

interface Flags {
  readonly secret?: string;
  readonly junit?: string;
  readonly json?: boolean;
  readonly only: readonly string[];
  readonly observe?: string;
  readonly timeout: string;
  readonly randomSeed?: string;
  readonly allowPublicWebhooks?: boolean;
}

const HELP = `
Checks (docs/certify.md tells what each sends, expects and is good for):
${checks.map(({ id, title, level }) => `  ${id.padEnd(26)}${title}${level === 'advice' ? ' (advice)' : ''}`).join('\n')}

Exit code: 0 every must-have passed, 1 one failed, 2 wrong usage or nobody there.

Examples:
  messaging-sandbox certify http://localhost:3000/hooks --secret "$WEBHOOK_SECRET"
  messaging-sandbox certify https://localhost:8443/hooks --secret whsec_… --only disorder,late-event
  messaging-sandbox certify http://localhost:3000/hooks --secret whsec_… --observe http://localhost:3000/received --junit certify.xml`;

/** `certify`: plays good, forged, odd and broken events at a receiver and scores its answers (contract §8). */
export function define(): Command {
  return newCommand('certify', 'Play good, forged, odd and broken events at your receiver, and score its answers.')
    .argument('<url>', 'where your receiver takes webhooks; http:// will do')
    .addOption(new Option('--secret <SECRET>', 'what it checks signatures with; without it a fresh one is offered'))
    .addOption(new Option('--junit [FILE]', 'write a JUnit report; without FILE, or with -, to stdout').preset('-'))
    .option('--json', 'print the report as JSON, every request and answer included')
    .addOption(
      new Option('--only <ID>', 'play this check alone; repeatable, or a comma list')
        .argParser((text: string, before: readonly string[]) => [...before, ...text.split(/[\s,]+/).filter(Boolean)])
        .default([], 'all'),
    )
    .option('--observe <URL>', 'answers GET with {"received": n}, the different events taken in; judges deduplication')
    .addOption(new Option('--timeout <DURATION>', 'how long an answer may take').default('10s'))
    .option('--random-seed <SEED>', 'makes the ids of the events the same again; otherwise each run has its own')
    .option('--allow-public-webhooks', 'let the receiver be outside the private network')
    .addHelpText('after', HELP)
    .action(async (url: string, flags: Flags) => {
      await run(url, flags);
    });
}

async function run(url: string, flags: Flags): Promise<void> {
  if (flags.json === true && flags.junit === '-') {
    throw new CliFailure(2, 'certify: --json and --junit - both want stdout. Give --junit a file, or leave one out.');
  }
  const setup = await prepare(url, flags);
  const { sender } = setup.options;
  const spoken = speaker(flags, url);
  try {
    // The report names the URL as it was given: inside, http:// is a route of an https:// one.
    const certificate = { ...(await certify({ ...setup.options, onChecked: spoken.onChecked })), url };
    spoken.end(certificate);
    conclude(certificate);
  } catch (error) {
    if (error instanceof ReceiverUnreachable) {
      throw new CliFailure(2, `certify: there is no receiver to check. ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    await sender.close();
  }
}

/** Everything that can be asked wrongly is found out before anything is sent. @throws CliFailure (2) */
async function prepare(url: string, flags: Flags): Promise<{ options: RunOptions }> {
  const target = understood(() => targetOf(url));
  const timeoutMs = understood(() => readDuration(600_000, '10m')(flags.timeout), '--timeout: ');
  const given = flags.randomSeed;
  const seed = given === undefined ? machineTime.now() : understood(() => readSeed(given), '--random-seed: ');
  const chosen = chosenChecks(flags.only);
  if (flags.secret === '') throw new CliFailure(2, 'certify: --secret is empty. Is the variable it comes from set?');
  if (flags.junit !== undefined && flags.junit !== '-') {
    writeReport(flags.junit, (file) => accessSync(dirname(file), constants.W_OK));
  }
  const observe = flags.observe === undefined ? null : await readable(flags.observe, timeoutMs);
  const terminal = { input: process.stdin, output: process.stderr };
  // Drawn from a seed of its own, so that --random-seed does not make it known.
  const secret = flags.secret ?? (await offerSecret(freshSecret(`${machineTime.now()} ${process.pid}`), terminal));
  const sender = createSender({
    host: machineTime,
    routes: target.routes,
    allowPublic: flags.allowPublicWebhooks === true,
    timeoutMs,
    insideContainer: isInsideContainer(process.env),
  });
  const host = machineTime;
  return { options: { url: target.url, secret, checks: chosen, sender, host, timeoutMs, seed, observe } };
}

function understood<Value>(read: () => Value, where = ''): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof TargetError || error instanceof ValueError || error instanceof ObserveError) {
      throw new CliFailure(2, `certify: ${where}${error.message}`, { cause: error });
    }
    throw error;
  }
}

function chosenChecks(ids: readonly string[]): RunOptions['checks'] {
  const known = checks.map(({ id }) => id);
  for (const id of ids) {
    if (known.includes(id)) continue;
    const meant = nearestWord(id, known);
    const hint = meant === undefined ? `Checks: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
    throw new CliFailure(2, `certify: --only: "${id}" is no check. ${hint}`);
  }
  return ids.length === 0 ? checks : checks.filter(({ id }) => ids.includes(id));
}

async function readable(url: string, timeoutMs: number): Promise<Observer> {
  const observer = understood(() => createObserver(url, timeoutMs), '--observe: ');
  try {
    await observer();
    return observer;
  } catch (error) {
    if (error instanceof ObserveError)
      throw new CliFailure(2, `certify: --observe: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Text goes to stdout as it comes about. Where stdout is for a program, a person at the terminal still sees progress. */
function speaker(
  flags: Flags,
  url: string,
): Pick<Required<RunOptions>, 'onChecked'> & { end: (certificate: Certificate) => void } {
  const forProgram = flags.json === true || flags.junit === '-';
  const stream = forProgram ? process.stderr : process.stdout;
  const speaks = !forProgram || process.stderr.isTTY;
  const style = { colour: mayColour(stream) };
  const say = (lines: readonly string[]): void => {
    if (speaks) stream.write(`${lines.join('\n')}\n`);
  };
  say([`Certifying ${url}`, '']);
  return {
    onChecked: (checked) => say(checkLines(checked, style)),
    end(certificate) {
      say(['', ...summaryLines(certificate, style)]);
      if (flags.json === true) process.stdout.write(`${JSON.stringify(certificateJson(certificate), null, 2)}\n`);
      if (flags.junit === '-') process.stdout.write(certificateJunit(certificate));
      else if (flags.junit !== undefined)
        writeReport(flags.junit, (file) => writeFileSync(file, certificateJunit(certificate)));
    },
  };
}

/** Turns what is wrong with a report's path into a line. @throws CliFailure (2) */
function writeReport(file: string, write: (file: string) => void): void {
  try {
    write(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFailure(2, `certify: --junit: "${file}" cannot be written: ${reason}.`, { cause: error });
  }
}

function conclude({ certified, must, checks: played }: Certificate): void {
  if (certified) return;
  const failed = played.filter(({ check, result }) => check.level === 'must' && result === 'failed');
  const ids = failed.map(({ check }) => check.id).join(', ');
  throw new CliFailure(1, `certify: ${tallyWords(must)} must-haves passed; failed: ${ids}.`);
}
