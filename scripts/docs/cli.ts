import { Command } from 'commander';
import { withClientFlags } from '../../src/cli/client.js';
import { commands } from '../../src/cli/program.js';
import { table } from './markdown.js';

const clientOptions = withClientFlags(new Command()).options;

const loaded = await Promise.all(
  commands.map(async ({ name, define }): Promise<Named[]> => withSubcommands(await define(), name)),
);

interface Named {
  readonly name: string;
  readonly command: Command;
}

/** A row for each command. Its options are in `--help`. */
export const commandTable = (): string =>
  table(
    ['Command', 'What it does'],
    loaded
      .flat()
      .map(({ name, command }) => [
        `\`${[name, ...command.registeredArguments.map(argumentName)].join(' ')}\``,
        command.description().replace(/\.$/, '').replace(/\n/g, ' '),
      ]),
  );

export const clientOptionTable = (): string =>
  table(
    ['Option', 'Description'],
    clientOptions.map(({ flags, description }) => [`\`${flags}\``, description]),
  );

function withSubcommands(command: Command, name: string): Named[] {
  if (command.commands.length === 0) return [{ name, command }];
  return command.commands.flatMap((sub) => withSubcommands(sub, `${name} ${sub.name()}`));
}

function argumentName(argument: Command['registeredArguments'][number]): string {
  const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
  return argument.required ? name : `[${name}]`;
}
