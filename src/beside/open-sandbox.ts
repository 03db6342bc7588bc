/** Opens a sandbox inside this process, for `start`, `exec`, `scenario run` and `explore`. */
import { openConnection } from '../client/connection.js';
import type { Info } from '../client/types.js';
import { type Config, type FlagValues, resolveConfig, urlOf } from '../config/index.js';
import { createLog, type Log, mayColour } from '../log.js';
import type { Sandbox, SandboxParts } from '../sandbox.js';
import { machineTime, within } from '../time/system-clock.js';
import { CliFailure, UsageError } from '../failure.js';

/** Time limit of a stop, in real milliseconds. */
const LONGEST_CLOSE_MS = 5_000;

/**
 * The settings of the environment, except settings that would load another scenario or an earlier run's data.
 * @throws ConfigError
 */
export function configOfRun(flags: FlagValues = {}): Config {
  const { SANDBOX_DATA: _data, SANDBOX_SCENARIO: _scenario, SANDBOX_WATCH: _watch, ...env } = process.env;
  const logLevel = env['SANDBOX_LOG_LEVEL'] ? undefined : 'warn';
  return resolveConfig({ flags: { port: '0', 'log-level': logLevel, ...flags }, env });
}

export function openLog({ logLevel, logFormat }: Config): Log {
  return createLog({ level: logLevel, format: logFormat, host: machineTime, colour: mayColour(process.stderr) });
}

export async function openSandbox(
  config: Config,
  log: Log,
  parts: Pick<SandboxParts, 'rulesFor' | 'programOf'> = {},
): Promise<Sandbox> {
  try {
    // Loaded late, so that help and usage errors do not wait for the whole server.
    const { startSandbox } = await import('../sandbox.js');
    return await startSandbox(config, { log, ...parts });
  } catch (error) {
    log.debug('the start failed', { error });
    throw startFailure(error, config, await holderOf(error, config));
  }
}

/** @throws CliFailure (1) if data could not be written */
export async function closeSandbox(sandbox: Sandbox, log: Log): Promise<void> {
  try {
    const ended = await within(LONGEST_CLOSE_MS, sandbox.close());
    if (ended === 'late') log.warn('stop took longer than 5 s and was interrupted');
  } catch (cause) {
    throw new CliFailure(1, `the stop was not clean: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Machine milliseconds. */
const DESCRIBE_WITHIN_MS = 2_000;

/** The holder of the port describes itself if it is a sandbox. */
async function holderOf(error: unknown, config: Config): Promise<string> {
  const unknown = 'another sandbox or program';
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return unknown;
  const { controlToken, tlsCert: certificate } = config;
  const other = openConnection({ url: urlOf(config, config.port), key: 'test_default', controlToken, certificate });
  const info = other.call<Partial<Info>>('GET', '/_sandbox/info').catch((): Partial<Info> => ({}));
  const said = await within(DESCRIBE_WITHIN_MS, info);
  if (said === 'late' || said.name !== 'messaging-sandbox') return unknown;
  const data = said.data_dir === undefined ? 'data in memory' : `data in ${said.data_dir}`;
  return `a sandbox that was started at ${String(said.started_at)} (version ${String(said.version)}, ${data})`;
}

/** The system's codes for a host that is not an address of this machine. */
const foreignHost = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];
/** Recognised by name: importing the classes would load half the server, even for `--help`. */
const invalidSettings = ['ScenarioFileError', 'DataDirectoryError'];

/**
 * Turns the reason for a failed start into one line with a remedy. Errors that already have a message for users, from
 * scenario files and the data directory, keep it.
 * @param holder who has the port, if it is in use
 */
function startFailure(error: unknown, { host, port }: Config, holder: string): Error {
  const cause = error as NodeJS.ErrnoException;
  const { code = '', name, message } = cause;
  // A bug report needs the stack of a programming error.
  if (/^(?:Type|Reference|Range)Error$/.test(name)) return cause;
  if (invalidSettings.includes(name)) return new UsageError(message, { cause });
  if (foreignHost.includes(code)) {
    const allowed = 'Allowed: 127.0.0.1, 0.0.0.0, or one of its own addresses.';
    return new UsageError(`--host ${host} is not an address of this machine. ${allowed}`, { cause });
  }
  const where = `port ${port} on ${host}`;
  const remedies: Readonly<Record<string, string>> = {
    EADDRINUSE: `${where} is already in use by ${holder}. Stop it, or use a free port with --port 0.`,
    EACCES: `${where} requires more rights. Use a port above 1023, or a free one with --port 0.`,
  };
  return new CliFailure(1, remedies[code] ?? message, { cause });
}
