/** Runs every command except those in `main.ts`. Loads only the requested one, so that each starts quickly. */
import { exitCodeOf } from './failure.js';

/**
 * @param first a command, or a flag of the program itself
 * @returns the exit code
 */
export function commandLine(first: string, rest: readonly string[]): Promise<number> {
  return exitCodeOf(() => run(first, rest));
}

async function run(first: string, rest: readonly string[]): Promise<void> {
  if (first === '--version' || first === '-V') {
    const { version } = await import('../version.js');
    process.stdout.write(`${version}\n`);
    return;
  }
  const { printHelp, printHelpOf, runCommand } = await import('./run-command.js');
  if (first !== 'help' && !first.startsWith('-')) {
    await runCommand(first, rest);
    return;
  }
  const [about = 'help', ...within] = first === 'help' ? rest : [];
  if (about === 'help' || about.startsWith('-')) await printHelp();
  else if (about === 'readyz') await (await import('./commands/readyz.js')).readyz(['--help']);
  else await printHelpOf([about, ...within.filter((word) => !word.startsWith('-'))]);
}
