import { Option, type Command } from 'commander';
import { configOptionList, type FlagValues } from '../config/index.js';

/**
 * Values remain texts: the settings parse them, for flags and variables alike. `standards` replaces defaults, by the
 * names of the settings.
 */
export function withStartFlags(command: Command, standards: Readonly<Record<string, string>> = {}): Command {
  for (const { flags, env, description, standardText, isList } of configOptionList) {
    const option = new Option(flags);
    option.description = `${description} (${env.join(', ')}; default: ${standards[option.name()] ?? standardText})`;
    const list = (value: string, before: readonly string[] = []) => [...before, value];
    command.addOption(isList ? option.argParser(list) : option);
  }
  return command;
}

export function withSandboxFlags(command: Command, standards?: Readonly<Record<string, string>>): Command {
  const own = new Set(command.options);
  withStartFlags(command, standards);
  for (const option of command.options) if (!own.has(option)) option.helpGroup('Options of the sandbox:');
  return command;
}

export function startFlags(command: Command): FlagValues {
  const values = command.opts<FlagValues>();
  return Object.fromEntries(command.options.map((option) => [option.name(), values[option.attributeName()]]));
}
