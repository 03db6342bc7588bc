import { Command, type Option } from 'commander';
import { withClientFlags } from '../../src/cli/client.js';
import { commands } from '../../src/cli/program.js';
import { configOptionList } from '../../src/config/index.js';
import { table } from './markdown.js';

const clientOptions = withClientFlags(new Command()).options;
const settings = new Set<string | undefined>(configOptionList.map(({ flag }) => flag));
const common = new Set(clientOptions.map(({ long }) => long));

const loaded = await Promise.all(
  commands.map(async ({ name, define }): Promise<Named[]> => withSubcommands(await define(), name)),
);

interface Named {
  readonly name: string;
  readonly command: Command;
}

/** A row for each command: its arguments, what it does, and its own options. `--help` says the rest. */
export const commandTable = (): string =>
  table(
    ['Command', 'What it does', 'Own options'],
    loaded.flat().map(({ name, command }) => [
      `\`${[name, ...command.registeredArguments.map(argumentName)].join(' ')}\``,
      command.description().replace(/\.$/, '').replace(/\n/g, ' '),
      ownOptions(command)
        .map(({ long, short }) => `\`${long ?? short ?? ''}\``)
        .join(' '),
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

/** The settings of a start and the options of client commands have tables of their own; a command has all or some. */
function ownOptions(command: Command): Option[] {
  const has = new Set(command.options.map(({ long }) => long));
  const takesSettings = configOptionList.every(({ flag }) => has.has(flag));
  const isClient = clientOptions.every(({ long }) => has.has(long));
  return command.options.filter(
    ({ long }) => !(takesSettings && settings.has(long ?? undefined)) && !(isClient && common.has(long)),
  );
}

function argumentName(argument: Command['registeredArguments'][number]): string {
  const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
  return argument.required ? name : `[${name}]`;
}
