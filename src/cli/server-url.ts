import { UsageError } from './failure.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the address of the sandbox: `--url`, `MESSAGING_BASE_URL`, or the address in the server's own variables. With
 * these, a client in the server's container, such as its health check, needs no setting. The address has no trailing
 * slash.
 * @throws CliFailure if it is not an http(s) URL, or if the system was to choose the port
 */
export function serverUrl(flag: string | undefined, env: Environment, name = '--url'): string {
  const [source, text] =
    flag === undefined ? (['MESSAGING_BASE_URL', set(env['MESSAGING_BASE_URL'])] as const) : ([name, flag] as const);
  if (text === undefined) return ownUrl(env);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/+$/, '');
  throw new UsageError(
    `Invalid value "${text}" for ${source}. Expected the URL of a sandbox, such as http://127.0.0.1:4242.`,
  );
}

function ownUrl(env: Environment): string {
  const source = set(env['SANDBOX_PORT']) === undefined ? 'PORT' : 'SANDBOX_PORT';
  const port = set(env[source]) ?? '4242';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`${source}: "${port}" is invalid. Allowed: a whole number from 0 to 65535.`);
  }
  if (Number(port) === 0) {
    throw new UsageError(`${source} is 0, so the server took a free port; name it with --url or MESSAGING_BASE_URL.`);
  }
  const host = reachableHost((set(env['SANDBOX_HOST']) ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1'));
  return addressOf('http', host, port);
}

/** Returns the token in the server's own variables, if the address is taken from these too. */
export function ownToken(flag: string | undefined, env: Environment): string | undefined {
  return flag === undefined && set(env['MESSAGING_BASE_URL']) === undefined ? env['SANDBOX_CONTROL_TOKEN'] : undefined;
}

/** The URL of a host, which has no brackets, and a port. */
export function addressOf(scheme: string, host: string, port: number | string): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Returns a host that a client on the server's machine can call: the loopback address if the server listens on every
 * address. No brackets.
 */
export function reachableHost(listeningHost: string): string {
  if (listeningHost === '0.0.0.0') return '127.0.0.1';
  return listeningHost === '::' ? '::1' : listeningHost;
}

/** Compose files pass on unset variables as empty ones. */
function set(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}
