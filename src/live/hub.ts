/** Every live socket of the sandbox: streams of an account, tunnels, and sockets that are both. */
import type { WebSocket } from 'ws';
import type { Account } from '../account/account.js';
import type { Accounts } from '../account/registry.js';
import type { Cancel, SystemClock } from '../time/system-clock.js';
import type { Tunnels } from '../webhooks/tunnel.js';
import { brokenOff, closeCodes, LiveClient } from './client.js';
import type { ConnectionFrame } from './frame.js';
import { AccountStream } from './stream.js';
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
/** How the connection ends when a tunnel loses its endpoint. */
const lost: Readonly<Record<'removed' | 'taken', readonly [code: number, reason: string]>> = {
  removed: [closeCodes.normal, 'the endpoint was removed'],
  taken: [closeCodes.policy, 'another client took over this endpoint'],
};
const readOnly =
  'This socket is read-only. Connect with tunnel=1 to respond to deliveries; for everything else, use HTTP calls.';

export class LiveHub {
  readonly #streams = new Map<Account, AccountStream>();
  readonly #clients = new Map<LiveClient, { readonly account: Account; readonly tunnel: Tunnel | null }>();
  readonly #endpoints: TunnelEndpoints;
  #beat: Cancel | null = null;
  #closing = false;

  constructor(private readonly parts: LiveHubParts) {
    this.#endpoints = new TunnelEndpoints(parts);
    parts.accounts.onDrop((account) => this.#dropped(account));
  }

  get full(): boolean {
    return this.#clients.size >= maxSockets;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** @param options of a tunnel; null for the stream */
  connect(socket: WebSocket, account: Account, options: TunnelOptions | null): void {
    let leave: (code: number) => void = () => undefined;
    const client = new LiveClient(socket, {
      host: this.parts.host,
      mostBufferedBytes,
      onText: (text) => {
        if (tunnel) tunnel.hear(text);
        else say({ kind: 'error', data: { code: 'validation_error', message: readOnly } });
      },
      onGone: (code) => {
        this.#clients.delete(client);
        leave(code);
      },
    });
    const say = (frame: ConnectionFrame) => client.send(JSON.stringify(frame));
    const tunnel = options && new Tunnel(say, (why) => client.close(...lost[why]));
    this.#clients.set(client, { account, tunnel });
    this.#beat ??= this.#nextBeat();
    leave = tunnel ? this.#openTunnel(account, options, tunnel, say) : this.#subscribe(client, account);
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
    const cancel = this.parts.host.setTimer(lastCloseMs, () => {
      for (const client of clients) client.terminate();
    });
    await Promise.all(clients.map((client) => client.ended()));
    cancel();
  }

  /** @returns a function to call when the client is gone */
  #openTunnel(account: Account, options: TunnelOptions, tunnel: Tunnel, say: (frame: ConnectionFrame) => void) {
    const { id, url, secret, events } = this.#endpoints.attach(account, options, tunnel);
    const { webhookTimeoutMs } = this.parts;
    say({ kind: 'tunnel.ready', data: { webhook_id: id, url, secret, events, timeout_ms: webhookTimeoutMs } });
    return (code: number) => {
      this.#endpoints.detach(account, id, tunnel, cleanCloseCodes.includes(code));
      tunnel.end();
    };
  }

  /** @returns a function to call when the client is gone */
  #subscribe(client: LiveClient, account: Account) {
    let stream = this.#streams.get(account);
    if (!stream) this.#streams.set(account, (stream = new AccountStream(account, this.parts.report)));
    const entered = stream;
    entered.enter(client);
    return () => entered.leave(client);
  }

  /** The account was deleted; its key creates a new one. */
  #dropped(account: Account): void {
    this.#streams.get(account)?.close();
    this.#streams.delete(account);
    for (const [client, { account: its }] of [...this.#clients]) {
      if (its === account) client.close(closeCodes.goingAway, 'the account was deleted');
    }
  }

  #nextBeat(): Cancel {
    return this.parts.host.setTimer(
      beatMs,
      () => {
        for (const client of [...this.#clients.keys()]) client.beat();
        this.#beat = this.#clients.size > 0 ? this.#nextBeat() : null;
      },
      { unref: true },
    );
  }

  #lastResponses(): Promise<void> {
    const idle = Promise.all([...this.#clients.values()].map(async ({ tunnel }) => tunnel?.idle()));
    return new Promise((resolve) => {
      const cancel = this.parts.host.setTimer(lastResponsesMs, resolve);
      void idle.then(() => {
        cancel();
        // Their results are recorded and sent before connections are closed.
        this.parts.host.defer(resolve);
      });
    });
  }
}
