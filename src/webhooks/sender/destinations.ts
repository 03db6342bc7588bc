import { reachOf } from './address-range.js';
import { type DirectTarget, type HostTarget, reject, type Rejected, targetOf } from './resolved-target.js';
import { isAddress, isLocalName, isLoopbackName } from '../../domain/host-name.js';
import { peerOf, type Lookup, type Peer, type ResolvedAddress } from './peer.js';
import type { WebhookRoute } from '../../domain/webhook-route.js';
import type { SendError } from './send-error.js';
import { SINK_HOST } from '../sink.js';

export interface DestinationSettings {
  readonly routes: readonly WebhookRoute[];
  /** `--allow-public-webhooks`. */
  readonly allowPublic: boolean;
  readonly lookup: Lookup;
}

/** A request over the network. */
export interface HttpDestination {
  readonly kind: 'http';
  /** The URL after routes. */
  readonly href: string;
  /** Path and query. */
  readonly path: string;
  /** The host with its checked addresses, at least one: the connection uses only these. */
  readonly peer: Peer;
  /** The same in plain HTTP, for a local host that does not support TLS; null if TLS is required. */
  readonly plain: Peer | null;
}

export type Destination = HttpDestination | DirectTarget | Rejected;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Number of parsed URLs in the cache: an endpoint gets many requests. */
const MOST_REMEMBERED = 4_000;

/**
 * Decides where the requests of an endpoint go: to the sink, into a tunnel, through a route, or to its host, provided that
 * every address of that host is allowed.
 */
export class Destinations {
  /** A host with a name is stored unchecked. */
  readonly #known = new BoundedMap<string, Destination | HostTarget>(MOST_REMEMBERED);

  constructor(private readonly settings: DestinationSettings) {}

  /** Resolves names on each call, because a name that was private a minute ago may be public now. Never rejects. */
  async find(endpointUrl: string): Promise<Destination> {
    let known = this.#known.get(endpointUrl);
    if (known === undefined) this.#known.set(endpointUrl, (known = this.#read(endpointUrl)));
    return known.kind === 'host' ? this.#resolve(known) : known;
  }

  #read(endpointUrl: string): Destination | HostTarget {
    const target = targetOf(endpointUrl, this.settings.routes);
    const fixed = target.kind === 'host' ? fixedAddressesOf(target.host) : null;
    return target.kind === 'host' && fixed !== null ? this.#check(target, fixed) : target;
  }

  async #resolve(target: HostTarget): Promise<Destination> {
    const addresses = await resolved(target.host, this.settings.lookup);
    if (!('error' in addresses)) return this.#check(target, addresses);
    return { kind: 'rejected', url: target.href, error: addresses.error, hint: unresolvedHint(target.host) };
  }

  #check(target: HostTarget, addresses: readonly ResolvedAddress[]): Destination {
    const { asked, href, path, host, port, secure } = target;
    const reaches = addresses.map(({ address }) => ({ address, reach: reachOf(address, host) }));
    const never = reaches.find(({ reach }) => reach === 'never');
    if (never !== undefined) {
      const message = `${host} is at ${never.address}, a link-local, multicast or unspecified address; webhooks are not sent there.`;
      return reject(href, 'public_destination_blocked', message, NEVER_HINT);
    }
    // One public address is enough to reject the name: a name that resolves to both kinds could bypass the guard.
    const open = reaches.find(({ reach }) => reach === 'public');
    if (open !== undefined && !this.settings.allowPublic) {
      const message = `${host} is at ${open.address}, which is outside this machine and its private networks.`;
      return reject(href, 'public_destination_blocked', message, publicHint(asked));
    }
    const local = open === undefined;
    const peer = peerOf({ host, port, addresses, tls: secure ? (local ? 'local' : 'verify') : 'none' });
    const plain = local && secure ? peerOf({ ...peer, tls: 'none' }) : null;
    return { kind: 'http', href, path, peer, plain };
  }
}

/** Returns the addresses of a host that needs no lookup; null for a name. */
function fixedAddressesOf(host: string): readonly ResolvedAddress[] | null {
  if (isAddress(host)) return [{ address: host, family: host.includes(':') ? 6 : 4 }];
  return isLoopbackName(host) ? LOOPBACK : null;
}

async function resolved(host: string, lookup: Lookup): Promise<readonly ResolvedAddress[] | { error: SendError }> {
  try {
    const found = await lookup(host);
    if (found.length > 0 && found.every(({ address }) => isAddress(address))) return found;
    return { error: { code: 'dns_not_found', message: `The name ${host} has no address.` } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOTFOUND' || code === 'ENODATA') {
      return { error: { code: 'dns_not_found', message: `The name ${host} does not exist (${code}).` } };
    }
    return { error: { code: 'dns_failed', message: `The name ${host} could not be looked up (${code}).` } };
  }
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
  if (host === 'host.docker.internal') {
    return 'On Linux, start the container with --add-host=host.docker.internal:host-gateway (compose: extra_hosts).';
  }
  if (isLocalName(host)) {
    const service = host.includes('.')
      ? ''
      : ' If it is a compose service, check that it shares a network with the sandbox.';
    return `This local name is unknown here. Point it at your server: --webhook-route https://${host}=http://localhost:3000.${service}`;
  }
  return `Check the spelling, or point the name at your server: --webhook-route https://${host}=http://localhost:3000.`;
}

/** A map with a limit, beyond which the entry that was set first is removed. */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: K, value: V): this {
    const [oldest] = this.size >= this.most && !this.has(key) ? this.keys() : [];
    if (oldest !== undefined) this.delete(oldest);
    return super.set(key, value);
  }
}
