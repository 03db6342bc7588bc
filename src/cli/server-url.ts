import { UsageError } from './failure.js';
import { readConfig } from './open-sandbox.js';

/**
 * Returns the address of the sandbox: `--url`, `MESSAGING_BASE_URL`, or the address in the server's own variables. With
 * these, a client in the server's container, such as its health check, needs no setting. The address has no trailing
 * slash.
 * @throws CliFailure if it is not an http(s) URL, or if the system was to choose the port
 */
export function serverUrl(flag: string | undefined, env: NodeJS.ProcessEnv): string {
  const text = flag ?? env['MESSAGING_BASE_URL']?.trim();
  if (flag === undefined && !text) return ownUrl(env);
  const url = URL.canParse(text ?? '') ? new URL(text ?? '') : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/+$/, '');
  const source = flag === undefined ? 'MESSAGING_BASE_URL' : '--url';
  throw new UsageError(
    `Invalid value "${text}" for ${source}. Expected the URL of a sandbox, such as http://127.0.0.1:4242.`,
  );
}

function ownUrl({ PORT, SANDBOX_PORT, SANDBOX_HOST }: NodeJS.ProcessEnv): string {
  const { port, host } = readConfig({ env: { PORT, SANDBOX_PORT, SANDBOX_HOST } });
  if (port !== 0) return addressOf('http', reachableHost(host), port);
  throw new UsageError('SANDBOX_PORT is 0, so the server took a free port; name it with --url or MESSAGING_BASE_URL.');
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
