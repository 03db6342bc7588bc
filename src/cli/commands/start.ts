import type { Command } from 'commander';
import { unknownVariables } from '../../config/index.js';
import type { Config } from '../../config/index.js';
import { version } from '../../version.js';
import { isInsideContainer } from '../../webhooks/sender/send-failure.js';
import { banner } from '../banner.js';
import { mayColour } from '../print.js';
import { newCommand } from '../new-command.js';
import { closeSandbox, openLog, openSandbox, readConfig } from '../open-sandbox.js';
import { startFlags, withStartFlags } from '../start-flags.js';
import { listenForStop } from '../stop-signal.js';

/** `start`: runs the sandbox until SIGTERM or SIGINT. */
export function define(): Command {
  return withStartFlags(newCommand('start', 'Start the sandbox and run it until SIGTERM or SIGINT.')).action(
    async (_flags: unknown, command: Command) => {
      await start(readConfig({ flags: startFlags(command), env: process.env }));
    },
  );
}

async function start(config: Config): Promise<void> {
  const stop = listenForStop();
  const log = openLog(config);
  for (const warning of unknownVariables(process.env)) log.warn(warning);

  const sandbox = await openSandbox(config, log);
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
  await closeSandbox(sandbox, log);
  // Sockets of clients that never hang up would keep the process alive after everything is closed and flushed.
  process.exit(0);
}
