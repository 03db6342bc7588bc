/** The settings: how flags and variables are read. */
import { nearestWord } from '../domain/nearest-word.js';
import { type Config, type ConfigOption, configOptionList, configOptions, type Separator } from './options.js';
import { belongTogether, invalidValue, ValueError } from './values.js';

export { configOptionList };
export type { Config, ConfigOption };

/** The scheme of the sandbox's own URL. */
export function schemeOf({ tlsCert }: Pick<Config, 'tlsCert'>): 'http' | 'https' {
  return tlsCert === null ? 'http' : 'https';
}

/** An invalid setting, in one line: its source, its value, and what is expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(
    /** The flag or variable as the user wrote it, such as `--port` or `SANDBOX_PORT`. */
    readonly source: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Flags by their name without dashes (`webhook-route`), with the values of the command line. */
export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigInput {
  readonly flags?: FlagValues;
  readonly env?: Environment;
}

/** The texts given for one setting, and their source. */
interface Given {
  readonly by: keyof Separator;
  readonly source: string;
  readonly texts: readonly string[];
}

/**
 * Reads flags and variables once. A flag takes precedence over a variable, and `SANDBOX_PORT` over `PORT`. An empty
 * variable counts as absent, because compose files pass unset variables as empty ones.
 * @throws ConfigError for the first invalid value
 */
export function resolveConfig(input: ConfigInput = {}): Config {
  const { flags = {}, env = {} } = input;
  const entries = Object.entries(configOptions).map(([name, option]: [string, ConfigOption<unknown>]) => {
    const given = fromFlags(option, flags) ?? fromEnvironment(option, env);
    return [name, given === undefined ? option.standard : readGiven(option, given)];
  });
  const config = Object.freeze(Object.fromEntries(entries) as Config);
  requireTlsPair(config);
  return config;
}

/** @throws ConfigError if one of the two is missing, or if they do not belong together */
function requireTlsPair({ tlsCert, tlsKey }: Config): void {
  if (tlsCert === null && tlsKey === null) return;
  if (tlsCert === null || tlsKey === null) {
    const [given, missing] = tlsCert === null ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
    throw new ConfigError(
      given,
      `${given} is given without ${missing}. Give both for HTTPS, or neither for plain HTTP.`,
    );
  }
  if (belongTogether(tlsCert, tlsKey)) return;
  throw new ConfigError('--tls-key', '--tls-key is not the key of --tls-cert. Give two files that belong together.');
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
  if (parts.length === 0) {
    const empty = new ValueError(texts.join(''), `${option.argument}: ${option.description}`, 'the list is empty');
    throw new ConfigError(source, invalidValue(source, empty));
  }
  try {
    return option.read(parts);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message = error instanceof ValueError ? invalidValue(source, error) : `${source}: ${error.message}`;
    throw new ConfigError(source, message, { cause: error });
  }
}

/** The settings without flags and variables. */
export const defaultConfig = resolveConfig();

/** Returns a sentence for each `SANDBOX_…` variable without effect, with the nearest known name. */
export function unknownVariables(env: Environment): readonly string[] {
  const known = configOptionList.flatMap((option) => option.env);
  return Object.keys(env)
    .filter((name) => name.startsWith('SANDBOX_') && !known.includes(name))
    .sort()
    .map((name) => {
      const meant = nearestWord(name, known);
      return `Unknown variable ${name} has no effect.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
    });
}
