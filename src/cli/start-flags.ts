import { Option, type Command } from 'commander';
import { configOptionList, type FlagValues } from '../config/index.js';

/**
 * Adds one flag per setting of the table. Values remain texts here: the table parses them, for flags and variables
 * alike.
 */
export function withStartFlags(command: Command): Command {
  for (const { flags, env, description, standardText, next } of configOptionList) {
    const option = new Option(flags, `${description} (${env.join(', ')}; default: ${standardText})`);
    const repeatable = (value: string, before: readonly string[] = []) => [...before, value];
    command.addOption(next === undefined ? option : option.argParser(repeatable));
  }
  return command;
}

/** Returns the flags that commander found, by the names of the settings. */
export function startFlags(command: Command): FlagValues {
  const values = command.opts<FlagValues>();
  return Object.fromEntries(command.options.map((option) => [option.name(), values[option.attributeName()]]));
}
