/** Every live socket of the sandbox: streams of an account, tunnels, and sockets that are both. */
import type { WebSocket } from 'ws';
import type { Account } from '../account/account.js';
import type { Accounts } from '../accounts/registry.js';
import type { Cancel, SystemClock } from '../time/system-clock.js';
import type { Tunnels } from '../webhooks/tunnels.js';
import { brokenOff, closeCodes, LiveClient } from './client.js';
import type { ConnectionFrame } from './frame.js';
import { AccountStream } from './account-stream.js';
import { TunnelEndpoints, type TunnelOptions } from './tunnel-endpoints.js';
import { Tunnel } from './tunnel.js';

export interface LiveHubParts {
  readonly accounts: Accounts;
  readonly tunnels: Tunnels;
  readonly host: SystemClock;
  /** Longest time of an attempt, in real milliseconds; sent to tunnels. */
  readonly webhookTimeoutMs: number;
  /** Called with errors of the streams. */
  readonly report: (error: unknown) => void;
}

/** The options of a new connection. */
export interface ConnectionOptions {
  readonly account: Account;
  /** Send the records after this number first; null for changes from now on. */
  readonly after: number | null;
  readonly tunnel: TunnelOptions | null;
}

/** Maximum number of open sockets of a sandbox. */
export const maxSockets = 1000;
/**
 * Number of unread bytes after which a client counts as having stopped reading; a healthy client has only kilobytes.
 */
const mostBufferedBytes = 8 * 1024 * 1024;
/** Real milliseconds between two pings, less than the minute after which proxies close idle connections. */
const beatMs = 30_000;
/** Real milliseconds for open requests of tunnels when the sandbox stops. */
const lastResponsesMs = 1000;
/** Real milliseconds for clients to close when the sandbox stops; the whole stop may take 5 s. */
const lastCloseMs = 500;
/** Close codes of clients that disconnect intentionally: a normal close, a closed page, or a close without a code. */
const cleanCloseCodes: readonly number[] = [closeCodes.normal, closeCodes.goingAway, 1005];

export class LiveHub {
  readonly #parts: LiveHubParts;
  readonly #streams = new Map<Account, AccountStream>();
  readonly #clients = new Map<LiveClient, ConnectionOptions>();
  readonly #tunnels = new Map<LiveClient, Tunnel>();
  readonly #endpoints: TunnelEndpoints;
  #beat: Cancel | null = null;
  #closing = false;

  constructor(parts: LiveHubParts) {
    this.#parts = parts;
    this.#endpoints = new TunnelEndpoints(parts);
    parts.accounts.onDrop((account) => this.#dropped(account));
  }

  get full(): boolean {
    return this.#clients.size >= maxSockets;
  }

  get closing(): boolean {
    return this.#closing;
  }

  connect(socket: WebSocket, options: ConnectionOptions): void {
    let leave = (_code: number): void => undefined;
    const client = new LiveClient(socket, {
      host: this.#parts.host,
      mostBufferedBytes,
      onText: (text) => this.#received(client, text),
      onGone: (code) => {
        this.#clients.delete(client);
        leave(code);
      },
    });
    this.#clients.set(client, options);
    this.#beat ??= this.#nextBeat();
    const leaves = [this.#openTunnel(client, options), this.#subscribe(client, options)];
    leave = (code) => {
      for (const each of leaves) each(code);
    };
    // The client may have disconnected meanwhile.
    if (client.gone) leave(brokenOff);
  }

  /** Waits a moment for open requests of tunnels, then closes every connection. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#lastResponses();
    this.#beat?.();
    this.#endpoints.close();
    for (const stream of this.#streams.values()) stream.close();
    const clients = [...this.#clients.keys()];
    for (const client of clients) client.close(closeCodes.goingAway, 'the sandbox stops');
    const cancel = this.#parts.host.setTimer(lastCloseMs, () => {
      for (const client of clients) client.terminate();
    });
    await Promise.all(clients.map((client) => client.ended()));
    cancel();
  }

  /** @returns a function to call when the client is gone */
  #openTunnel(client: LiveClient, { account, tunnel: options }: ConnectionOptions): (code: number) => void {
    if (options === null) return () => undefined;
    const say = (frame: ConnectionFrame) => client.send(JSON.stringify(frame));
    const tunnel = new Tunnel(say);
    const end = {
      receive: tunnel.receive,
      onLost: (why: 'removed' | 'taken') => {
        if (why === 'removed') client.close(closeCodes.normal, 'the endpoint was removed');
        else client.close(closeCodes.policy, 'another client took over this endpoint');
      },
    };
    this.#tunnels.set(client, tunnel);
    const { id, url, secret, events } = this.#endpoints.attach(account, options, end);
    const { webhookTimeoutMs } = this.#parts;
    say({ kind: 'tunnel.ready', data: { webhook_id: id, url, secret, events, timeout_ms: webhookTimeoutMs } });
    return (code) => {
      this.#tunnels.delete(client);
      this.#endpoints.detach(account, id, end, cleanCloseCodes.includes(code));
      tunnel.end();
    };
  }

  /** A tunnel is subscribed only if it gives a cursor. */
  #subscribe(client: LiveClient, { account, after, tunnel }: ConnectionOptions): (code: number) => void {
    if (tunnel !== null && after === null) return () => undefined;
    let stream = this.#streams.get(account);
    if (!stream) this.#streams.set(account, (stream = new AccountStream(account, this.#parts.report)));
    const entered = stream;
    entered.enter(client, after);
    return () => entered.leave(client);
  }

  #received(client: LiveClient, text: string): void {
    const tunnel = this.#tunnels.get(client);
    if (tunnel) {
      tunnel.hear(text);
      return;
    }
    const message =
      'This socket is read-only. Connect with tunnel=1 to respond to deliveries; for everything else, use HTTP calls.';
    const frame: ConnectionFrame = { kind: 'error', data: { code: 'validation_error', message } };
    client.send(JSON.stringify(frame));
  }

  /** The account was deleted; its key creates a new one. */
  #dropped(account: Account): void {
    this.#streams.get(account)?.close();
    this.#streams.delete(account);
    for (const [client, options] of [...this.#clients]) {
      if (options.account === account) client.close(closeCodes.goingAway, 'the account was deleted');
    }
  }

  #nextBeat(): Cancel {
    return this.#parts.host.setTimer(
      beatMs,
      () => {
        for (const client of [...this.#clients.keys()]) client.beat();
        this.#beat = this.#clients.size > 0 ? this.#nextBeat() : null;
      },
      { unref: true },
    );
  }

  #lastResponses(): Promise<void> {
    const idle = Promise.all([...this.#tunnels.values()].map((tunnel) => tunnel.idle()));
    return new Promise((resolve) => {
      const cancel = this.#parts.host.setTimer(lastResponsesMs, resolve);
      void idle.then(() => {
        cancel();
        // Their results are recorded and sent before connections are closed.
        this.#parts.host.defer(resolve);
      });
    });
  }
}
