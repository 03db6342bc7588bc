import type { Command } from 'commander';
import { nearestWord } from '../domain/nearest-word.js';
import { CliFailure } from './failure.js';
import { newCommand } from './new-command.js';
import { type CommandEntry, commands } from './registry.js';

const READYZ = { name: 'readyz', summary: 'exit with 0 if the sandbox is ready, otherwise with 1' };

/**
 * Loads the named command and runs it.
 * @throws CliFailure, or commander's error for unknown flags and arguments
 */
export async function runCommand(name: string, args: readonly string[]): Promise<void> {
  const entry = entryOf(name);
  const { define } = await entry.load();
  const cut = entry.runsCommand === true ? args.indexOf('--') : -1;
  const [own, userCommand] = cut === -1 ? [args, []] : [args.slice(0, cut), args.slice(cut + 1)];
  await define(userCommand).parseAsync(own, { from: 'user' });
}

/** @throws CliFailure */
function entryOf(name: string): CommandEntry {
  const entry = commands.find((known) => known.name === name);
  if (entry === undefined) {
    const names = [...commands.map((known) => known.name), READYZ.name];
    const meant = nearestWord(name, names);
    const hint = meant === undefined ? `Commands: ${names.join(', ')}.` : `Did you mean "${meant}"?`;
    throw new CliFailure(2, `Unknown command "${name}". ${hint} See messaging-sandbox --help.`);
  }
  return entry;
}

/**
 * Prints the help of a command or subcommand.
 * @param path its names, such as `clock`, `advance`
 * @throws CliFailure
 */
export async function printHelpOf([name, ...within]: readonly [string, ...string[]]): Promise<void> {
  const { define } = await entryOf(name).load();
  let command = define([]);
  for (const word of within) {
    const inner = command.commands.find((known) => known.name() === word);
    if (!inner) throw new CliFailure(2, `Unknown subcommand "${word}" of ${pathOf(command)}. ${insideOf(command)}`);
    command = inner;
  }
  command.outputHelp();
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function insideOf(command: Command): string {
  const names = command.commands.map((known) => known.name());
  return names.length > 0 ? `Allowed: ${names.join(', ')}.` : 'It has none.';
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
    '\nThe options are those of "start". Each can also be set by its variable; a flag takes precedence over a variable.' +
      '\n"messaging-sandbox COMMAND --help" describes a command.',
  );
  withStartFlags(program).outputHelp();
}
