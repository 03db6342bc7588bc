import { nearestWord } from '../domain/nearest-word.js';
import { CliFailure } from './failure.js';
import { newCommand } from './new-command.js';
import { commands } from './registry.js';

const READYZ = { name: 'readyz', summary: 'exit 0 when the sandbox is ready, 1 when not' };

/**
 * Loads the named command and runs it.
 * @throws CliFailure; for flags and arguments that it does not know, what commander throws
 */
export async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const entry = commands.find((known) => known.name === name);
  if (entry === undefined) {
    const names = [...commands.map((known) => known.name), READYZ.name];
    const meant = nearestWord(name, names);
    const hint = meant === undefined ? `Commands: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
    throw new CliFailure(2, `"${name}" is no command. ${hint} See messaging-sandbox --help.`);
  }
  const { define } = await entry.load();
  const cut = entry.runsCommand === true ? args.indexOf('--') : -1;
  const [own, userCommand] = cut === -1 ? [args, []] : [args.slice(0, cut), args.slice(cut + 1)];
  await define(userCommand).parseAsync(own, { from: 'user' });
}

/** Prints the help of the whole program: every command, and the flags of `start`, which is the default. */
export async function printHelp(): Promise<void> {
  const { withStartFlags } = await import('./start-flags.js');
  const program = newCommand('', 'A local sandbox that stands in for a business messaging service.')
    .usage('[command] [options]')
    .option('-V, --version', 'print the version')
    .helpCommand(false);
  for (const { name, summary } of [...commands, READYZ]) {
    program.command(name).description(summary).helpOption(false);
  }
  program.addHelpText(
    'after',
    '\nThe options are those of "start". Each can be set by its variable too; a flag beats a variable.' +
      '\n"messaging-sandbox COMMAND --help" describes a command.',
  );
  withStartFlags(program).outputHelp();
}
