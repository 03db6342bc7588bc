/**
 * Decides where the requests of an endpoint go: to the sink, into a tunnel, through a route, or to its host, provided that
 * every address of that host is allowed.
 */
import { lookup as systemResolver } from 'node:dns/promises';
import { hostNameOf, isAddress, isLocalName, isLoopbackName, type WebhookRoute } from '../domain/webhook.js';
import { SendFailure } from './failure.js';
import { reachOf, type ResolvedAddress } from './ip-ranges.js';
import { SINK_HOST, sinkAddressOf } from './sink.js';
import { tunnelIdOf } from './tunnel.js';

/** A receiver without a network in between; `path` is that of `DirectRequest`. */
export interface DirectTarget {
  readonly kind: 'sink' | 'tunnel';
  readonly name: string;
  readonly path: string;
}

/** A host on the network whose addresses have not been checked yet. */
export interface HostTarget {
  readonly kind: 'host';
  /** Host and port of the endpoint's URL, before routes. */
  readonly asked: string;
  /** The URL after routes, without credentials. */
  readonly href: string;
  /** Path and query. */
  readonly path: string;
  readonly host: string;
  readonly port: number;
  /** Whether the URL is https; only a route's target may be http. */
  readonly secure: boolean;
}

const HTTPS_HINT = 'Register an https:// URL. Local hosts are also reached with plain HTTP.';
const SINK_NAME_HINT = `Write https://${SINK_HOST}/NAME, with a name of letters, digits, ".", "_", "~" or "-".`;

/**
 * Returns the destination of an endpoint's URL after the routes.
 * @throws SendFailure `invalid_url`
 */
export function targetOf(endpointUrl: string, routes: readonly WebhookRoute[]): DirectTarget | HostTarget {
  const asked = URL.canParse(endpointUrl) ? new URL(endpointUrl) : null;
  if (asked?.protocol !== 'https:') {
    throw new SendFailure('invalid_url', `"${endpointUrl}" is not an absolute https:// URL.`, HTTPS_HINT);
  }
  const sink = sinkAddressOf(asked);
  if (sink === 'unnamed')
    throw new SendFailure('invalid_url', `"${endpointUrl}" does not name a sink.`, SINK_NAME_HINT);
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

/**
 * Resolves a name to all its addresses, in the order in which they should be tried. Rejects with a `code` of ENOTFOUND
 * if the name does not exist, and with another one if the lookup failed.
 */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>;

/** The machine's own resolver: hosts file first, compose and container names included. */
export const systemLookup: Lookup = async (host) => {
  const addresses = await systemResolver(host, { all: true, verbatim: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** The checked addresses of a host, at least one. */
export interface CheckedHost {
  readonly addresses: readonly ResolvedAddress[];
  /** Whether all of them are in this machine or its private networks. */
  readonly local: boolean;
}

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves a host, and checks every address. It is called for each attempt, because a name that was private a minute ago
 * may be public now.
 * @throws SendFailure `dns_not_found`, `dns_failed` or `public_destination_blocked`
 */
export async function checkHost(
  { host, asked }: Pick<HostTarget, 'host' | 'asked'>,
  lookup: Lookup,
  allowPublic: boolean,
): Promise<CheckedHost> {
  const addresses = fixedAddressesOf(host) ?? (await resolved(host, lookup));
  const reaches = addresses.map(({ address }) => ({ address, reach: reachOf(address, host) }));
  const never = reaches.find(({ reach }) => reach === 'never');
  if (never !== undefined) {
    const message = `${host} is at ${never.address}, a link-local, multicast or unspecified address; webhooks are not sent there.`;
    throw new SendFailure('public_destination_blocked', message, NEVER_HINT);
  }
  // One public address is enough to reject the name: a name that resolves to both kinds could bypass the guard.
  const open = reaches.find(({ reach }) => reach === 'public');
  if (open !== undefined && !allowPublic) {
    const message = `${host} is at ${open.address}, which is outside this machine and its private networks.`;
    throw new SendFailure('public_destination_blocked', message, publicHint(asked));
  }
  return { addresses, local: open === undefined };
}

/** Returns the addresses of a host that needs no lookup; null for a name. */
function fixedAddressesOf(host: string): readonly ResolvedAddress[] | null {
  if (isAddress(host)) return [{ address: host, family: host.includes(':') ? 6 : 4 }];
  return isLoopbackName(host) ? LOOPBACK : null;
}

async function resolved(host: string, lookup: Lookup): Promise<readonly ResolvedAddress[]> {
  const hint = unresolvedHint(host);
  const found = await lookup(host).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOTFOUND' || code === 'ENODATA') {
      throw new SendFailure('dns_not_found', `The name ${host} does not exist (${code}).`, hint);
    }
    throw new SendFailure('dns_failed', `The name ${host} could not be looked up (${code}).`, hint);
  });
  if (found.length > 0 && found.every(({ address }) => isAddress(address))) return found;
  throw new SendFailure('dns_not_found', `The name ${host} has no address.`, hint);
}

const NEVER_HINT = 'No flag opens this range. For a server on this machine, use localhost or 127.0.0.1.';

function publicHint(asked: string): string {
  return (
    'By default, nothing leaves the private network. Start with --allow-public-webhooks to allow it, or with ' +
    `--webhook-route https://${asked}=http://localhost:3000 to receive it here, ` +
    `or register https://${SINK_HOST}/NAME, the built-in receiver.`
  );
}

function unresolvedHint(host: string): string {
  const route = `--webhook-route https://${host}=http://localhost:3000`;
  if (host === 'host.docker.internal') {
    return 'On Linux, start the container with --add-host=host.docker.internal:host-gateway (compose: extra_hosts).';
  }
  if (!isLocalName(host)) return `Check the spelling, or point the name at your server: ${route}.`;
  const service = host.includes('.')
    ? ''
    : ' If it is a compose service, check that it shares a network with the sandbox.';
  return `This local name is unknown here. Point it at your server: ${route}.${service}`;
}
