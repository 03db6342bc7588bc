#!/usr/bin/env node
/** The command line (contract §8). Decides which command is meant and loads that one only, so that each starts quickly. */
import { CliFailure, QuietExit } from './failure.js';

// Deprecations inside bundled packages are ours to follow up, not for the user's log.
process.noDeprecation = true;
process.exitCode = await main(process.argv.slice(2));

/** Runs one command. @returns the exit code: 0, 1 = did not work, 2 = asked wrongly; of `exec`, its command's own. */
async function main(args: readonly string[]): Promise<number> {
  // A reader that has seen enough (`| head`) is no failure of ours.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    await run(args);
    return 0;
  } catch (error) {
    return await exitCodeOf(error);
  }
}

async function run(args: readonly string[]): Promise<void> {
  const [first = 'start', ...rest] = args;
  if (first === 'readyz') {
    const { readyz } = await import('./commands/readyz.js');
    await readyz(rest);
    return;
  }
  if (first === '--version' || first === '-V') {
    const { version } = await import('../version.js');
    process.stdout.write(`${version}\n`);
    return;
  }
  const { printHelp, runCommand } = await import('./run-command.js');
  if (first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) await printHelp();
  else if (first === 'help') await run([rest[0] ?? '', '--help']);
  else if (first.startsWith('-')) await runCommand('start', args);
  else await runCommand(first, rest);
}

async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CliFailure) {
    process.stderr.write(`messaging-sandbox: ${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof QuietExit) return error.exitCode;
  const { commanderExitCode } = await import('./run-command.js');
  const code = commanderExitCode(error);
  if (code !== undefined) return code;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`messaging-sandbox: this is a fault of the sandbox itself; please report it.\n${text}\n`);
  return 1;
}
