import { reachOf } from './address-range.js';
import { hostNameOf, isAddress, isLocalName, isLoopbackName } from './host-name.js';
import type { Lookup, ResolvedAddress } from './lookup.js';
import { applyRoutes } from './route.js';
import type { WebhookRoute } from './route.js';
import type { SendError } from './sender-types.js';
import { SINK_HOST, sinkAddressOf } from './sink-address.js';
import { tunnelIdOf } from './tunnel-address.js';

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
  readonly url: URL;
  /** The checked addresses of the host, never empty: the connection goes to one of these and to no other. */
  readonly addresses: readonly ResolvedAddress[];
  /** `none` for an http:// route, `local` = certificate not verified, `verify` = it is. */
  readonly tls: 'none' | 'local' | 'verify';
  /** Whether a host that does not speak TLS may be spoken to in plain HTTP. */
  readonly plainAllowed: boolean;
  readonly via: 'direct' | 'route';
}

export type Destination =
  | HttpDestination
  | { readonly kind: 'sink'; readonly name: string; readonly path: string }
  | { readonly kind: 'tunnel'; readonly id: string }
  | { readonly kind: 'refused'; readonly url: string; readonly error: SendError; readonly hint: string };

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Decides where an endpoint's URL is really sent (contract §6 a–d): to the sink, into a tunnel, through a route, or to
 * its host, provided that every address of that host may be spoken to. Resolves names anew on each call, because what
 * was private a minute ago may be public now; never rejects.
 */
export async function findDestination(endpointUrl: string, settings: DestinationSettings): Promise<Destination> {
  const asked = URL.canParse(endpointUrl) ? new URL(endpointUrl) : null;
  if (asked?.protocol !== 'https:') {
    return refuse(endpointUrl, 'invalid_url', `"${endpointUrl}" is not an absolute https:// URL.`, HTTPS_HINT);
  }
  const sink = sinkAddressOf(asked);
  if (sink === 'unnamed') {
    return refuse(endpointUrl, 'invalid_url', `"${endpointUrl}" does not name a sink.`, SINK_NAME_HINT);
  }
  if (sink !== 'elsewhere') return { kind: 'sink', ...sink };
  const tunnel = tunnelIdOf(asked);
  if (tunnel !== null) return { kind: 'tunnel', id: tunnel };

  const routed = applyRoutes(settings.routes, asked);
  const url = routed ?? asked;
  const via = routed === null ? 'direct' : 'route';
  // Neither goes over the wire as part of the URL, and a password should not show in records.
  url.hash = url.username = url.password = '';
  const host = hostNameOf(url);

  const addresses = await addressesOf(host, settings.lookup);
  if ('error' in addresses) {
    return { kind: 'refused', url: url.href, error: addresses.error, hint: unresolvedHint(host) };
  }
  const reaches = addresses.map(({ address }) => ({ address, reach: reachOf(address, host) }));
  const never = reaches.find(({ reach }) => reach === 'never');
  if (never !== undefined) {
    const message = `${host} is at ${never.address}, a link-local, multicast or unspecified address; webhooks are not sent there.`;
    return refuse(url.href, 'public_destination_blocked', message, NEVER_HINT);
  }
  // One public address is enough to refuse: a name that answers with both kinds is how a guard gets bypassed.
  const open = reaches.find(({ reach }) => reach === 'public');
  if (open !== undefined && !settings.allowPublic) {
    const message = `${host} is at ${open.address}, which is outside this machine and its private networks.`;
    return refuse(url.href, 'public_destination_blocked', message, publicHint(asked));
  }
  const local = open === undefined;
  const tls = url.protocol === 'http:' ? 'none' : local ? 'local' : 'verify';
  return { kind: 'http', url, addresses, tls, plainAllowed: local, via };
}

async function addressesOf(host: string, lookup: Lookup): Promise<readonly ResolvedAddress[] | { error: SendError }> {
  if (isAddress(host)) return [{ address: host, family: host.includes(':') ? 6 : 4 }];
  if (isLoopbackName(host)) return LOOPBACK;
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

function refuse(url: string, code: SendError['code'], message: string, hint: string): Destination {
  return { kind: 'refused', url, error: { code, message }, hint };
}

const HTTPS_HINT = 'Register an https:// URL; local hosts that speak plain HTTP are reached all the same.';
const SINK_NAME_HINT = `Write https://${SINK_HOST}/NAME, with a name of letters, digits, ".", "_", "~" or "-".`;
const NEVER_HINT = 'No flag opens this range. For a server on this machine use localhost or 127.0.0.1.';

function publicHint(asked: URL): string {
  return (
    'Nothing leaves the private network unless asked: start with --allow-public-webhooks to permit it, or with ' +
    `--webhook-route https://${asked.host}=http://localhost:3000 to receive it here, ` +
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
