import { hostNameOf } from '../domain/host-name.js';

/** The host of endpoints whose requests go over a client's WebSocket (contract §6c); it exists in no DNS. */
export const TUNNEL_HOST = 'tunnel.sandbox';

/** The URL of a tunnel's endpoint. */
export function tunnelUrl(id: string): string {
  return `https://${TUNNEL_HOST}/${id}`;
}

/** The tunnel that a URL names, possibly one that was never opened; null when the URL points to another host. */
export function tunnelIdOf(url: URL): string | null {
  if (hostNameOf(url) !== TUNNEL_HOST) return null;
  return url.pathname.split('/')[1] ?? '';
}

/** As `tunnelIdOf`, for a URL as an endpoint holds it. */
export function isTunnelUrl(url: string): boolean {
  return URL.canParse(url) && tunnelIdOf(new URL(url)) !== null;
}
