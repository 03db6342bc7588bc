import { hostNameOf } from '../../domain/host-name.js';
import { applyRoutes } from './apply-routes.js';
import type { WebhookRoute } from '../../domain/webhook-route.js';
import type { SendError } from './send-error.js';
import { SINK_HOST, sinkAddressOf } from '../sink-address.js';
import { tunnelIdOf } from '../tunnel-address.js';

export interface SinkAddressee {
  readonly kind: 'sink';
  readonly name: string;
  readonly path: string;
}

export interface TunnelAddressee {
  readonly kind: 'tunnel';
  readonly id: string;
}

/** Nothing is sent, and this is why. */
export interface Refused {
  readonly kind: 'refused';
  readonly url: string;
  readonly error: SendError;
  readonly hint: string;
}

/** A host on the network, whose addresses nobody has judged yet. */
export interface HostAddressee {
  readonly kind: 'host';
  /** Host and port of the endpoint's URL, before routes. */
  readonly asked: string;
  /** Where it goes, after routes. */
  readonly href: string;
  /** Path and query. */
  readonly path: string;
  readonly host: string;
  readonly port: number;
  /** Whether the URL says https; only a route's target may say otherwise. */
  readonly secure: boolean;
  readonly via: 'direct' | 'route';
}

/** Whom an endpoint's URL means, as far as the URL and the routes tell (contract §6 b–d). */
export type Addressee = SinkAddressee | TunnelAddressee | Refused | HostAddressee;

export function addresseeOf(endpointUrl: string, routes: readonly WebhookRoute[]): Addressee {
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

  const { host } = asked;
  const routed = applyRoutes(routes, asked);
  const url = routed ?? asked;
  // Neither goes over the wire as part of the URL, and a password should not show in records.
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
    via: routed === null ? 'direct' : 'route',
  };
}

export function refuse(url: string, code: SendError['code'], message: string, hint: string): Refused {
  return { kind: 'refused', url, error: { code, message }, hint };
}

const HTTPS_HINT = 'Register an https:// URL; local hosts that speak plain HTTP are reached all the same.';
const SINK_NAME_HINT = `Write https://${SINK_HOST}/NAME, with a name of letters, digits, ".", "_", "~" or "-".`;
