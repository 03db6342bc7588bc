import type { Command } from 'commander';
import { ConfigError, resolveConfig, unknownVariables } from '../../config.js';
import type { Config } from '../../config.js';
import { createLog } from '../../log.js';
import type { Log } from '../../log.js';
import type { Sandbox } from '../../sandbox.js';
import { machineTime } from '../../time/host.js';
import { version } from '../../version.js';
import { isInsideContainer } from '../../webhooks/container.js';
import { banner } from '../banner.js';
import { mayColour } from '../colour.js';
import { CliFailure } from '../failure.js';
import { newCommand } from '../new-command.js';
import { startFailure } from '../start-failure.js';
import { startFlags, withStartFlags } from '../start-flags.js';
import { listenForStop } from '../stop-signal.js';

/** How long what is in flight may take to end after SIGTERM (contract §8). */
const LONGEST_CLOSE_MS = 5_000;

/** `start`: runs the sandbox until SIGTERM or SIGINT. */
export function define(): Command {
  return withStartFlags(newCommand('start', 'Start the sandbox and run it until SIGTERM or SIGINT.')).action(
    async (_flags: unknown, command: Command) => {
      await start(readConfig(command));
    },
  );
}

async function start(config: Config): Promise<void> {
  const stop = listenForStop();
  const log = createLog({
    level: config.logLevel,
    format: config.logFormat,
    host: machineTime,
    colour: mayColour(process.stderr),
  });
  for (const warning of unknownVariables(process.env)) log.warn(warning);

  const sandbox = await open(config, log);
  process.stdout.write(
    banner({
      version,
      config,
      port: sandbox.port,
      inContainer: isInsideContainer(process.env),
      colour: mayColour(process.stdout),
    }),
  );

  log.info('stopping', { signal: await stop.received });
  stop.release();
  await close(sandbox, log);
}

function readConfig(command: Command): Config {
  try {
    return resolveConfig({ flags: startFlags(command), env: process.env });
  } catch (error) {
    if (error instanceof ConfigError) throw new CliFailure(2, error.message, { cause: error });
    throw error;
  }
}

async function open(config: Config, log: Log): Promise<Sandbox> {
  try {
    // Loaded late, so that help and a wrong flag do not wait for the whole server.
    const { startSandbox } = await import('../../sandbox.js');
    return await startSandbox(config, { log });
  } catch (error) {
    log.debug('the start failed', { error });
    throw startFailure(error, config);
  }
}

/** Ends what is open. After the limit the process goes all the same: whoever sent the signal will not wait for ever. */
async function close(sandbox: Sandbox, log: Log): Promise<void> {
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
  // Sockets of clients that never hang up would keep the process alive although everything is closed and flushed.
  process.exit(0);
}
