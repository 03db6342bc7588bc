import ipaddr from 'ipaddr.js';
import { isHostGatewayName } from '../../domain/host-name.js';

/**
 * The range of an address, for the guard of destinations:
 *
 * - `local`: loopback, private, unique-local; webhooks may go there;
 * - `public`: everything routable, ranges that contain another address (NAT64, 6to4, Teredo), and 100.64.0.0/10, which
 *   reaches other customers of a carrier or members of an overlay network; allowed only on request;
 * - `never`: link-local and the metadata services of clouds, multicast, broadcast, unspecified, and every address that
 *   contains one of these; never a receiver.
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
 * An IPv4 address wrapped in IPv6 counts as the inner one.
 * @param host the name that led to the address, if there was one
 * @throws Error if `address` is not an IP address
 */
export function reachOf(address: string, host = address): AddressReach {
  const parsed = ipaddr.process(withoutZone(address));
  const range = parsed.range();
  if (METADATA.has(parsed.toNormalizedString()) || smuggled(parsed).some((inner) => reachOf(inner) === 'never')) {
    return 'never';
  }
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

/**
 * The IPv4 addresses to which a gateway would forward requests to this one: NAT64 (RFC 6052 and 8215), 6to4, Teredo,
 * and the two original forms of embedded IPv4 addresses.
 */
function smuggled(address: ipaddr.IPv4 | ipaddr.IPv6): string[] {
  if (!('parts' in address)) return [];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = address.parts;
  const first = [a, b, c, d, e].every((part) => part === 0);
  if (a === 0x64 && b === 0xff9b) return [dotted(g, h)];
  if (a === 0x2002) return [dotted(b, c)];
  if (a === 0x2001 && b === 0) return [dotted(g ^ 0xffff, h ^ 0xffff)];
  if (first && f === 0 && g !== 0) return [dotted(g, h)];
  return [a, b, c, d, f].every((part) => part === 0) && e === 0xffff ? [dotted(g, h)] : [];
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
