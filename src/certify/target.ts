/** The URL on the command line, as the sender wants it. */
import { hostNameOf } from '../domain/host-name.js';
import type { WebhookRoute } from '../domain/webhook-route.js';

export interface Target {
  /** Always https, as an endpoint is registered. */
  readonly url: string;
  /** Redirects an `http://` target to its real address. */
  readonly routes: readonly WebhookRoute[];
}

/** The argument is not the URL of a receiver; the message shows the expected form. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/**
 * Endpoints are registered with https only, but a receiver under development mostly uses plain HTTP. An `http://` URL
 * is therefore an https one with a route, as with `--webhook-route`.
 * @throws TargetError
 */
export function targetOf(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new TargetError(
      `Invalid receiver URL "${text}". Expected http:// or https:// with host and path, such as http://localhost:3000/hook.`,
    );
  }
  url.hash = '';
  if (url.protocol === 'https:') return { url: url.href, routes: [] };
  const origin = url.origin;
  const port = url.port === '' ? '80' : url.port;
  const secure = new URL(url.href.replace(/^http:/, 'https:'));
  secure.port = port;
  const from = { host: hostNameOf(secure), port: secure.port === '' ? null : secure.port, pathPrefix: '' };
  return { url: secure.href, routes: [{ from, to: { origin, path: '' } }] };
}
