import { nearestWord } from '../domain/text.js';
import { type Config, configOptionList } from './options.js';
import { ConfigError, readValue, ValueError } from './values.js';

export { ConfigError, configOptionList };
export type { Config };

/** By default, a host that a client on this machine can call. No trailing slash. */
export function urlOf(
  { tlsCert, host }: Pick<Config, 'tlsCert' | 'host'>,
  port: number,
  // If the sandbox listens on every address, the loopback address is one of them.
  shown = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Readonly<Record<string, string>>)[host] ?? host,
): string {
  return `${tlsCert === null ? 'http' : 'https'}://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

export type FlagValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigInput {
  readonly flags?: FlagValues;
  readonly env?: Environment;
}

/**
 * A flag takes precedence over a variable, and `SANDBOX_PORT` over `PORT`. An empty variable counts as absent, because
 * compose files pass unset variables as empty ones.
 * @throws ConfigError for the first invalid value
 */
export function resolveConfig({ flags = {}, env = {} }: ConfigInput = {}): Config {
  const entries = configOptionList.map(({ name, flag, env: variables, standard, isList, read, ...about }) => {
    const value = flags[flag.slice(2)] ?? [];
    const ofFlag = typeof value === 'object' ? value : [String(value)];
    const variable = variables.find((one) => env[one]?.trim()) ?? '';
    const source = ofFlag.length > 0 ? flag : variable;
    if (source === '') return [name, standard];
    const texts = source === flag ? ofFlag : [env[variable]?.trim() ?? ''];
    const quoted = source === flag ? null : /^(["'])(.*)\1$/s.exec(texts[0] ?? '');
    if (quoted) {
      throw new ConfigError(
        source,
        `Invalid value ${texts[0] ?? ''} for ${source}: its quotes are part of it, as docker's --env-file leaves them. Write ${source}=${quoted[2] ?? ''}.`,
      );
    }
    // A flag can be repeated, so a space belongs to its value. A variable cannot, so a space separates its values.
    const parts = isList
      ? texts.flatMap((text) => text.split(source === flag ? /\s*,\s*/ : /[,\s]+/)).filter(Boolean)
      : [];
    const readAll = () => {
      if (!isList) return read(texts[0] ?? '');
      if (parts.length > 0) return parts.map(read);
      throw new ValueError(texts.join(''), `${about.argument}: ${about.description}`, 'the list is empty');
    };
    return [name, readValue(source, readAll)];
  });
  const config = Object.freeze(Object.fromEntries(entries) as Config);
  if ((config.tlsCert === null) === (config.tlsKey === null)) return config;
  const [given, missing] = config.tlsCert === null ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
  throw new ConfigError(given, `${given} is given without ${missing}. Give both for HTTPS, or neither for plain HTTP.`);
}

export const defaultConfig = resolveConfig();

/** Variables that `explore` sets for an application. Set them to run one of its files again. */
const ofExplore = ['SANDBOX_TMP', 'SANDBOX_TRY'];

/** Each sentence names the nearest known variable. */
export function unknownVariables(env: Environment): readonly string[] {
  const known = configOptionList.flatMap((option) => option.env);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('SANDBOX_') && ![...known, ...ofExplore].includes(name),
  );
  return unknown.sort().map((name) => {
    const meant = nearestWord(name, known);
    return `Unknown variable ${name} has no effect.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
  });
}
