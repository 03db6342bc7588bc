import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';
import { createObserver, ObserveError } from '../../certify/receiver-client.js';
import { checks } from '../../certify/checks.js';
import { certificateJson, certificateJunit, checkLines, summaryLines, tallyWords } from '../../certify/report.js';
import { certify, customersOf, freshSecret } from '../../certify/run.js';
import type { Certificate, RunOptions } from '../../certify/run.js';
import { ReceiverUnreachable, TargetError, targetOf } from '../../certify/target.js';
import { readDuration, readSeed } from '../../config/values.js';
import { nearestWord } from '../../domain/nearest-word.js';
import { printable } from '../../domain/printable.js';
import { machineTime } from '../../time/system-clock.js';
import { isInsideContainer } from '../../webhooks/failure.js';
import { createSender } from '../../webhooks/send.js';
import { awaitReceiver, requireFitting, withApplication, withApplicationFlags } from '../certify/application.js';
import type { ApplicationFlags } from '../certify/application.js';
import { checkedValue } from '../checked-values.js';
import { mayColour, newCommand, print } from '../command.js';
import { CliFailure, failWith, UsageError } from '../failure.js';

interface Flags extends ApplicationFlags {
  readonly wait?: string;
  readonly junit?: string;
  readonly json?: boolean;
  readonly only: readonly string[];
  readonly observe?: string;
  readonly timeout: string;
  readonly randomSeed?: string;
  readonly allowPublicWebhooks?: boolean;
}

const HELP = `
Checks (docs/certify.md describes each one):
${checks.map(({ id, title, level }) => `  ${id.padEnd(26)}${title}${level === 'recommended' ? ' (recommended)' : ''}`).join('\n')}

Exit code: 0 if every required check passed, 1 if one failed, 2 for a usage error or an unreachable receiver.

Examples:
  messaging-sandbox certify http://localhost:3000/hooks --secret "$WEBHOOK_SECRET"
  messaging-sandbox certify https://localhost:8443/hooks --secret whsec_… --only disorder,late-event
  messaging-sandbox certify http://localhost:3000/hooks --app 'npm start'
  messaging-sandbox certify http://localhost:3000/hooks --wait 30s --secret-from http://127.0.0.1:4242 --key shop
  messaging-sandbox certify http://localhost:3000/hooks --secret whsec_… --observe http://localhost:3000/received --junit certify.xml`;

/** `certify`: sends valid, forged, unusual and corrupt events to a receiver and scores its responses. */
export function define(): Command {
  const command = newCommand(
    'certify',
    'Send valid, forged, unusual and corrupt events to your receiver, and score its responses.',
  )
    .argument('<url>', 'URL of your webhook receiver; http:// is allowed')
    .option('--secret <SECRET>', 'signing secret of the receiver');
  return withApplicationFlags(command)
    .addOption(new Option('--junit [FILE]', 'write a JUnit report; without FILE, or with -, to stdout').preset('-'))
    .option('--json', 'print the report as JSON, with every request and response')
    .addOption(
      new Option('--only <ID>', 'run only this check; repeatable, or comma-separated')
        .argParser((text: string, before: readonly string[]) => [...before, ...text.split(/[\s,]+/).filter(Boolean)])
        .default([], 'all'),
    )
    .option(
      '--observe <URL>',
      'URL that returns {"received": n}, the number of different events accepted; needed to check deduplication',
    )
    .option('--timeout <DURATION>', 'time limit for a response', '10s')
    .option('--random-seed <SEED>', 'seed of the event ids; default: different for each run')
    .option('--allow-public-webhooks', 'allow a receiver outside the private network')
    .addHelpText('after', HELP)
    .action(run);
}

async function run(url: string, flags: Flags): Promise<void> {
  if (flags.json === true && flags.junit === '-') {
    throw new UsageError(
      'certify: --json and --junit - both write to stdout. Give --junit a file, or omit one of them.',
    );
  }
  const prepared = prepare(url, flags);
  const play = (secret: string): Promise<void> => playAndReport(url, { ...prepared.options, secret }, flags);
  const { waitMs, customers } = prepared;
  try {
    const { secret } = flags;
    if (prepared.options.windowsOpen || secret === undefined) {
      const { url: endpointUrl } = prepared.options;
      // Uses a separate seed, so that --random-seed does not reveal it.
      const fresh = freshSecret(`${machineTime.now()} ${process.pid}`);
      await withApplication({ flags, url, endpointUrl, waitMs, customers, freshSecret: fresh }, play);
    } else {
      await awaitReceiver({ url, waitMs });
      await play(secret);
    }
  } finally {
    await prepared.options.sender.close();
  }
}

/**
 * Text is written to stdout as it is produced. If stdout is for a program, a person at the terminal still sees
 * progress.
 */
async function playAndReport(url: string, options: RunOptions, flags: Flags): Promise<void> {
  await options.observe?.().catch(failWith(2, ObserveError, 'certify: --observe: '));
  const forProgram = flags.json === true || flags.junit === '-';
  const stream = forProgram ? process.stderr : process.stdout;
  const style = { colour: mayColour(stream) };
  const say = (lines: readonly string[]): void => {
    if (!forProgram || process.stderr.isTTY) stream.write(`${lines.join('\n')}\n`);
  };
  say([`Certifying ${url}`, '']);
  const played = certify({ ...options, onChecked: (checked) => say(checkLines(checked, style)) });
  const hint = flags.wait === undefined ? ' If the receiver is still starting, add --wait 30s.' : '';
  // The report shows the URL as given; internally, http:// is a route of an https:// URL.
  const certificate = { ...(await played.catch(unreachable(hint))), url };
  say(['', ...summaryLines(certificate, style)]);
  if (flags.json === true) print(true, certificateJson(certificate), []);
  const { junit } = flags;
  if (junit !== undefined) {
    const xml = printable(certificateJunit(certificate));
    if (junit === '-') process.stdout.write(xml);
    else orUnwritable(junit, () => writeFileSync(junit, xml));
  }
  conclude(certificate);
}

const unreachable = (hint: string) => (error: unknown) => {
  if (!(error instanceof ReceiverUnreachable)) throw error;
  throw new UsageError(`certify: the receiver cannot be reached. ${error.message}${hint}`, { cause: error });
};

/** Validates all flags before anything is sent. @throws CliFailure (2) */
function prepare(url: string, flags: Flags) {
  const target = understood(() => targetOf(url));
  const upTo10m = readDuration(600_000, '10m');
  const timeoutMs = understood(() => upTo10m(flags.timeout), '--timeout');
  const { wait = flags.app === undefined ? null : '30s' } = flags;
  const waitMs = wait === null ? 0 : understood(() => upTo10m(wait), '--wait');
  const given = flags.randomSeed;
  const seed = given === undefined ? machineTime.now() : understood(() => readSeed(given), '--random-seed');
  const chosen = chosenChecks(flags.only);
  requireFitting(flags);
  const { junit, observe: counter } = flags;
  if (junit !== undefined && junit !== '-') orUnwritable(junit, () => accessSync(dirname(junit), constants.W_OK));
  const observe = counter === undefined ? null : understood(() => createObserver(counter, timeoutMs), '--observe');
  const host = machineTime;
  const sender = createSender({
    host,
    routes: target.routes,
    allowPublic: flags.allowPublicWebhooks === true,
    timeoutMs,
    insideContainer: isInsideContainer(process.env),
  });
  const windowsOpen = (flags.app ?? flags.secretFrom) !== undefined;
  const options = { url: target.url, checks: chosen, sender, host, timeoutMs, seed, observe, windowsOpen };
  return { options, waitMs, customers: customersOf(seed) };
}

function understood<Value>(read: () => Value, flag = ''): Value {
  try {
    return checkedValue('certify', flag, read);
  } catch (error) {
    if (error instanceof TargetError || error instanceof ObserveError) {
      throw new UsageError(`certify: ${flag === '' ? '' : `${flag}: `}${error.message}`, { cause: error });
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
    throw new UsageError(`certify: --only: unknown check "${id}". ${hint}`);
  }
  return ids.length === 0 ? checks : checks.filter(({ id }) => ids.includes(id));
}

/**
 * Reports an invalid report path in one line.
 * @throws CliFailure (2)
 */
function orUnwritable(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`certify: --junit: "${file}" cannot be written: ${reason}.`, { cause: error });
  }
}

function conclude({ certified, required, checks: played }: Certificate): void {
  if (certified) return;
  const failed = played.filter(({ check, result }) => check.level === 'required' && result === 'failed');
  const ids = failed.map(({ check }) => check.id).join(', ');
  throw new CliFailure(1, `certify: ${tallyWords(required)} required checks passed; failed: ${ids}.`);
}
