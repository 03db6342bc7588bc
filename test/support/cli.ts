import { inject } from 'vitest';
import { ended, spawnBuilt, startBuilt, type CliResult, type CliServer, type Variables } from './built-cli.js';
import { closing } from './closing.js';

/** Runs the built command line to its end. */
export function runCli(args: readonly string[], env: Variables = {}): Promise<CliResult> {
  return ended(spawnBuilt(inject('cli'), args, env));
}

/** Runs a command until it says something on stderr, does something then, and interrupts it. */
export async function interruptCli(
  args: readonly string[],
  said: RegExp,
  meanwhile: (match: RegExpExecArray) => Promise<void>,
): Promise<CliResult> {
  const child = spawnBuilt(inject('cli'), args, {});
  const end = ended(child);
  let stderr = '';
  const match = await new Promise<RegExpExecArray | null>((resolve) => {
    child.stderr.on('data', (chunk: string) => {
      stderr += chunk;
      const found = said.exec(stderr);
      if (found) resolve(found);
    });
    void end.then(() => resolve(null));
  });
  if (match) await meanwhile(match);
  child.kill('SIGINT');
  return end;
}

/** Starts the built server. */
export function startCli(args: readonly string[] = [], env?: Variables): Promise<CliServer> {
  return startBuilt(inject('cli'), args, env);
}

/** The same, stopped when the test has finished. */
export async function runningCli(...how: Parameters<typeof startCli>): Promise<CliServer> {
  const server = await startCli(...how);
  closing({ close: () => server.stop() });
  return server;
}
