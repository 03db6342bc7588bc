/**
 * Decides where requests go: to the sink, into a tunnel, through a route, or to a host whose addresses are all allowed.
 */
import { lookup as systemResolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import {
  applyRoutes,
  type WebhookRoute,
  hostNameOf,
  isAddress,
  isHostGatewayName,
  isLocalName,
  isLoopbackName,
} from '../domain/webhook.js';
import { SINK_HOST, sinkNameOf, tunnelIdOf } from './direct.js';
import { SendFailure } from './send-error.js';

/** A receiver without a network in between. */
export interface DirectTarget {
  readonly kind: 'sink' | 'tunnel';
  readonly name: string;
  readonly path: string;
}

export interface HostTarget {
  readonly kind: 'host';
  readonly registeredHost: string;
  /** The URL after routes, without credentials. */
  readonly href: string;
  readonly path: string;
  readonly host: string;
  readonly port: number;
  /** Only a route's target can be http. */
  readonly secure: boolean;
}

const HTTPS_HINT = 'Register an https:// URL. Local hosts are also reached with plain HTTP.';
const SINK_NAME_HINT = `Write https://${SINK_HOST}/NAME, with a name of letters, digits, ".", "_", "~" or "-".`;

export function targetOf(endpointUrl: string, routes: readonly WebhookRoute[]): DirectTarget | HostTarget {
  const asked = URL.canParse(endpointUrl) ? new URL(endpointUrl) : null;
  if (asked?.protocol !== 'https:') {
    throw new SendFailure('invalid_url', `"${endpointUrl}" is not an absolute https:// URL.`, HTTPS_HINT);
  }
  const path = asked.pathname + asked.search;
  const sink = sinkNameOf(asked);
  if (sink === '') throw new SendFailure('invalid_url', `"${endpointUrl}" does not name a sink.`, SINK_NAME_HINT);
  if (sink !== null) return { kind: 'sink', name: sink, path };
  const tunnel = tunnelIdOf(asked);
  if (tunnel !== null) return { kind: 'tunnel', name: tunnel, path };

  const { host } = asked;
  const url = applyRoutes(routes, asked) ?? asked;
  // Neither is sent as part of the URL, and records should not show a password.
  url.hash = url.username = url.password = '';
  const secure = url.protocol === 'https:';
  return {
    kind: 'host',
    registeredHost: host,
    href: url.href,
    path: url.pathname + url.search,
    host: hostNameOf(url),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
  };
}

/** The addresses come in the order in which they are tried. Rejects with ENOTFOUND if the name does not exist. */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>;

/** The machine's own resolver: hosts file first, compose and container names included. */
export const systemLookup: Lookup = async (host) => {
  const addresses = await systemResolver(host, { all: true, verbatim: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

export interface CheckedHost {
  readonly addresses: readonly ResolvedAddress[];
  /** All addresses are in this machine or its private networks. */
  readonly local: boolean;
}

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Called for each attempt, because a name that was private a minute ago can be public now. */
export async function checkHost(
  { host, registeredHost }: Pick<HostTarget, 'host' | 'registeredHost'>,
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
    throw new SendFailure('public_destination_blocked', message, publicHint(registeredHost));
  }
  return { addresses, local: open === undefined };
}

/** Null for a name, which needs a lookup. */
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

function publicHint(registeredHost: string): string {
  return (
    'By default, nothing leaves the private network. Start with --allow-public-webhooks to allow it, or with ' +
    `--webhook-route https://${registeredHost}=http://localhost:3000 to receive it here, ` +
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

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The distance of an address:
 *
 * - `local`: loopback, private, unique-local; webhooks may go there;
 * - `public`: everything routable, also 100.64.0.0/10, which reaches other customers of a carrier or members of an overlay
 *   network; allowed only on request;
 * - `never`: link-local and the metadata services of clouds, multicast, broadcast, unspecified; never a receiver.
 */
export type AddressReach = 'local' | 'public' | 'never';

const LOCAL_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal'];
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];
const NEVER_RANGES: readonly string[] = ['linkLocal', 'multicast', 'broadcast', 'unspecified'];

/** Unroutable ranges that container runtimes use for the host machine: 0.0.0.0/8 and 198.18.0.0/15. */
const BORROWED_RANGES: readonly string[] = ['unspecified', 'reserved'];

/**
 * Metadata services of clouds that are not at a link-local address, in normalised form: AWS and GCP by IPv6, Alibaba,
 * Oracle, Azure.
 */
const METADATA: ReadonlySet<string> = new Set([
  'fd00:ec2:0:0:0:0:0:254',
  'fd20:ce:0:0:0:0:0:254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
]);

/** An IPv4 address mapped to IPv6 counts as the inner one. `host` is the name that led to the address. */
export function reachOf(address: string, host = address): AddressReach {
  const parsed = ipaddr.process(withoutZone(address));
  const range = parsed.range();
  if (METADATA.has(parsed.toNormalizedString())) return 'never';
  // NAT64: a gateway forwards to the IPv4 address in the last 32 bits.
  if (range === 'rfc6052') return reachOf(parsed.toByteArray().slice(-4).join('.')) === 'never' ? 'never' : 'public';
  if (LOCAL_RANGES.includes(range)) return 'local';
  // OrbStack resolves host.docker.internal to 198.19.248.254 or 0.250.250.254. These ranges count as local only for
  // such names: some proxies use the same ranges as placeholders for public names.
  if (isHostGatewayName(host) && BORROWED_RANGES.includes(range) && !WILDCARDS.includes(address)) return 'local';
  return NEVER_RANGES.includes(range) ? 'never' : 'public';
}

export function isLoopbackAddress(address: string): boolean {
  return ipaddr.process(withoutZone(address)).range() === 'loopback';
}

/** A resolver may append the interface (`fe80::1%eth0`), which does not affect the range. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
