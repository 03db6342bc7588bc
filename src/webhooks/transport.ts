import type { HostTime } from '../time/host.js';
import { ConnectionPool } from './connection-pool.js';
import { ConnectError } from './connection.js';
import type { Exchange } from './connection.js';
import type { Cutoff } from './cutoff.js';
import type { HttpDestination } from './destinations.js';
import { peerFor, peerKey } from './peer.js';
import type { Peer } from './peer.js';
import { explainFailure } from './send-failure.js';
import { SpeechMemory, probeTls } from './tls-probe.js';

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
    // Loading undici costs a tenth of a second, which a start without webhooks should not pay. A bundled CommonJS module
    // loaded this way has its default export only.
    this.#pool = new ConnectionPool(async () => (await import('undici')).default.Client, options.host);
  }

  /**
   * @param makeExchange what to send, given the peer that was chosen; called again when the choice is made again.
   * @throws SendFailure
   */
  async post(destination: HttpDestination, makeExchange: (peer: Peer) => Exchange, cutoff: Cutoff): Promise<void> {
    const named = peerFor(destination);
    const key = peerKey(named);
    const undecided = destination.plainAllowed && named.tls !== 'none';
    const remembered = undecided && this.#memory.knows(key);
    let peer = named;
    const attempt = async (): Promise<void> => {
      if (undecided && (await this.#speechOf(named, key)) === 'plain') peer = { ...named, tls: 'none' };
      else peer = named;
      await this.#pool.post(peer, makeExchange(peer), cutoff);
    };
    const explain = (error: unknown) => explainFailure(error, { peer, insideContainer: this.options.insideContainer });

    try {
      await attempt();
      return;
    } catch (error) {
      if (!undecided || cutoff.reason !== null) throw explain(error);
      // Whatever broke, the host may have come back speaking something else.
      this.#memory.forget(key);
      // No connection means that nothing was sent: if it was our memory that misled us, ask and try once more.
      if (!remembered || !(error instanceof ConnectError)) throw explain(error);
    }
    try {
      await attempt();
    } catch (error) {
      this.#memory.forget(key);
      throw explain(error);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #speechOf(peer: Peer, key: string) {
    return this.#memory.recall(key, () => probeTls(peer, this.options.host, this.options.closing));
  }
}
