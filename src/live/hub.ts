import type { WebSocket } from 'ws';
import { transaction, type Account } from '../account/account.js';
import type { Accounts } from '../accounts/registry.js';
import { type Cancel, type SystemClock, within } from '../time/system-clock.js';
import { removeEndpoint } from '../webhooks/endpoints.js';
import { tunnelIdOf } from '../webhooks/direct.js';
import type { Tunnel } from './tunnel.js';

interface Client {
  readonly socket: WebSocket;
  readonly account: Account;
  readonly tunnel: Tunnel | null;
  isAlive: boolean;
}

export const maxSockets = 1000;
/** Close codes of RFC 6455, §7.4. */
const closeCodes = { normal: 1000, goingAway: 1001 } as const;
/** Real milliseconds between two pings, less than the minute after which proxies close idle connections. */
const beatMs = 30_000;
/** Real milliseconds. */
const lastResponsesMs = 1000;
/** Real milliseconds for clients to close when the sandbox stops; the whole stop may take 5 s. */
const lastCloseMs = 500;

export class LiveHub {
  readonly #clients = new Set<Client>();
  #beat: Cancel | null = null;
  #closing = false;

  constructor(
    accounts: Accounts,
    private readonly host: SystemClock,
  ) {
    accounts.onOpen((account) => this.#tendTunnels(account));
    accounts.onDrop((account) => {
      for (const { socket } of this.#of(account)) socket.close(closeCodes.goingAway, 'the account was deleted');
    });
  }

  get full(): boolean {
    return this.#clients.size >= maxSockets;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** `tunnel` is null for the stream. */
  add(socket: WebSocket, account: Account, tunnel: Tunnel | null): void {
    const client: Client = { socket, account, tunnel, isAlive: true };
    this.#clients.add(client);
    this.#beat ??= this.#nextBeat();
    // The close that follows reports the error by its code.
    socket.on('error', () => undefined);
    for (const sign of ['pong', 'message']) socket.on(sign, () => (client.isAlive = true));
    socket.on('close', () => this.#clients.delete(client));
  }

  async close(): Promise<void> {
    this.#closing = true;
    const clients = [...this.#clients];
    const withTunnels = clients.flatMap(({ tunnel, account }) => (tunnel ? [account] : []));
    await within(lastResponsesMs, Promise.all(withTunnels.map(({ dispatcher }) => dispatcher.inFlight.quiet())));
    this.#beat?.();
    const ended = Promise.all(clients.map(async ({ socket }) => closed(socket)));
    for (const { socket } of clients) socket.close(closeCodes.goingAway, 'the sandbox stops');
    if ((await within(lastCloseMs, ended)) !== 'late') return;
    for (const { socket } of clients) socket.terminate();
    await ended;
  }

  #of(account: Account): Client[] {
    return [...this.#clients].filter((client) => client.account === account);
  }

  /**
   * A reset or a restored snapshot leaves a connected tunnel registered, and removes the endpoints of all others, as
   * the start does. A call that removes an endpoint ends its connection.
   */
  #tendTunnels(account: Account): void {
    const { endpoints } = account.store.tables;
    const tend = (wereReplaced: boolean): void => {
      if (this.#closing) return;
      const clients = this.#of(account);
      for (const { socket, tunnel } of clients) {
        if (!tunnel || endpoints.get(tunnel.endpoint.id)) continue;
        if (wereReplaced) tunnel.register();
        else socket.close(closeCodes.normal, 'the endpoint was removed');
      }
      const isLost = ({ id, url }: { id: string; url: string }): boolean =>
        tunnelIdOf(new URL(url)) !== null && clients.every(({ tunnel }) => tunnel?.endpoint.id !== id);
      const lost = wereReplaced ? [...endpoints.all()].filter(isLost) : [];
      if (lost.length > 0) transaction(account, () => lost.forEach((endpoint) => removeEndpoint(account, endpoint)));
    };
    tend(true);
    account.store.onCommit((changes) => {
      const gone = changes.filter(({ op, table }) => table === 'endpoints' && (op === 'clear' || op === 'delete'));
      // Runs after the whole call: after a reset, the call also creates the records of the scenario.
      if (gone.length > 0) this.host.defer(() => tend(gone.some(({ op }) => op === 'clear')));
    });
  }

  #nextBeat(): Cancel {
    const beat = (): void => {
      for (const client of this.#clients) {
        if (client.isAlive) client.socket.ping();
        else client.socket.terminate();
        client.isAlive = false;
      }
      this.#beat = this.#clients.size > 0 ? this.#nextBeat() : null;
    };
    return this.host.setTimer(beatMs, beat, { unref: true });
  }
}

function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
