#!/usr/bin/env node
/**
 * The command line. `start` and the health check of a container run most often, so they load nothing else. All other
 * commands are in `command-line.ts`.
 */
import module from 'node:module';
import { exitCodeOf } from './failure.js';

/** Flags that do not belong to `start`. */
const ofTheProgram: ReadonlySet<string> = new Set(['--help', '-h', '--version', '-V']);

// From 22.8 on, Node can cache compiled code, so that the next start is faster. The types are those of Node 20.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
// Deprecations inside dependencies are for the developers, not for the user's log.
process.noDeprecation = true;

/** Whether output was lost: on a full disk, not when a reader has stopped early (`| head`). */
let unwritten = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (unwritten || error.code === 'EPIPE') return;
  unwritten = true;
  process.stderr.write(`messaging-sandbox: cannot write to stdout: ${error.message}\n`);
  process.exitCode ||= 1;
});
process.stderr.on('error', () => undefined);

void main(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode || Number(unwritten);
});

/**
 * Runs one command.
 * @returns the exit code: 0; 1 if it failed; 2 for invalid usage; for `exec`, that of its command
 */
async function main(args: readonly string[]): Promise<number> {
  const [first = 'start', ...rest] = args;
  if (first === 'readyz') return exitCodeOf(async () => (await import('./commands/readyz.js')).readyz(rest));
  if (first === 'start') return exitCodeOf(() => start(rest));
  if (first.startsWith('-') && !ofTheProgram.has(first)) return exitCodeOf(() => start(args));
  const { commandLine } = await import('./command-line.js');
  return commandLine(first, rest);
}

async function start(flags: readonly string[]): Promise<void> {
  const { define } = await import('./commands/start.js');
  await define().parseAsync(flags, { from: 'user' });
}
