import type { HostTime } from '../../time/system-clock.js';
import { Connection } from './connection.js';
import type { Exchange } from './connection.js';
import type { Cutoff } from './cutoff.js';
import { StaleConnectionError } from './exchange-errors.js';
import type { Peer } from './peer.js';

/**
 * Kept-alive connections by peer. There is no upper limit on connections in use: whoever sends decides how much is
 * in flight; idle ones go when the receiver closes them, or shortly before it would.
 */
export class ConnectionPool {
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();

  constructor(private readonly host: HostTime) {}

  /**
   * Makes one exchange; the connection is kept when the answer was read to its end. A connection that the peer
   * closed just as we wrote is replaced once: that is this pool's bad luck, not the receiver's failure.
   * @throws whatever the connection throws.
   */
  async post(peer: Peer, exchange: Exchange, cutoff: Cutoff): Promise<void> {
    const { key } = peer;
    let connection = this.#takeIdle(key);
    if (connection !== undefined) {
      try {
        await connection.post(exchange, cutoff);
        this.#keep(connection, key);
        return;
      } catch (error) {
        if (!(error instanceof StaleConnectionError)) throw error;
      }
    }
    connection = this.#open(peer, key);
    await connection.post(exchange, cutoff);
    this.#keep(connection, key);
  }

  close(): void {
    for (const connection of this.#all) connection.destroy();
  }

  #open(peer: Peer, key: string): Connection {
    const connection: Connection = new Connection(peer, this.host, () => this.#forget(connection, key));
    this.#all.add(connection);
    return connection;
  }

  #takeIdle(key: string): Connection | undefined {
    const idle = this.#idle.get(key);
    // The one used last is the least likely to have been closed by the peer.
    for (let last = idle?.pop(); last !== undefined; last = idle?.pop()) if (last.isOpen) return last;
    return undefined;
  }

  #keep(connection: Connection, key: string): void {
    if (!connection.isOpen) return;
    const idle = this.#idle.get(key);
    if (idle === undefined) this.#idle.set(key, [connection]);
    else idle.push(connection);
  }

  #forget(connection: Connection, key: string): void {
    this.#all.delete(connection);
    const left = this.#idle.get(key)?.filter((other) => other !== connection) ?? [];
    if (left.length === 0) this.#idle.delete(key);
    else this.#idle.set(key, left);
  }
}
