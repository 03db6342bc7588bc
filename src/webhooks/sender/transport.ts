import type { SystemClock } from '../../time/system-clock.js';
import { BoundedMap } from './bounded-map.js';
import type { HttpDestination } from './destinations.js';
import { HttpClient, type Exchange } from './http-client.js';
import type { Peer } from './peer.js';
import { ConnectError, type SendFailure } from './send-error.js';
import { explainFailure } from './send-failure.js';
import { probeTls, type Protocol } from './tls-probe.js';

export interface TransportOptions {
  readonly host: SystemClock;
  readonly insideContainer: boolean;
  /** Ends every probe, which several attempts may share; an exchange has its own signal. */
  readonly closing: AbortSignal;
}

/** Origins whose protocol is remembered; beyond it the oldest is probed again when it is needed. */
const MOST_REMEMBERED = 1_000;

/** Sends to checked destinations: in TLS, or in plain HTTP to a local host that does not support TLS. */
export class Transport {
  readonly #protocols = new BoundedMap<string, Protocol | Promise<Protocol>>(MOST_REMEMBERED);
  readonly #client: HttpClient;

  constructor(private readonly options: TransportOptions) {
    this.#client = new HttpClient(options.host);
  }

  /**
   * @param makeExchange what to send, given the peer that was chosen; called again when the choice is made again
   * @returns whether the response's body arrived complete
   * @throws SendFailure
   */
  async post(
    destination: HttpDestination,
    makeExchange: (peer: Peer) => Exchange,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { peer: named, plain } = destination;
    const remembered = plain !== null && this.#protocols.get(named.key) !== undefined;
    let peer = named;
    try {
      peer = await this.#choose(destination);
      return await this.#client.post(peer, makeExchange(peer), signal);
    } catch (error) {
      if (plain === null || signal.aborted) throw this.#explain(error, peer);
      // The host may have come back with another protocol.
      this.#protocols.delete(named.key);
      // Without a connection nothing was sent: if the remembered protocol was wrong, ask again and try once more.
      if (!remembered || !(error instanceof ConnectError)) throw this.#explain(error, peer);
    }
    try {
      peer = named;
      peer = await this.#choose(destination);
      return await this.#client.post(peer, makeExchange(peer), signal);
    } catch (error) {
      this.#protocols.delete(named.key);
      throw this.#explain(error, peer);
    }
  }

  close(): void {
    this.#client.close();
  }

  async #choose({ peer, plain }: HttpDestination): Promise<Peer> {
    if (plain === null) return peer;
    return (await this.#protocolOf(peer)) === 'plain' ? plain : peer;
  }

  /** Attempts that ask at the same time share one probe; a failed probe is not remembered. */
  #protocolOf(peer: Peer): Protocol | Promise<Protocol> {
    const known = this.#protocols.get(peer.key);
    if (known !== undefined) return known;
    const found = probeTls(peer, this.options.host, this.options.closing);
    this.#protocols.set(peer.key, found);
    const isCurrent = (): boolean => this.#protocols.get(peer.key) === found;
    void found.then(
      (protocol) => {
        if (isCurrent()) this.#protocols.set(peer.key, protocol);
      },
      () => {
        if (isCurrent()) this.#protocols.delete(peer.key);
      },
    );
    return found;
  }

  #explain(error: unknown, peer: Peer): SendFailure {
    return explainFailure(error, { peer, insideContainer: this.options.insideContainer });
  }
}
