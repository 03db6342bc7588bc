/** The settings: how flags and variables are read. */
import { nearestWord } from '../domain/text.js';
import { type Config, type ConfigOption, configOptionList, configOptions } from './options.js';
import { invalidValue, ValueError } from './values.js';

export { configOptionList };
export type { Config };

/** The URL of a sandbox; by default with a host that a client on its machine can call. No trailing slash. */
export function urlOf(
  { tlsCert, host }: Pick<Config, 'tlsCert' | 'host'>,
  port: number,
  // If the sandbox listens on every address, the loopback address is one of them.
  shown = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Readonly<Record<string, string>>)[host] ?? host,
): string {
  return `${tlsCert === null ? 'http' : 'https'}://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
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
  readonly source: string;
  readonly texts: readonly string[];
  /** A flag can be repeated, so a space belongs to its value. A variable cannot, so a space separates its values. */
  readonly separator: RegExp;
}

/**
 * Reads flags and variables once. A flag takes precedence over a variable, and `SANDBOX_PORT` over `PORT`. An empty
 * variable counts as absent, because compose files pass unset variables as empty ones.
 * @throws ConfigError for the first invalid value
 */
export function resolveConfig({ flags = {}, env = {} }: ConfigInput = {}): Config {
  const entries = Object.entries(configOptions).map(([name, option]: [string, ConfigOption<unknown>]) => {
    const given = fromFlags(option, flags) ?? fromEnvironment(option, env);
    return [name, given === undefined ? option.standard : readGiven(option, given)];
  });
  const config = Object.freeze(Object.fromEntries(entries) as Config);
  if ((config.tlsCert === null) === (config.tlsKey === null)) return config;
  const [given, missing] = config.tlsCert === null ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
  throw new ConfigError(given, `${given} is given without ${missing}. Give both for HTTPS, or neither for plain HTTP.`);
}

function fromFlags({ flag }: ConfigOption<unknown>, flags: FlagValues): Given | undefined {
  const value = flags[flag.slice(2)];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  return { source: flag, texts: typeof value === 'object' ? value : [String(value)], separator: /\s*,\s*/ };
}

function fromEnvironment(option: ConfigOption<unknown>, env: Environment): Given | undefined {
  const source = option.env.find((name) => env[name]?.trim());
  return source === undefined ? undefined : { source, texts: [env[source]?.trim() ?? ''], separator: /[,\s]+/ };
}

function readGiven(option: ConfigOption<unknown>, { source, texts, separator }: Given): unknown {
  const { isList, read, argument, description } = option;
  try {
    if (!isList) return read(texts[0] ?? '');
    const parts = texts.flatMap((text) => text.split(separator)).filter(Boolean);
    if (parts.length === 0) throw new ValueError(texts.join(''), `${argument}: ${description}`, 'the list is empty');
    return Object.freeze(parts.map(read));
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
