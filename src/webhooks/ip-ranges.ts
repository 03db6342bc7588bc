/** The ranges of addresses, for the guard of destinations. */
import ipaddr from 'ipaddr.js';
import { isHostGatewayName } from '../domain/webhook.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * How far away an address is:
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

/**
 * An IPv4 address mapped to IPv6 counts as the inner one.
 * @param host the name that led to the address, if there was one
 * @throws Error if `address` is not an IP address
 */
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

/** @throws Error if `address` is not an IP address */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.process(withoutZone(address)).range() === 'loopback';
}

/** A resolver may append the interface (`fe80::1%eth0`), which does not affect the range. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
