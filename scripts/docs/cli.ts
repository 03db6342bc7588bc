import { Command, type Argument, type Option } from 'commander';
import { withClientFlags } from '../../src/cli/client.js';
import { HELP } from '../../src/cli/commands/readyz.js';
import { commands } from '../../src/cli/registry.js';
import { configOptionList } from '../../src/config/index.js';

const cell = (text: string): string => text.replace(/([|<>*])/g, '\\$1').replace(/\n/g, ' ');
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

const clientOptions = withClientFlags(new Command()).options;

const chapters = await Promise.all(
  commands.map(async ({ name, load }) => section((await load())([]), `messaging-sandbox ${name}`, 2)),
);

/** A chapter for each command, generated from the commands themselves. */
export const commandChapters = (): string =>
  [...chapters.flat(), '## messaging-sandbox readyz', fenced(HELP)].join('\n\n');

export const clientOptionTable = (): string => table('Option', clientOptions.map(optionRow)).join('');

function section(command: Command, title: string, level: number): string[] {
  const own = [
    `${'#'.repeat(level)} ${title}`,
    command.description(),
    fenced(`${title} ${usageOf(command)}`.trim()),
    ...table('Argument', command.registeredArguments.map(argumentRow)),
    ...options(command),
    ...afterHelp(command),
  ];
  return [...own, ...command.commands.flatMap((sub) => section(sub, `${title} ${sub.name()}`, level + 1))];
}

/** If a command does not set its usage, commander derives it from options and arguments. */
function usageOf(command: Command): string {
  return command.usage().replace(' [command]', command.commands.length > 0 ? ' COMMAND' : '');
}

/**
 * The settings of a start are on a separate page, and the options of client commands in a section; a command has all of
 * them or only some.
 */
function options(command: Command): string[] {
  const has = new Set(command.options.map(({ long }) => long));
  const takesSettings = configOptionList.every(({ flag }) => has.has(flag));
  const settings = new Set(takesSettings ? configOptionList.map(({ flag }) => flag) : []);
  const texts = command.options.map(optionRow);
  const isClient = clientOptions.every((option) => texts.includes(optionRow(option)));
  const common = new Set(isClient ? clientOptions.map(optionRow) : []);
  const own = command.options.filter(({ long }) => !settings.has(long ?? ''));
  const rows = own.map(optionRow).filter((text) => !common.has(text));
  return [
    ...table('Option', rows),
    ...(takesSettings ? ['It takes every setting of a start: see [configuration](configuration.md).'] : []),
    ...(isClient ? ['It takes the [options of client commands](#options-of-client-commands).'] : []),
  ];
}

function argumentRow(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
  return row(`\`${argument.required ? name : `[${name}]`}\``, cell(`${argument.description}${choices(argument)}`));
}

function optionRow(option: Option): string {
  const standard = option.defaultValue === undefined || Array.isArray(option.defaultValue);
  const words = standard ? '' : `; default: ${String(option.defaultValue)}`;
  return row(`\`${option.flags}\``, cell(`${option.description}${choices(option)}${words}`));
}

function choices({ argChoices }: Argument | Option): string {
  return argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
}

function table(head: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [[row(head, 'Description'), row('---', '---'), ...rows].join('\n')];
}

/** What a command adds below its options: how it behaves, and examples. */
function afterHelp(command: Command): string[] {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => written.push(text) });
  command.outputHelp();
  const help = written.join('');
  const added = help.slice(command.helpInformation().length).trim();
  return added === '' ? [] : [fenced(added)];
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trim()}\n\`\`\``;
}
