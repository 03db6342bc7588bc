import type { Argument, Command, Option } from 'commander';
import { format } from 'prettier';
import { HELP } from '../../src/cli/commands/readyz.js';
import { commands } from '../../src/cli/registry.js';
import { configOptionList } from '../../src/config/index.js';

const cell = (text: string): string => text.replace(/([|<>*])/g, '\\$1').replace(/\n/g, ' ');
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

/** The page in Markdown, made from the commands themselves, as the formatter leaves it. */
export async function cliPage(): Promise<string> {
  const sections: string[] = [];
  for (const { name, load } of commands) {
    const { define } = await load();
    sections.push(...section(define([]), `messaging-sandbox ${name}`, 2));
  }
  const page = [INTRODUCTION, ...sections, '## messaging-sandbox readyz', fenced(HELP), EXIT_CODES].join('\n\n');
  return format(page, { parser: 'markdown', printWidth: 120 });
}

const INTRODUCTION = `# Command line

<!-- Printed by scripts/cli-docs.ts from the commands in src/cli; edit there. -->

\`messaging-sandbox\` without a command means \`messaging-sandbox start\`. Every command takes \`--help\`; \`--version\`
prints the version. Commands that talk to a running sandbox find it by \`--url\` or \`SANDBOX_URL\`, and the account by
\`--key\` or \`SANDBOX_KEY\`. Colours are for terminals; \`NO_COLOR=1\` turns them off.`;

const EXIT_CODES = `## Exit codes

| Code | Means |
| --- | --- |
| 0 | done |
| 1 | asked rightly, but it did not work: nobody answers, a check failed, too little was exercised |
| 2 | asked wrongly: an unknown command or flag, a value that cannot be used, a scenario that does not load |

\`exec\` passes the exit code of its command on, 128 + n when signal n ended it, 127 when there is no such
command, 126 when it may not be run; 1 when the command succeeded and the verdict is "failed".`;

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

/** Commander derives the usage from options and arguments where a command says nothing of its own. */
function usageOf(command: Command): string {
  return command.usage().replace(' [command]', command.commands.length > 0 ? ' COMMAND' : '');
}

/** The settings of a start have a page of their own, with their variables and defaults; a command has all or picks some. */
function options(command: Command): string[] {
  const has = new Set(command.options.map(({ long }) => long));
  const takesSettings = configOptionList.every(({ flag }) => has.has(flag));
  const settings = new Set(takesSettings ? configOptionList.map(({ flag }) => flag) : []);
  const rows = command.options.filter(({ long }) => !settings.has(long ?? '')).map(optionRow);
  const note = takesSettings ? ['It takes every setting of a start: see [Settings](configuration.md).'] : [];
  return [...table('Option', rows), ...note];
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
  return rows.length === 0 ? [] : [[row(head, 'What it is'), row('---', '---'), ...rows].join('\n')];
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
