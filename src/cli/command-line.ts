/** Runs every command except those in `main.ts`. Loads only the requested one, so that each starts quickly. */
import type { Command } from 'commander';
import { nearestWord } from '../domain/nearest-word.js';
import { exitCodeOf, UsageError } from './failure.js';
import { commands, runsCommand } from './registry.js';

const READYZ = { name: 'readyz', summary: 'exit with 0 if the sandbox is ready, otherwise with 1' };

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
  if (first !== 'help' && !first.startsWith('-')) {
    const define = await defineOf(first);
    const cut = runsCommand.has(first) ? rest.indexOf('--') : -1;
    const [own, userCommand] = cut === -1 ? [rest, []] : [rest.slice(0, cut), rest.slice(cut + 1)];
    await define(userCommand).parseAsync(own, { from: 'user' });
    return;
  }
  const [about = 'help', ...within] = first === 'help' ? rest : [];
  if (about === 'help' || about.startsWith('-')) await printHelp();
  else if (about === READYZ.name) await (await import('./commands/readyz.js')).readyz(['--help']);
  else printHelpOf((await defineOf(about))([]), within);
}

/** @throws CliFailure */
function defineOf(name: string) {
  const known = commands.find((each) => each.name === name);
  if (known) return known.load();
  const names = [...commands, READYZ].map((each) => each.name);
  const meant = nearestWord(name, names);
  const hint = meant === undefined ? `Commands: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  throw new UsageError(`Unknown command "${name}". ${hint} See messaging-sandbox --help.`);
}

/** Prints the help of a command, or of the subcommand that these words name. @throws CliFailure */
function printHelpOf(command: Command, within: readonly string[]): void {
  let shown = command;
  let path = command.name();
  for (const word of within.filter((each) => !each.startsWith('-'))) {
    const names = shown.commands.map((known) => known.name());
    const inner = shown.commands[names.indexOf(word)];
    const hint = names.length > 0 ? `Allowed: ${names.join(', ')}.` : 'It has none.';
    if (!inner) throw new UsageError(`Unknown subcommand "${word}" of ${path}. ${hint}`);
    [shown, path] = [inner, `${path} ${word}`];
  }
  shown.outputHelp();
}

/** Prints the help of the whole program: every command, and the flags of `start`, which is the default. */
async function printHelp(): Promise<void> {
  const [{ newCommand }, { withStartFlags }] = await Promise.all([import('./command.js'), import('./start-flags.js')]);
  const program = newCommand('', 'A local sandbox that stands in for a business messaging service.')
    .usage('[command] [options]')
    .option('-V, --version', 'print the version')
    .helpCommand(false);
  for (const { name, summary } of [...commands, READYZ]) {
    program.command(name).description(summary).helpOption(false);
  }
  program.addHelpText(
    'after',
    '\nThe options are those of "start". Each can also be set by its variable; a flag takes precedence over a variable.' +
      '\n"messaging-sandbox COMMAND --help" describes a command.',
  );
  withStartFlags(program).outputHelp();
}
