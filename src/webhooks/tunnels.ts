/**
 * The tunnels that are open, by account: a tunnel is reached by the deliveries of its own account and by no other
 * (contract §1, §6c).
 */
import { SendFailure } from './sender/send-error.js';
import type { TunnelReceiver } from './sender/sender-types.js';

export class Tunnels {
  readonly #open = new Map<string, Map<string, TunnelReceiver>>();

  /** Takes over from whoever was there before. The returned function closes it again, unless someone else took over. */
  open(account: string, id: string, receiver: TunnelReceiver): () => void {
    const mine = this.#open.get(account) ?? new Map<string, TunnelReceiver>();
    this.#open.set(account, mine.set(id, receiver));
    return () => {
      if (mine.get(id) !== receiver) return;
      mine.delete(id);
      if (mine.size === 0 && this.#open.get(account) === mine) this.#open.delete(account);
    };
  }

  /** Whoever takes the requests of an account: at the moment of each, the client that is connected then. */
  receiverOf(account: string): TunnelReceiver {
    return (request, signal) => {
      const receiver = this.#open.get(account)?.get(request.tunnel);
      return receiver === undefined ? Promise.reject(tunnelClosed()) : receiver(request, signal);
    };
  }
}

/** The attempt's failure when nobody is at the other end, or not any more. */
export function tunnelClosed(message = 'No client is connected to this tunnel.'): SendFailure {
  return new SendFailure(
    'tunnel_closed',
    message,
    'Is "messaging-sandbox listen" running? While it is away its attempts fail, and the timetable makes them again.',
  );
}
