import { Option } from 'commander';
import type { Command } from 'commander';
import { configOptionList } from '../config/index.js';
import type { ConfigOption, FlagValues } from '../config/index.js';

/**
 * Adds one flag per setting of the table. Values remain texts here: the table parses them, for flags and variables
 * alike.
 */
export function withStartFlags(command: Command): Command {
  for (const option of configOptionList) command.addOption(commanderOption(option));
  return command;
}

/** Returns the flags that commander found, by the names of the settings. */
export function startFlags(command: Command): FlagValues {
  const values = command.opts<FlagValues>();
  return Object.fromEntries(
    configOptionList.map((option) => [option.flag.slice(2), values[commanderOption(option).attributeName()]]),
  );
}

function commanderOption(option: ConfigOption<unknown>): Option {
  const { flags, env, description, standardText, separator } = option;
  const declared = new Option(flags, `${description} (${env.join(', ')}; default: ${standardText})`);
  if (separator === undefined) return declared;
  return declared.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
}
