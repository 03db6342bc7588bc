/**
 * The application behind a receiver: its secret, and the application itself, which is started if requested, awaited,
 * and admitted to the sandbox that it calls.
 */
import type { Command } from 'commander';
import { sandboxAccount, type SandboxAccount } from '../../client/account.js';
import { SandboxError } from '../../client/sandbox-error.js';
import { ApplicationError, startApplication, waitForUrl, type Application } from '../../runner/application.js';
import { pause } from '../../time/pause.js';
import { machineTime } from '../../time/system-clock.js';
import { connect, withKeyFlags } from '../client.js';
import { failWith, QuietExit, UsageError } from '../failure.js';
import { closeSandbox, configOfRun, openLog, openSandbox } from '../open-sandbox.js';
import { connectionTo, environmentFor, SignalRelay } from '../user-command.js';

export interface ApplicationFlags {
  readonly secret?: string;
  readonly secretFrom?: string;
  readonly key?: string;
  readonly controlToken?: string;
  readonly app?: string;
}

export function withApplicationFlags(command: Command): Command {
  command.option(
    '--secret-from <URL>',
    'running sandbox that your application calls; takes the secret of its endpoint there',
  );
  return withKeyFlags(command)
    .option('--app <COMMAND>', 'shell command that starts your application, with a sandbox of its own')
    .option('--wait <DURATION>', 'longest wait for the receiver to respond (default: none; 30s with --app)');
}

/** @throws CliFailure (2) for flags that cannot be combined */
export function requireFitting({ secret, secretFrom, key, controlToken, app }: ApplicationFlags): void {
  const fail = (text: string): never => {
    throw new UsageError(`certify: ${text}`);
  };
  if (secret === '') fail('--secret is empty. Is the variable it comes from set?');
  if (app?.trim() === '') fail('--app is empty. Give it a command, such as "npm start".');
  if (secret === undefined && secretFrom === undefined && app === undefined) {
    fail(
      'no --secret is given. Add the secret that your receiver checks signatures with, such as --secret "$WEBHOOK_SECRET".',
    );
  }
  if (secret !== undefined && secretFrom !== undefined) {
    fail('both --secret and --secret-from are given. Leave out one of them.');
  }
  if (secretFrom === undefined && (key ?? controlToken) !== undefined) {
    fail(`${key === undefined ? '--control-token' : '--key'} belongs to --secret-from. Add the URL of the sandbox.`);
  }
}

export interface ApplicationParts {
  readonly flags: ApplicationFlags;
  /** As given on the command line. */
  readonly url: string;
  /** Always https, as endpoints are registered. */
  readonly endpointUrl: string;
  readonly waitMs: number;
  /** Customers whose windows are open during the run. */
  readonly customers: readonly string[];
  /** The secret of an application that registers no endpoint. */
  readonly freshSecret: string;
}

/** Machine milliseconds for an application to register its endpoint after it starts to listen. */
const REGISTRATION_MS = 2_000;
const LOOK_AGAIN_MS = 100;

/**
 * Runs `play` with the secret of the application, then cleans up.
 * @throws CliFailure (2) if the application does not start, or its sandbox cannot be used
 */
export async function withApplication(parts: ApplicationParts, play: (secret: string) => Promise<void>): Promise<void> {
  const { flags, freshSecret } = parts;
  const relay = new SignalRelay();
  let sandbox: RunningSandbox | null = null;
  let application: Application | null = null;
  try {
    sandbox = await sandboxFor(flags);
    const variables = { ...sandbox.variables, MESSAGING_WEBHOOK_SECRET: flags.secret ?? freshSecret };
    const onOutput = (text: string): void => void process.stderr.write(text);
    if (flags.app !== undefined) {
      await requireFree(parts.url);
      application = startApplication({ command: flags.app, variables, onOutput });
    }
    await awaitReceiver(parts, application, relay.stopped);
    const { account } = sandbox;
    const secret = flags.secret ?? (await registeredSecret(account, parts, application !== null, relay.stopped));
    const dismiss = await admit(account, parts.customers);
    try {
      const stopped = new Promise<void>((resolve) => relay.stopped.addEventListener('abort', () => resolve()));
      if (!relay.stopped.aborted) await Promise.race([play(secret ?? freshSecret), stopped]);
    } finally {
      await dismiss();
    }
    if (relay.exitCode !== null) throw new QuietExit(relay.exitCode);
  } catch (error) {
    failWith(2, SandboxError, 'certify: --secret-from: ')(error);
  } finally {
    await application?.stop();
    await sandbox?.close();
    relay.release();
  }
}

/** @throws CliFailure (2) if another program would be certified instead of the application */
async function requireFree(url: string): Promise<void> {
  const free = await awaitReceiver({ url, waitMs: 1 }).then(
    () => false,
    () => true,
  );
  if (free) return;
  throw new UsageError(`certify: ${url} responds before --app has started anything. Stop it, or leave out --app.`);
}

/**
 * Waits until anything responds at the URL, if a wait was requested.
 * @throws CliFailure (2)
 */
export async function awaitReceiver(
  { url, waitMs }: Pick<ApplicationParts, 'url' | 'waitMs'>,
  application: Application | null = null,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (waitMs === 0) return;
  // A route for POST alone responds to GET with an error. A proxy's errors mean that its receiver is not running yet.
  const counts = (status: number): boolean => ![502, 503, 504].includes(status);
  const waiting = waitForUrl({ url, timeoutMs: waitMs, application, signal, counts });
  await waiting.catch(failWith(2, ApplicationError, 'certify: '));
}

interface RunningSandbox {
  readonly account: SandboxAccount;
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

async function sandboxFor({ secretFrom, key, controlToken }: ApplicationFlags): Promise<RunningSandbox> {
  if (secretFrom !== undefined) {
    const connection = connect({ url: secretFrom, key, controlToken }, process.env, '--secret-from');
    const variables = { MESSAGING_BASE_URL: connection.url, MESSAGING_API_KEY: connection.key };
    return { account: sandboxAccount(connection), variables, close: () => Promise.resolve() };
  }
  const config = configOfRun();
  const log = openLog(config);
  const sandbox = await openSandbox(config, log);
  const variables = environmentFor(sandbox, config);
  return { account: sandboxAccount(connectionTo(variables)), variables, close: () => closeSandbox(sandbox, log) };
}

/**
 * Returns the secret of the endpoint with this URL, or of the only endpoint. Waits for it while the application starts.
 * Null if the application was started here and registers no endpoint.
 * @throws CliFailure (2)
 */
async function registeredSecret(
  account: SandboxAccount,
  { endpointUrl, waitMs, flags }: ApplicationParts,
  isOurs: boolean,
  signal: AbortSignal,
): Promise<string | null> {
  const deadlineMs = machineTime.monotonic() + (waitMs === 0 ? 0 : REGISTRATION_MS);
  for (;;) {
    const endpoints = await account.webhooks.list();
    const [only, ...more] = endpoints;
    const match = endpoints.find(({ url }) => url === endpointUrl) ?? (more.length === 0 ? only : undefined);
    if (match) return match.secret;
    if (signal.aborted || machineTime.monotonic() >= deadlineMs) {
      if (endpoints.length === 0 && (isOurs || signal.aborted)) return null;
      const where =
        flags.secretFrom === undefined ? 'with its sandbox' : `at ${account.url} with the key ${account.apiKey}`;
      const found = endpoints.length === 0 ? 'no endpoint' : endpoints.map(({ url }) => url).join(', ');
      const todo = endpoints.length === 0 ? 'Register this one, set --key' : 'Give one of these URLs';
      throw new UsageError(
        `certify: ${endpointUrl} is not registered ${where}; found: ${found}. ${todo}, or set --secret.`,
      );
    }
    await pause(LOOK_AGAIN_MS);
  }
}

/**
 * Opens the windows of the customers, so that an application can reply to them. Its messages get no status reports,
 * because only the events of this run count.
 * @returns a function that ends this
 */
async function admit(account: SandboxAccount, customers: readonly string[]): Promise<() => Promise<void>> {
  await Promise.all(customers.map((phone) => account.customer(phone).window.open()));
  const { id } = await account.rules.add({
    id: `certify-${machineTime.now()}`,
    when: 'message.send',
    match: { to: [...customers] },
    then: { lifecycle: 'silent' },
  });
  return () => account.rules.remove(id);
}
