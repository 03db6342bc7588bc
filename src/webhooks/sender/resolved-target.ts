import { hostNameOf } from '../../domain/host-name.js';
import type { WebhookRoute } from '../../domain/webhook-route.js';
import type { SendError } from './send-error.js';
import { SINK_HOST, sinkAddressOf } from '../sink.js';
import { tunnelIdOf } from '../tunnels.js';

/** A receiver without a network in between; `path` is that of `DirectRequest`. */
export interface DirectTarget {
  readonly kind: 'sink' | 'tunnel';
  readonly name: string;
  readonly path: string;
}

/** Nothing is sent, for this reason. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly url: string;
  readonly error: SendError;
  readonly hint: string;
}

/** A host on the network whose addresses have not been checked yet. */
export interface HostTarget {
  readonly kind: 'host';
  /** Host and port of the endpoint's URL, before routes. */
  readonly asked: string;
  /** The URL after routes. */
  readonly href: string;
  /** Path and query. */
  readonly path: string;
  readonly host: string;
  readonly port: number;
  /** Whether the URL is https; only a route's target may be http. */
  readonly secure: boolean;
}

/** Returns the destination of an endpoint's URL after the routes. */
export type Target = DirectTarget | Rejected | HostTarget;

export function targetOf(endpointUrl: string, routes: readonly WebhookRoute[]): Target {
  const asked = URL.canParse(endpointUrl) ? new URL(endpointUrl) : null;
  if (asked?.protocol !== 'https:') {
    return reject(endpointUrl, 'invalid_url', `"${endpointUrl}" is not an absolute https:// URL.`, HTTPS_HINT);
  }
  const sink = sinkAddressOf(asked);
  if (sink === 'unnamed') {
    return reject(endpointUrl, 'invalid_url', `"${endpointUrl}" does not name a sink.`, SINK_NAME_HINT);
  }
  if (sink !== 'elsewhere') return { kind: 'sink', ...sink };
  const tunnel = tunnelIdOf(asked);
  if (tunnel !== null) return { kind: 'tunnel', name: tunnel, path: '/' };

  const { host } = asked;
  const url = applyRoutes(routes, asked) ?? asked;
  // Neither is sent as part of the URL, and records should not show a password.
  url.hash = url.username = url.password = '';
  const secure = url.protocol === 'https:';
  return {
    kind: 'host',
    asked: host,
    href: url.href,
    path: url.pathname + url.search,
    host: hostNameOf(url),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
  };
}

export function reject(url: string, code: SendError['code'], message: string, hint: string): Rejected {
  return { kind: 'rejected', url, error: { code, message }, hint };
}

const HTTPS_HINT = 'Register an https:// URL. Local hosts are also reached with plain HTTP.';
const SINK_NAME_HINT = `Write https://${SINK_HOST}/NAME, with a name of letters, digits, ".", "_", "~" or "-".`;

/**
 * Returns the destination of `url` according to the routes, or null if none matches. A route with a port takes
 * precedence over one without, then the longest path prefix, then the first one. The rest of the path and the query are
 * appended to the route's target.
 */
export function applyRoutes(routes: readonly WebhookRoute[], url: URL): URL | null {
  let best: WebhookRoute | undefined;
  for (const route of routes) {
    if (matches(route, url) && (best === undefined || isCloser(route, best))) best = route;
  }
  if (best === undefined) return null;
  const rest = url.pathname.slice(best.from.pathPrefix.length);
  return new URL(best.to.origin + best.to.path + rest + url.search);
}

function matches({ from }: WebhookRoute, url: URL): boolean {
  if (from.host !== hostNameOf(url)) return false;
  if (from.port !== null && from.port !== url.port) return false;
  return url.pathname === from.pathPrefix || url.pathname.startsWith(`${from.pathPrefix}/`);
}

function isCloser({ from: a }: WebhookRoute, { from: b }: WebhookRoute): boolean {
  if ((a.port === null) !== (b.port === null)) return a.port !== null;
  return a.pathPrefix.length > b.pathPrefix.length;
}
