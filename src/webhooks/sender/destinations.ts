import { reachOf } from './address-range.js';
import { addresseeOf, refuse } from './resolved-target.js';
import type { HostAddressee, Refused, SinkAddressee, TunnelAddressee } from './resolved-target.js';
import { BoundedMap } from './bounded-map.js';
import { isAddress, isLocalName, isLoopbackName } from '../../domain/host-name.js';
import type { Lookup, ResolvedAddress } from './lookup.js';
import { peerOf } from './peer.js';
import type { Peer } from './peer.js';
import type { WebhookRoute } from '../../domain/webhook-route.js';
import type { SendError } from './send-error.js';
import { SINK_HOST } from '../sink-address.js';

export interface DestinationSettings {
  readonly routes: readonly WebhookRoute[];
  /** `--allow-public-webhooks`. */
  readonly allowPublic: boolean;
  readonly lookup: Lookup;
}

/** A request over the network. */
export interface HttpDestination {
  readonly kind: 'http';
  /** Where it goes, after routes. */
  readonly href: string;
  /** Path and query. */
  readonly path: string;
  /** The host at its checked addresses, never none: the connection goes to one of these and to no other. */
  readonly peer: Peer;
  /** The same in plain HTTP, where a host that does not speak TLS may be spoken to so. */
  readonly plain: Peer | null;
  readonly via: 'direct' | 'route';
}

export type Destination = HttpDestination | SinkAddressee | TunnelAddressee | Refused;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** URLs whose reading is remembered: an endpoint is sent to again and again. */
const MOST_REMEMBERED = 4_000;

/**
 * Decides where an endpoint's URL is really sent (contract §6 a–d): to the sink, into a tunnel, through a route, or to
 * its host, provided that every address of that host may be spoken to.
 */
export class Destinations {
  /** A host that has a name is kept unjudged. */
  readonly #known = new BoundedMap<string, Destination | HostAddressee>(MOST_REMEMBERED);

  constructor(private readonly settings: DestinationSettings) {}

  /** Resolves names anew on each call, because what was private a minute ago may be public now. Never rejects. */
  async find(endpointUrl: string): Promise<Destination> {
    let known = this.#known.get(endpointUrl);
    if (known === undefined) this.#known.set(endpointUrl, (known = this.#read(endpointUrl)));
    return known.kind === 'host' ? this.#resolve(known) : known;
  }

  #read(endpointUrl: string): Destination | HostAddressee {
    const addressee = addresseeOf(endpointUrl, this.settings.routes);
    const fixed = addressee.kind === 'host' ? fixedAddressesOf(addressee.host) : null;
    return addressee.kind === 'host' && fixed !== null ? this.#judge(addressee, fixed) : addressee;
  }

  async #resolve(addressee: HostAddressee): Promise<Destination> {
    const addresses = await resolved(addressee.host, this.settings.lookup);
    if (!('error' in addresses)) return this.#judge(addressee, addresses);
    return { kind: 'refused', url: addressee.href, error: addresses.error, hint: unresolvedHint(addressee.host) };
  }

  #judge(addressee: HostAddressee, addresses: readonly ResolvedAddress[]): Destination {
    const { asked, href, path, host, port, secure, via } = addressee;
    const reaches = addresses.map(({ address }) => ({ address, reach: reachOf(address, host) }));
    const never = reaches.find(({ reach }) => reach === 'never');
    if (never !== undefined) {
      const message = `${host} is at ${never.address}, a link-local, multicast or unspecified address; webhooks are not sent there.`;
      return refuse(href, 'public_destination_blocked', message, NEVER_HINT);
    }
    // One public address is enough to refuse: a name that answers with both kinds is how a guard gets bypassed.
    const open = reaches.find(({ reach }) => reach === 'public');
    if (open !== undefined && !this.settings.allowPublic) {
      const message = `${host} is at ${open.address}, which is outside this machine and its private networks.`;
      return refuse(href, 'public_destination_blocked', message, publicHint(asked));
    }
    const local = open === undefined;
    const peer = peerOf({ host, port, addresses, tls: secure ? (local ? 'local' : 'verify') : 'none' });
    const plain = local && secure ? peerOf({ ...peer, tls: 'none' }) : null;
    return { kind: 'http', href, path, peer, plain, via };
  }
}

/** The addresses of a host that nobody has to be asked about; null for a name. */
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

const NEVER_HINT = 'No flag opens this range. For a server on this machine use localhost or 127.0.0.1.';

function publicHint(asked: string): string {
  return (
    'Nothing leaves the private network unless asked: start with --allow-public-webhooks to permit it, or with ' +
    `--webhook-route https://${asked}=http://localhost:3000 to receive it here, ` +
    `or register https://${SINK_HOST}/NAME, the built-in receiver.`
  );
}

function unresolvedHint(host: string): string {
  if (host === 'host.docker.internal') {
    return 'On Linux start the container with --add-host=host.docker.internal:host-gateway (compose: extra_hosts).';
  }
  if (isLocalName(host)) {
    const service = host.includes('.')
      ? ''
      : ' If it is a compose service, check that it shares a network with the sandbox.';
    return `Nobody knows this local name here. Point it at your server: --webhook-route https://${host}=http://localhost:3000.${service}`;
  }
  return `Check the spelling, or point the name at your server: --webhook-route https://${host}=http://localhost:3000.`;
}
