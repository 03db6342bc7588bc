/** A sandbox inside this process, for `start`, `exec` and `scenario run`. */
import { ConfigError, resolveConfig } from '../config/index.js';
import type { Config, ConfigInput, FlagValues } from '../config/index.js';
import { createLog } from '../log.js';
import type { Log } from '../log.js';
import type { Sandbox, SandboxParts } from '../sandbox.js';
import { machineTime } from '../time/system-clock.js';
import { mayColour } from './colour.js';
import { CliFailure } from './failure.js';
import { startFailure } from './start-failure.js';

/** Longest time of a stop, in real milliseconds. */
const LONGEST_CLOSE_MS = 5_000;

/** @throws CliFailure (2) for an invalid value */
export function readConfig(input: ConfigInput): Config {
  try {
    return resolveConfig(input);
  } catch (error) {
    if (error instanceof ConfigError) throw new CliFailure(2, error.message, { cause: error });
    throw error;
  }
}

/**
 * Settings of a sandbox for one run: those of the environment, but for those that would bring another scenario or an earlier
 * run's data. @throws CliFailure (2)
 */
export function configOfRun(flags: FlagValues = {}): Config {
  const { SANDBOX_DATA: _data, SANDBOX_SCENARIO: _scenario, SANDBOX_WATCH: _watch, ...env } = process.env;
  const logLevel = env['SANDBOX_LOG_LEVEL'] ? undefined : 'warn';
  return readConfig({ flags: { port: '0', 'log-level': logLevel, ...flags }, env });
}

/** Creates the log on stderr. */
export function openLog({ logLevel, logFormat }: Config): Log {
  return createLog({ level: logLevel, format: logFormat, host: machineTime, colour: mayColour(process.stderr) });
}

/** Starts a sandbox and waits until it is ready. @throws CliFailure with the reason and the next step */
export async function openSandbox(
  config: Config,
  log: Log,
  parts: Pick<SandboxParts, 'rulesFor'> = {},
): Promise<Sandbox> {
  try {
    // Loaded late, so that help and a wrong flag do not wait for the whole server.
    const { startSandbox } = await import('../sandbox.js');
    return await startSandbox(config, { log, ...parts });
  } catch (error) {
    log.debug('the start failed', { error });
    throw startFailure(error, config);
  }
}

/**
 * Stops the sandbox, in 5 s at most.
 * @throws CliFailure (1) if data could not be written
 */
export async function closeSandbox(sandbox: Sandbox, log: Log): Promise<void> {
  let cancel = (): void => undefined;
  const late = new Promise<'late'>((resolve) => {
    cancel = machineTime.setTimer(LONGEST_CLOSE_MS, () => resolve('late'));
  });
  try {
    const ended = await Promise.race([sandbox.close(), late]);
    if (ended === 'late') log.warn('stop took longer than 5 s and was interrupted');
  } catch (error) {
    throw new CliFailure(1, `the stop was not clean: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    cancel();
  }
}
