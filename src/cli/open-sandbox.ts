/** A sandbox inside this process: for `start`, and for commands that need one for their own length. */
import { ConfigError, resolveConfig } from '../config/index.js';
import type { Config, ConfigInput } from '../config/index.js';
import { createLog } from '../log.js';
import type { Log } from '../log.js';
import type { Sandbox } from '../sandbox.js';
import { machineTime } from '../time/system-clock.js';
import { mayColour } from './colour.js';
import { CliFailure } from './failure.js';
import { startFailure } from './start-failure.js';

/** How long what is in flight may take to end after the wish to stop, in real milliseconds (contract §8). */
const LONGEST_CLOSE_MS = 5_000;

/** @throws CliFailure (2) for a value that cannot be used */
export function readConfig(input: ConfigInput): Config {
  try {
    return resolveConfig(input);
  } catch (error) {
    if (error instanceof ConfigError) throw new CliFailure(2, error.message, { cause: error });
    throw error;
  }
}

/** The log on stderr that the settings ask for. */
export function openLog({ logLevel, logFormat }: Config): Log {
  return createLog({ level: logLevel, format: logFormat, host: machineTime, colour: mayColour(process.stderr) });
}

/** Starts it and waits until it is ready. @throws CliFailure that says why it could not start, and what to do */
export async function openSandbox(config: Config, log: Log): Promise<Sandbox> {
  try {
    // Loaded late, so that help and a wrong flag do not wait for the whole server.
    const { startSandbox } = await import('../sandbox.js');
    return await startSandbox(config, { log });
  } catch (error) {
    log.debug('the start failed', { error });
    throw startFailure(error, config);
  }
}

/**
 * Ends what is open, in 5 s at most: whoever wants the process to stop will not wait for ever.
 * @throws CliFailure (1) when something could not be written
 */
export async function closeSandbox(sandbox: Sandbox, log: Log): Promise<void> {
  let cancel = (): void => undefined;
  const late = new Promise<'late'>((resolve) => {
    cancel = machineTime.setTimer(LONGEST_CLOSE_MS, () => resolve('late'));
  });
  try {
    const ended = await Promise.race([sandbox.close(), late]);
    if (ended === 'late') log.warn('something did not end within 5 s and was cut off');
  } catch (error) {
    throw new CliFailure(1, `the stop was not clean: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    cancel();
  }
}
