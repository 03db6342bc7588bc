import type { HostTime } from '../../time/system-clock.js';
import { ConnectionPool } from './connection-pool.js';
import type { Exchange } from './connection.js';
import type { Cutoff } from './cutoff.js';
import type { HttpDestination } from './destinations.js';
import { ConnectError } from './exchange-errors.js';
import type { Peer } from './peer.js';
import { explainFailure } from './send-failure.js';
import type { SendFailure } from './send-failure.js';
import { SpeechMemory } from './protocol-cache.js';
import { probeTls } from './tls-probe.js';

export interface TransportOptions {
  readonly host: HostTime;
  readonly insideContainer: boolean;
  /** Ends every probe, which several attempts may share; an exchange has its own cutoff. */
  readonly closing: AbortSignal;
}

/** Sends to checked destinations, in TLS or, where a local host speaks nothing else, in plain HTTP (contract §6a). */
export class Transport {
  readonly #memory = new SpeechMemory();
  readonly #pool: ConnectionPool;

  constructor(private readonly options: TransportOptions) {
    this.#pool = new ConnectionPool(options.host);
  }

  /**
   * @param makeExchange what to send, given the peer that was chosen; called again when the choice is made again.
   * @throws SendFailure
   */
  async post(destination: HttpDestination, makeExchange: (peer: Peer) => Exchange, cutoff: Cutoff): Promise<void> {
    const { peer: named, plain } = destination;
    const remembered = plain !== null && this.#memory.knows(named.key);
    let peer = named;
    try {
      peer = await this.#choose(destination);
      await this.#pool.post(peer, makeExchange(peer), cutoff);
      return;
    } catch (error) {
      if (plain === null || cutoff.reason !== null) throw this.#explain(error, peer);
      // Whatever broke, the host may have come back speaking something else.
      this.#memory.forget(named.key);
      // No connection means that nothing was sent: if it was our memory that misled us, ask and try once more.
      if (!remembered || !(error instanceof ConnectError)) throw this.#explain(error, peer);
    }
    try {
      peer = named;
      peer = await this.#choose(destination);
      await this.#pool.post(peer, makeExchange(peer), cutoff);
    } catch (error) {
      this.#memory.forget(named.key);
      throw this.#explain(error, peer);
    }
  }

  close(): void {
    this.#pool.close();
  }

  /** In TLS, or as the host was found to speak. No promise when that is known. */
  #choose({ peer, plain }: HttpDestination): Peer | Promise<Peer> {
    if (plain === null) return peer;
    const { host, closing } = this.options;
    const speech = this.#memory.recall(peer.key, () => probeTls(peer, host, closing));
    if (typeof speech === 'string') return speech === 'plain' ? plain : peer;
    return speech.then((found) => (found === 'plain' ? plain : peer));
  }

  #explain(error: unknown, peer: Peer): SendFailure {
    return explainFailure(error, { peer, insideContainer: this.options.insideContainer });
  }
}
