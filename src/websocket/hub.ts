/**
 * Every live socket of the sandbox: those that watch an account, those that are a tunnel, and those that are both
 * (contract §4, last row; §6c).
 */
import type { WebSocket } from 'ws';
import type { Account } from '../account/account.js';
import type { Accounts } from '../accounts/registry.js';
import type { Cancel, HostTime } from '../time/system-clock.js';
import type { Tunnels } from '../webhooks/tunnels.js';
import { brokenOff, closeCodes, LiveClient } from './client.js';
import type { ConnectionFrame } from './frame.js';
import { Room } from './account-stream.js';
import { TunnelEndpoints, type TunnelWish } from './tunnel-endpoints.js';
import { Tunnel } from './tunnel.js';

export interface LiveHubParts {
  readonly accounts: Accounts;
  readonly tunnels: Tunnels;
  readonly host: HostTime;
  /** Cap on an attempt, told to tunnels. */
  readonly webhookTimeoutMs: number;
  /** Told of what goes wrong while telling. */
  readonly report: (error: unknown) => void;
}

/** What a client asks for when it connects. */
export interface LiveWish {
  readonly account: Account;
  /** Records after this number first; null: only what comes. */
  readonly after: number | null;
  readonly tunnel: TunnelWish | null;
}

/** Sockets open at once, per sandbox. */
export const maxSockets = 1000;
/** A healthy client is behind by kilobytes; one that is behind by so much does not read. */
const mostBufferedBytes = 8 * 1024 * 1024;
/** Machine milliseconds between two signs of life. Below the minute after which proxies cut idle connections. */
const beatMs = 30_000;
/** Machine milliseconds that requests in tunnels get when the sandbox stops. */
const lastAnswersMs = 1000;
/** … and that clients get to say goodbye too: the whole stop may take 5 s (contract §8). */
const lastGoodbyeMs = 500;
/** Codes of clients that leave on purpose: said so, closed the page, or closed without a code. */
const goodbyes: readonly number[] = [closeCodes.normal, closeCodes.goingAway, 1005];

export class LiveHub {
  readonly #parts: LiveHubParts;
  readonly #rooms = new Map<Account, Room>();
  readonly #clients = new Map<LiveClient, LiveWish>();
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

  connect(socket: WebSocket, wish: LiveWish): void {
    let leave = (_code: number): void => undefined;
    const client = new LiveClient(socket, {
      host: this.#parts.host,
      mostBufferedBytes,
      onText: (text) => this.#heard(client, text),
      onGone: (code) => {
        this.#clients.delete(client);
        leave(code);
      },
    });
    this.#clients.set(client, wish);
    this.#beat ??= this.#nextBeat();
    const leaves = [this.#openTunnel(client, wish), this.#enterRoom(client, wish)];
    leave = (code) => {
      for (const each of leaves) each(code);
    };
    // It may have gone while it was let in.
    if (client.gone) leave(brokenOff);
  }

  /** Lets requests in tunnels come to their end for a while, then says goodbye to everyone. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#lastAnswers();
    this.#beat?.();
    this.#endpoints.close();
    for (const room of this.#rooms.values()) room.close();
    const clients = [...this.#clients.keys()];
    for (const client of clients) client.close(closeCodes.goingAway, 'the sandbox stops');
    const cancel = this.#parts.host.setTimer(lastGoodbyeMs, () => {
      for (const client of clients) client.terminate();
    });
    await Promise.all(clients.map((client) => client.ended()));
    cancel();
  }

  /** @returns what to do when the client is gone */
  #openTunnel(client: LiveClient, { account, tunnel: wish }: LiveWish): (code: number) => void {
    if (wish === null) return () => undefined;
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
    const { id, url, secret, events } = this.#endpoints.attach(account, wish, end);
    const { webhookTimeoutMs } = this.#parts;
    say({ kind: 'tunnel.ready', data: { webhook_id: id, url, secret, events, timeout_ms: webhookTimeoutMs } });
    return (code) => {
      this.#tunnels.delete(client);
      this.#endpoints.detach(account, id, end, goodbyes.includes(code));
      tunnel.end();
    };
  }

  /** A tunnel watches too only when it says from where: it has enough to do. */
  #enterRoom(client: LiveClient, { account, after, tunnel }: LiveWish): (code: number) => void {
    if (tunnel !== null && after === null) return () => undefined;
    let room = this.#rooms.get(account);
    if (!room) this.#rooms.set(account, (room = new Room(account, this.#parts.report)));
    const entered = room;
    entered.enter(client, after);
    return () => entered.leave(client);
  }

  #heard(client: LiveClient, text: string): void {
    const tunnel = this.#tunnels.get(client);
    if (tunnel) {
      tunnel.hear(text);
      return;
    }
    const message =
      'This socket only tells. Connect with tunnel=1 to answer deliveries; everything else is an HTTP call.';
    const frame: ConnectionFrame = { kind: 'error', data: { code: 'validation_error', message } };
    client.send(JSON.stringify(frame));
  }

  /** The account is gone; whoever comes back under its key meets a new one. */
  #dropped(account: Account): void {
    this.#rooms.get(account)?.close();
    this.#rooms.delete(account);
    for (const [client, wish] of [...this.#clients]) {
      if (wish.account === account) client.close(closeCodes.goingAway, 'the account was dropped');
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

  #lastAnswers(): Promise<void> {
    const idle = Promise.all([...this.#tunnels.values()].map((tunnel) => tunnel.idle()));
    return new Promise((resolve) => {
      const cancel = this.#parts.host.setTimer(lastAnswersMs, resolve);
      void idle.then(() => {
        cancel();
        // What came of them is recorded, and told, before anybody is sent away.
        this.#parts.host.defer(resolve);
      });
    });
  }
}
