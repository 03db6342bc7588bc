/** The receiver: its URL as the sender needs it, and what it means if it cannot be reached. */
import { hostNameOf } from '../domain/host-name.js';
import type { WebhookRoute } from '../domain/webhook-route.js';
import type { SendErrorCode } from '../webhooks/failure.js';
import type { Outcome } from '../webhooks/exchange.js';

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

/** The receiver did not respond to the first request: the URL is wrong, or no server is listening there yet. */
export class ReceiverUnreachable extends Error {
  override readonly name = 'ReceiverUnreachable';
  constructor(outcome: Outcome) {
    super([outcome.error?.message, hintFor(outcome)].filter((part) => part !== undefined).join(' '));
  }
}

/** The receiver responded at first, but no longer responds. */
export class ReceiverGone extends Error {
  override readonly name = 'ReceiverGone';
  constructor(culprit: string) {
    super(`not played: the receiver has not responded since "${culprit}"`);
  }
}

const CODES: readonly (SendErrorCode | undefined)[] = [
  'connection_refused',
  'host_unreachable',
  'dns_not_found',
  'dns_failed',
  'tls_error',
  'public_destination_blocked',
  'sink_not_available',
  'invalid_url',
  'invalid_request',
];

/** A receiver that accepts the connection and then closes it or stays silent is reachable, and fails its checks. */
export function isUnreachable({ status, error }: Outcome): boolean {
  if (status !== null) return false;
  const neverConnected = error?.code === 'timeout' && /still (?:looking up|connecting)/.test(error.message);
  return neverConnected || CODES.includes(error?.code);
}

/** Replaces the sender's hints about registration and start-up, which do not apply to this command. */
function hintFor({ error, hint }: Outcome): string | undefined {
  switch (error?.code) {
    case 'public_destination_blocked':
      return 'Checks send forgeries and broken bodies. To send them to a public address, add --allow-public-webhooks.';
    case 'sink_not_available':
      return 'A sink exists only inside a running sandbox. Give the URL of your own receiver.';
    case 'timeout':
      return 'Check the address, and whether a firewall blocks this machine.';
    case 'dns_not_found':
    case 'dns_failed':
      return 'Check the spelling, or give an IP address, such as http://127.0.0.1:3000/hook.';
    default:
      return hint;
  }
}
