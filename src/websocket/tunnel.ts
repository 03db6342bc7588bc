/**
 * The open requests of one tunnel client. Its response, or its disconnect, is the result of the attempt; the sender limits
 * the time, as for any other receiver.
 */
import { SendFailure } from '../webhooks/sender/send-error.js';
import type { DirectResponse, TunnelReceiver } from '../webhooks/sender/sender-types.js';
import { tunnelClosed } from '../webhooks/tunnels.js';
import type { ConnectionFrame } from './frame.js';
import { parseTunnelResponse, TunnelResponseError } from './tunnel-response.js';

interface Asked {
  readonly resolve: (response: DirectResponse) => void;
  readonly reject: (failure: SendFailure) => void;
}

export class Tunnel {
  readonly #send: (frame: ConnectionFrame) => void;
  readonly #asked = new Map<string, Asked>();
  #asks = 0;
  #idle: (() => void)[] = [];

  constructor(send: (frame: ConnectionFrame) => void) {
    this.#send = send;
  }

  readonly receive: TunnelReceiver = ({ method, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const id = `ask_${(this.#asks += 1)}`;
      this.#asked.set(id, { resolve, reject });
      signal.addEventListener('abort', () => this.#settle(id), { once: true });
      this.#send({ kind: 'tunnel.request', data: { id, method, headers, body: body.toString() } });
    });

  /** Handles a frame of the client. */
  hear(text: string): void {
    try {
      const { id, result } = parseTunnelResponse(text);
      const asked = this.#settle(id);
      if (!asked)
        throw new TunnelResponseError(`No request "${id}" waits for a response; the response may be too late`);
      if (result instanceof SendFailure) asked.reject(result);
      else asked.resolve(result);
    } catch (error) {
      if (!(error instanceof TunnelResponseError)) throw error;
      this.#send({ kind: 'error', data: { code: 'validation_error', message: error.message } });
    }
  }

  /**
   * Fails all open requests when the client has disconnected. Its endpoint is already detached, so no new ones arrive.
   */
  end(): void {
    for (const id of [...this.#asked.keys()]) {
      this.#settle(id)?.reject(tunnelClosed('The client of this tunnel disconnected before it responded.'));
    }
  }

  /** Resolves when no request is open. */
  idle(): Promise<void> {
    return this.#asked.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  #settle(id: string): Asked | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (this.#asked.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    return asked;
  }
}
