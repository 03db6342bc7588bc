import type { Client } from 'undici';
import type { HostTime } from '../time/host.js';
import { Connection, StaleConnectionError } from './connection.js';
import type { Exchange } from './connection.js';
import type { Cutoff } from './cutoff.js';
import { peerKey } from './peer.js';
import type { Peer } from './peer.js';

/**
 * Kept-alive connections by peer. There is no upper limit on connections in use: whoever sends decides how much is
 * in flight; idle ones go when the receiver or undici's idle timer closes them.
 */
export class ConnectionPool {
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();

  constructor(
    private readonly loadClient: () => Promise<typeof Client>,
    private readonly host: HostTime,
  ) {}

  /**
   * Makes one exchange; the connection is kept when the answer was read to its end. A connection that the peer
   * closed just as we wrote is replaced once: that is this pool's bad luck, not the receiver's failure.
   * @throws whatever the connection throws.
   */
  async post(peer: Peer, exchange: Exchange, cutoff: Cutoff): Promise<void> {
    const kept = this.#takeIdle(peer);
    if (kept !== undefined) {
      try {
        await this.#exchangeOver(kept, peer, exchange, cutoff);
        return;
      } catch (error) {
        if (!(error instanceof StaleConnectionError)) throw error;
      }
    }
    const ClientClass = await this.loadClient();
    await this.#exchangeOver(this.#open(peer, ClientClass), peer, exchange, cutoff);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((connection) => this.#drop(connection)));
  }

  async #exchangeOver(connection: Connection, peer: Peer, exchange: Exchange, cutoff: Cutoff): Promise<void> {
    try {
      await connection.post(exchange, cutoff);
    } catch (error) {
      void this.#drop(connection);
      throw error;
    }
    if (connection.isOpen) this.#keep(connection, peer);
    else void this.#drop(connection);
  }

  #open(peer: Peer, ClientClass: typeof Client): Connection {
    const connection: Connection = new Connection(peer, ClientClass, this.host, () => {
      this.#forget(connection, peer);
    });
    this.#all.add(connection);
    return connection;
  }

  #takeIdle(peer: Peer): Connection | undefined {
    const idle = this.#idle.get(peerKey(peer)) ?? [];
    // The one used last is the least likely to have been closed by the peer.
    for (let last = idle.pop(); last !== undefined; last = idle.pop()) {
      if (last.isOpen) return last;
      void this.#drop(last);
    }
    return undefined;
  }

  #keep(connection: Connection, peer: Peer): void {
    const key = peerKey(peer);
    const idle = this.#idle.get(key);
    if (idle === undefined) this.#idle.set(key, [connection]);
    else idle.push(connection);
  }

  /** A closed socket takes its connection out of the shelf; one that is in use ends with its exchange. */
  #forget(connection: Connection, peer: Peer): void {
    const key = peerKey(peer);
    const left = this.#idle.get(key)?.filter((other) => other !== connection) ?? [];
    const wasIdle = left.length !== (this.#idle.get(key)?.length ?? 0);
    if (left.length === 0) this.#idle.delete(key);
    else this.#idle.set(key, left);
    if (wasIdle) void this.#drop(connection);
  }

  async #drop(connection: Connection): Promise<void> {
    this.#all.delete(connection);
    await connection.destroy();
  }
}
