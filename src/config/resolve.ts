import type { Config } from './config.js';
import { ConfigError } from './error.js';
import { configOptions } from './options.js';
import type { ConfigOption, Separator } from './options.js';

/** Flags by their name without dashes in the table's spelling (`webhook-route`), as the command line gave them. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigInput {
  readonly flags?: FlagValues;
  readonly env?: Environment;
}

/** What was given for one setting, and by what name. */
interface Given {
  readonly by: keyof Separator;
  readonly source: string;
  readonly texts: readonly string[];
}

/**
 * Reads flags and variables once (contract §8): a flag beats a variable, `SANDBOX_PORT` beats `PORT`, and an empty
 * variable counts as absent, because compose files pass unset ones on as empty.
 * @throws ConfigError for the first value that cannot be used.
 */
export function resolveConfig(input: ConfigInput = {}): Config {
  const { flags = {}, env = {} } = input;
  const entries = Object.entries(configOptions).map(([name, option]: [string, ConfigOption<unknown>]) => {
    const given = fromFlags(option, flags) ?? fromEnvironment(option, env);
    return [name, given === undefined ? option.standard : readGiven(option, given)];
  });
  return Object.freeze(Object.fromEntries(entries) as unknown as Config);
}

function fromFlags(option: ConfigOption<unknown>, flags: FlagValues): Given | undefined {
  const value = flags[option.flag.slice(2)];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  const texts = typeof value === 'object' ? value : [String(value)];
  return { by: 'flag', source: option.flag, texts };
}

function fromEnvironment(option: ConfigOption<unknown>, env: Environment): Given | undefined {
  for (const source of option.env) {
    const text = env[source]?.trim();
    if (text !== undefined && text !== '') return { by: 'variable', source, texts: [text] };
  }
  return undefined;
}

function readGiven<Value>(option: ConfigOption<Value>, { by, source, texts }: Given): Value {
  const split = option.separator?.[by];
  const parts = split === undefined ? texts : texts.flatMap((text) => text.split(split)).filter((text) => text !== '');
  if (parts.length === 0)
    throw new ConfigError(
      source,
      `"${texts.join('')}" holds no value. It takes ${option.argument}: ${option.description}.`,
    );
  try {
    return option.read(parts);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ConfigError(source, error.message, { cause: error });
  }
}
