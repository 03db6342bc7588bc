/** The receiver: its URL as the sender needs it, and what it means if it cannot be reached. */
import { parseWebhookRoute, type WebhookRoute } from '../domain/webhook.js';
import type { Outcome } from '../webhooks/exchange.js';
import type { SendErrorCode } from '../webhooks/failure.js';

export interface Target {
  /** Always https, as endpoints are registered. */
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
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TargetError(
      `Invalid receiver URL "${text}". Expected http:// or https:// with host and path, such as http://localhost:3000/hook.`,
    );
  }
  url.hash = '';
  if (url.protocol === 'https:') return { url: url.href, routes: [] };
  // The default port of http has to be written in an https:// URL.
  const secure = new URL(url.href.replace(/^http:/, 'https:'));
  if (url.port === '') secure.port = '80';
  return { url: secure.href, routes: [parseWebhookRoute(`${secure.origin}=${url.origin}`)] };
}

/** The receiver did not respond to the first request: the URL is wrong, or no server is listening there yet. */
export class ReceiverUnreachable extends Error {
  override readonly name = 'ReceiverUnreachable';
  constructor({ error, hint }: Outcome) {
    const better = error && HINTS[error.code];
    super([error?.message, better ?? hint].filter((part) => part !== undefined).join(' '));
  }
}

const NAME_HINT = 'Check the spelling, or give an IP address, such as http://127.0.0.1:3000/hook.';

/** Replaces the sender's hints about registration and start-up, which do not apply to this command. */
const HINTS: { readonly [Code in SendErrorCode]?: string } = {
  public_destination_blocked:
    'Checks send forgeries and broken bodies. To send them to a public address, add --allow-public-webhooks.',
  sink_not_available: 'A sink exists only inside a running sandbox. Give the URL of your own receiver.',
  timeout: 'Check the address, and whether a firewall blocks this machine.',
  dns_not_found: NAME_HINT,
  dns_failed: NAME_HINT,
};

const unreachable = new Set<SendErrorCode | undefined>([
  'connection_refused',
  'host_unreachable',
  'dns_not_found',
  'dns_failed',
  'tls_error',
  'public_destination_blocked',
  'sink_not_available',
  'invalid_url',
  'invalid_request',
]);

/** A receiver that accepts the connection and then closes it or stays silent is reachable, and fails its checks. */
export function isUnreachable({ status, error }: Outcome): boolean {
  if (status !== null) return false;
  const neverConnected = error?.code === 'timeout' && /still (?:looking up|connecting)/.test(error.message);
  return neverConnected || unreachable.has(error?.code);
}
