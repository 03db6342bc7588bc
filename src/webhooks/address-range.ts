import ipaddr from 'ipaddr.js';
import { isHostGatewayName } from './host-name.js';

/**
 * Where an address lies, as far as the guard of contract §6 cares:
 * - `local`: loopback, private, unique-local, carrier-grade NAT; webhooks may go there;
 * - `public`: everything routable, and ranges that smuggle another address (NAT64, 6to4, Teredo); on request only;
 * - `never`: link-local (a cloud's metadata service lives there), multicast, broadcast, unspecified; never a receiver.
 */
export type AddressReach = 'local' | 'public' | 'never';

const LOCAL_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];
const NEVER_RANGES: readonly string[] = ['linkLocal', 'multicast', 'broadcast', 'unspecified'];

/** Unroutable ranges that container runtimes borrow for the machine they run on: 0.0.0.0/8 and 198.18.0.0/15. */
const BORROWED_RANGES: readonly string[] = ['unspecified', 'reserved'];

/**
 * An IPv4 address wrapped in IPv6 counts as the one inside.
 * @param host the name that led to the address, when there was one.
 * @throws Error when `address` is no IP address.
 */
export function reachOf(address: string, host = address): AddressReach {
  const range = ipaddr.process(withoutZone(address)).range();
  if (LOCAL_RANGES.includes(range)) return 'local';
  // OrbStack answers host.docker.internal with 198.19.248.254 or 0.250.250.254. Only these names get the benefit:
  // some proxies hand out the same ranges as stand-ins for public names.
  if (isHostGatewayName(host) && BORROWED_RANGES.includes(range) && !WILDCARDS.includes(address)) return 'local';
  return NEVER_RANGES.includes(range) ? 'never' : 'public';
}

/** @throws Error when `address` is no IP address. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.process(withoutZone(address)).range() === 'loopback';
}

/** A resolver may name the interface too (`fe80::1%eth0`), which says nothing about the range. */
function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
