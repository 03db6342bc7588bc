import { Option, type Command } from 'commander';
import { checks } from '../../certify/checks.js';
import { customersOf } from '../../certify/events.js';
import { CheckError, createObserver, ReceiverUnreachable, type Service, targetOf } from '../../certify/receiver.js';
import { certificateJson, certificateJunit, checkLines, summaryLines, tallyWords } from '../../certify/report.js';
import { certify as play, type RunOptions } from '../../certify/run.js';
import { sandboxAccount, type SandboxAccount } from '../../client/account.js';
import type { RequestCount, RuleInput } from '../../client/types.js';
import { readDuration, readServer, readValue } from '../../config/values.js';
import { readDialect } from '../../config/options.js';
import { defaultDialect, type Dialect } from '../../dialect/index.js';
import { nearestWord } from '../../domain/text.js';
import { waitForUrl } from '../../beside/reach.js';
import { ApplicationError } from '../../beside/spawn.js';
import { machineTime, pause } from '../../time/system-clock.js';
import { isInsideContainer } from '../../webhooks/failure.js';
import { createSender } from '../../webhooks/send.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { listOption, print, stopSignal, valueOption } from '../command.js';
import { mayColour } from '../../log.js';
import { CliFailure, QuietExit, UsageError } from '../../failure.js';
import { junitOption, requireOneReport, writeJunit } from '../report-file.js';

interface Flags extends ClientFlags {
  readonly secret?: string;
  /** Machine milliseconds. */
  readonly wait?: number;
  readonly only: readonly string[];
  readonly observe?: URL;
  readonly junit?: string;
  readonly dialect?: Dialect;
  readonly allowPublicWebhooks?: boolean;
}

const HELP = `
Without --secret, certify takes the secret from a running sandbox, at which your application has registered its webhook. Your
application can then reply to customers during the run.

Checks (see docs/certify.md):
${checks.map(({ id, title, level }) => `  ${id.padEnd(26)}${title}${level === 'recommended' ? ' (recommended)' : ''}`).join('\n')}

Exit code: 0 if every required check passed, 1 if one failed, 2 for a usage error or an unreachable receiver.

Examples:
  messaging-sandbox certify http://localhost:3000/hooks --secret "$WEBHOOK_SECRET"
  messaging-sandbox certify https://localhost:8443/hooks --secret whsec_… --only disorder,late-event
  messaging-sandbox certify http://localhost:3000/hooks --url http://127.0.0.1:4242 --key shop --wait 30s
  messaging-sandbox certify http://localhost:3000/hooks --secret whsec_… --observe http://localhost:3000/received --junit certify.xml`;

export function certify(command: Command): void {
  const secret = new Option('--secret <SECRET>', 'signing secret of the receiver; no sandbox is then needed');
  const wait = 'longest wait for the receiver to respond; default: none';
  command
    .argument('<receiver>', 'URL of your webhook receiver; http:// is allowed', (text) =>
      readValue('the receiver', () => readServer(text)),
    )
    .addOption(secret.conflicts(['url', 'key', 'controlToken']))
    .addOption(valueOption('--wait <DURATION>', wait, readDuration(600_000, '10m')))
    .addOption(listOption('--only <ID>', 'run only this check; repeatable, or comma-separated', 'all'))
    .addOption(
      valueOption(
        '--observe <URL>',
        'URL that returns {"received": n}: n different events were handled; needed to check deduplication',
        readServer,
      ),
    )
    .addOption(valueOption('--dialect <FILE>', 'dialect file of the events; default: none', readDialect))
    .addOption(junitOption())
    .option('--allow-public-webhooks', 'allow a receiver outside the private network')
    .addHelpText('after', HELP);
  withClientFlags(command).action((receiver: URL, flags: Flags) =>
    run(receiver, flags).catch((cause: unknown) => {
      throw cause instanceof Error ? usageError(cause, flags) : cause;
    }),
  );
}

function usageError(cause: Error, { wait }: Flags): Error {
  const hint = wait === undefined ? ' If the receiver is still starting, add --wait 30s.' : '';
  const fail = (about: string, after = '') => new UsageError(`certify: ${about}${cause.message}${after}`, { cause });
  if (cause instanceof ApplicationError) return fail('');
  if (cause instanceof CheckError) return fail('--observe: ');
  return cause instanceof ReceiverUnreachable ? fail('the receiver cannot be reached. ', hint) : cause;
}

const TIMEOUT_MS = 10_000;

async function run(receiver: URL, flags: Flags): Promise<void> {
  requireOneReport('certify', flags);
  if (flags.secret === '') throw new UsageError('certify: --secret is empty. Is the variable it comes from set?');
  const { url, routes } = targetOf(receiver);
  const { wait: waitMs = 0, observe: counter } = flags;
  const chosen = chosenChecks(flags.only);
  const observe = counter === undefined ? null : createObserver(counter.href, TIMEOUT_MS);
  // A new seed for each run, so that a receiver that remembers ids does not take its events for duplicates.
  const [host, seed] = [machineTime, machineTime.now()];
  const allowPublic = flags.allowPublicWebhooks === true;
  const insideContainer = isInsideContainer(process.env);
  const sender = createSender({ host, routes, allowPublic, timeoutMs: TIMEOUT_MS, insideContainer });
  const account = flags.secret === undefined ? sandboxAccount(connect(flags)) : null;
  let dismiss: (() => Promise<void>) | null = null;
  try {
    // A route for POST alone responds to GET with an error. A proxy's errors mean that its receiver is not running yet.
    const counts = (status: number): boolean => ![502, 503, 504].includes(status);
    const { signal } = new AbortController();
    if (waitMs > 0) await waitForUrl({ url: receiver.href, timeoutMs: waitMs, signal, counts });
    const secret = flags.secret ?? (account && (await registeredSecret(account, url, waitMs))) ?? '';
    if (account) dismiss = await admit(account, customersOf(seed));
    const dialect = flags.dialect ?? defaultDialect;
    const service = account && serviceOf(account);
    const options = {
      url,
      secret,
      checks: chosen,
      sender,
      host,
      timeoutMs: TIMEOUT_MS,
      seed,
      observe,
      dialect,
      service,
    };
    // Checks judge how fast the receiver responds, and the first response must not wait for this process.
    await sender.load();
    const played = playAndReport(receiver.href, { ...options, windowsOpen: account !== null }, flags);
    const interrupted = stopSignal().then((signal) => {
      throw new QuietExit(signal === 'SIGINT' ? 130 : 143);
    });
    await Promise.race([played, interrupted]);
  } finally {
    await dismiss?.();
    await sender.close();
  }
}

function chosenChecks(given: readonly string[]): RunOptions['checks'] {
  const ids = given.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean);
  const known = checks.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown === undefined) return ids.length === 0 ? checks : checks.filter(({ id }) => ids.includes(id));
  const meant = nearestWord(unknown, known);
  const hint = meant === undefined ? `Checks: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new UsageError(`certify: --only: unknown check "${unknown}". ${hint}`);
}

/** Machine milliseconds for an application to register its endpoint after it starts to listen. */
const REGISTRATION_MS = 2_000;

/**
 * The endpoint with this URL, or the only endpoint. With `--wait`, the application can still be starting.
 * @throws CliFailure (2) or SandboxError
 */
async function registeredSecret(account: SandboxAccount, url: string, waitMs: number): Promise<string> {
  const deadlineMs = machineTime.monotonic() + Math.min(waitMs, REGISTRATION_MS);
  for (;;) {
    const endpoints = await account.webhooks.list();
    const match = endpoints.find((endpoint) => endpoint.url === url) ?? (endpoints.length === 1 ? endpoints[0] : null);
    if (match) return match.secret;
    if (machineTime.monotonic() >= deadlineMs) {
      const [found, todo] =
        endpoints.length === 0
          ? ['no endpoint', 'Register this one, set --key']
          : [endpoints.map((endpoint) => endpoint.url).join(', '), 'Give one of these URLs'];
      throw new UsageError(
        `certify: ${url} is not registered at ${account.url} with the key ${account.apiKey}; found: ${found}. ${todo}, or set --secret.`,
      );
    }
    await pause(100);
  }
}

/**
 * Opens the windows of the customers, so that an application can reply to them. Its messages get no status reports,
 * because only the events of this run count. The returned function ends this.
 */
async function admit(account: SandboxAccount, customers: readonly string[]): Promise<() => Promise<void>> {
  await Promise.all(customers.map((phone) => account.customer(phone).window.open()));
  const { id } = await account.rules.add({
    id: `certify-${machineTime.now()}`,
    when: 'message.send',
    match: { phone: [...customers] },
    then: { lifecycle: 'silent' },
  });
  return () => account.rules.remove(id);
}

/** The statuses of calls that succeeded, in any dialect. */
const ACCEPTED = [200, 201, 202, 204];

function serviceOf(account: SandboxAccount): Service {
  const during = async (respond: NonNullable<RuleInput['then']['respond']>) => {
    const { id } = await account.rules.add({ when: 'api.any', then: { respond } });
    return () => account.rules.remove(id);
  };
  return {
    fail: () => during({ status: 500 }),
    delay: (ms) => during({ latency_real: `${Math.round(ms)}ms` }),
    calls: async () => {
      const found = await Promise.all(
        ACCEPTED.map((status) => account.call<RequestCount>('GET', `/_sandbox/requests/count?status=${status}`)),
      );
      return found.reduce((sum, { count }) => sum + count, 0);
    },
  };
}

/** Text is written to stdout as it is produced, unless stdout is for a program. */
async function playAndReport(url: string, options: RunOptions, { json, junit }: Flags): Promise<void> {
  await options.observe?.();
  const style = { colour: mayColour(process.stdout) };
  const say = (lines: readonly string[]): void => {
    if (json !== true && junit !== '-') process.stdout.write(`${lines.join('\n')}\n`);
  };
  say([`Certifying ${url}`, '']);
  const played = await play({ ...options, onChecked: (checked) => say(checkLines(checked, style)) });
  // The report shows the URL as given; internally, http:// is a route of an https:// URL.
  const certificate = { ...played, url };
  say(['', ...summaryLines(certificate, style)]);
  if (json === true) print(true, certificateJson(certificate), []);
  writeJunit(junit, certificateJunit(certificate));
  const { certified, required } = certificate;
  if (certified) return;
  const failed = played.checks.filter(({ check, result }) => check.level === 'required' && result === 'failed');
  const ids = failed.map(({ check }) => check.id).join(', ');
  throw new CliFailure(1, `certify: ${tallyWords(required)} required checks passed; failed: ${ids}.`);
}
