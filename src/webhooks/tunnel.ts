/** Tunnels: clients that receive the deliveries of their account over a WebSocket. */
import { hostNameOf } from '../domain/webhook.js';
import type { DirectReceiver } from './exchange.js';
import { SendFailure } from './failure.js';

/** The host of endpoints whose requests go over a client's WebSocket; it exists in no DNS. */
export const TUNNEL_HOST = 'tunnel.sandbox';

/** The URL of a tunnel's endpoint. */
export function tunnelUrl(id: string): string {
  return `https://${TUNNEL_HOST}/${id}`;
}

/** Returns the tunnel in a URL, which may never have been opened; null if the URL is on another host. */
export function tunnelIdOf(url: URL): string | null {
  if (hostNameOf(url) !== TUNNEL_HOST) return null;
  return url.pathname.split('/')[1] ?? '';
}

/** Like `tunnelIdOf`, for the URL of an endpoint. */
export function isTunnelUrl(url: string): boolean {
  return URL.canParse(url) && tunnelIdOf(new URL(url)) !== null;
}

/** The open tunnels by account: the deliveries of another account never reach them. */
export class Tunnels {
  readonly #open = new Map<string, Map<string, DirectReceiver>>();

  /** Replaces an earlier receiver of the same tunnel. The returned function closes it, unless it has been replaced. */
  open(account: string, id: string, receiver: DirectReceiver): () => void {
    const mine = this.#open.get(account) ?? new Map<string, DirectReceiver>();
    this.#open.set(account, mine.set(id, receiver));
    return () => {
      if (mine.get(id) !== receiver) return;
      mine.delete(id);
      if (mine.size === 0 && this.#open.get(account) === mine) this.#open.delete(account);
    };
  }

  /** Accepts the requests of an account, and passes each to the client that is connected at that moment. */
  receiverOf(account: string): DirectReceiver {
    return (request, signal) => {
      const receiver = this.#open.get(account)?.get(request.name);
      return receiver === undefined ? Promise.reject(tunnelClosed()) : receiver(request, signal);
    };
  }
}

/** The failure of an attempt if no client is connected, or if it has disconnected. */
export function tunnelClosed(message = 'No client is connected to this tunnel.'): SendFailure {
  return new SendFailure(
    'tunnel_closed',
    message,
    'Is "messaging-sandbox listen" running? While it is not connected, attempts fail and are retried.',
  );
}
