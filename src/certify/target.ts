/** The URL on the command line, as the sender wants it. */
import { hostNameOf } from '../domain/host-name.js';
import type { WebhookRoute } from '../domain/webhook-route.js';

export interface Target {
  /** Always https, as an endpoint is registered. */
  readonly url: string;
  /** Leads an `http://` target to where it was meant. */
  readonly routes: readonly WebhookRoute[];
}

/** What was given is no URL of a receiver; one line that says how it is written. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/**
 * Endpoints are registered with https only (interface document §2.4), but a receiver under development mostly speaks
 * plain HTTP. An `http://` URL is therefore an https one with a route, which is how a sandbox reaches it too (contract §6b).
 * @throws TargetError
 */
export function targetOf(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new TargetError(
      `"${text}" is no URL of a receiver. Allowed: http:// or https:// with host and path, such as http://localhost:3000/hook.`,
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
