import type { Socket } from 'node:net';
import type { HostTime } from '../../time/system-clock.js';
import { AnswerReader, type AnswerListener } from './answer-reader.js';
import type { Cutoff } from './cutoff.js';
import { BrokenBodyError, ConnectError, HangUpError, StaleConnectionError, isStale } from './exchange-errors.js';
import { openSocket } from './peer.js';
import type { Peer } from './peer.js';
import { requestBytes } from './request-bytes.js';

/** One request and what wants to hear of its answer. Always a POST. To stop listening ends it well, and the connection. */
export interface Exchange extends AnswerListener {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A string stands for its UTF-8 bytes. */
  readonly body: string | Buffer;
  /** Called when a connection is there and the request goes out. */
  readonly onOpen: () => void;
}

/** An exchange that is under way. */
interface Turn {
  readonly exchange: Exchange;
  /** Whether the socket has served before. */
  readonly reused: boolean;
  readonly startedAtMs: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly stopListening: () => void;
  /** Whether the request has gone out. */
  sent: boolean;
  /** Whether anything of an answer has come. */
  heard: boolean;
}

/** One socket to a peer, for one exchange at a time. */
export class Connection {
  readonly #socket: Socket;
  readonly #host: HostTime;
  readonly #reader = new AnswerReader();
  #connected = false;
  #turn: Turn | null = null;
  #idleMs = 0;

  constructor(
    peer: Peer,
    host: HostTime,
    /** Called when the socket closes, for whatever reason. */
    onClose: () => void,
  ) {
    this.#host = host;
    const socket = (this.#socket = openSocket(peer));
    socket.once(peer.tls === 'none' ? 'connect' : 'secureConnect', () => {
      this.#connected = true;
      this.#write();
    });
    socket.on('data', (bytes: Buffer) => this.#hear(bytes));
    socket.on('end', () => (this.#reader.endsWithConnection ? this.#finish(0) : this.#fail(new HangUpError())));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => {
      this.#fail(new HangUpError());
      onClose();
    });
    socket.on('timeout', () => {
      if (this.#turn === null) socket.destroy();
    });
  }

  /** Whether another exchange can be made. */
  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /**
   * Makes the exchange; resolves when the answer is complete or nobody wants more of it.
   * @throws the errors of `exchange-errors.ts`, the system's, or the cutoff's reason.
   */
  post(exchange: Exchange, cutoff: Cutoff): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#turn = {
        exchange,
        reused: this.#connected,
        startedAtMs: this.#host.monotonic(),
        resolve,
        reject,
        stopListening: cutoff.onCut((reason) => this.destroy(reason)),
        sent: false,
        heard: false,
      };
      if (this.#connected) this.#write();
    });
  }

  /** Ends the socket at once, one that is still being opened included; an exchange ends with `reason`. Idempotent. */
  destroy(reason: Error = new HangUpError()): void {
    const turn = this.#endTurn();
    this.#socket.destroy();
    turn?.reject(reason);
  }

  /** At the end of this turn of the event loop, with whatever else leaves: see docs/decisions/012. */
  #write(): void {
    const turn = this.#turn;
    if (turn === null) return;
    this.#reader.expect(turn.exchange);
    this.#host.defer(() => {
      if (turn === this.#turn) this.#send(turn);
    });
  }

  #send(turn: Turn): void {
    const { exchange } = turn;
    turn.sent = true;
    try {
      const bytes = requestBytes(exchange.path, exchange.headers, exchange.body);
      exchange.onOpen();
      this.#socket.ref().write(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  #hear(bytes: Buffer): void {
    if (this.#turn?.sent !== true) {
      // It speaks without having been asked: whose answer would the next one be?
      this.#socket.destroy();
      return;
    }
    this.#turn.heard = true;
    try {
      const progress = this.#reader.take(bytes);
      if (progress !== 'more') this.#finish(progress === 'whole' ? this.#reader.idleMs : 0);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param idleMs how long the connection waits for the next exchange; 0: it is closed. */
  #finish(idleMs: number): void {
    const turn = this.#endTurn();
    // An answer may come before all of the request has gone out; the rest must not lead the next one.
    if (idleMs === 0 || this.#socket.writableLength > 0) this.#socket.destroy();
    else this.#rest(idleMs);
    turn?.resolve();
  }

  #rest(idleMs: number): void {
    // The socket's own timer and not one of the host's: Node keeps one for all sockets of the same patience and only notes
    // when each was used last, where we would make and take back a timer with every delivery. No account sees when it
    // strikes: it closes a connection that nobody uses, and whoever comes later opens another.
    if (idleMs !== this.#idleMs) this.#socket.setTimeout(idleMs);
    this.#idleMs = idleMs;
    // Nobody waits for an idle connection: it does not keep the process alive.
    this.#socket.unref();
  }

  #fail(error: unknown): void {
    const turn = this.#endTurn();
    this.#socket.destroy();
    turn?.reject(this.#explain(error, turn));
  }

  #explain(error: unknown, { reused, heard, startedAtMs }: Turn): unknown {
    if (!this.#connected) return new ConnectError(error);
    if (this.#reader.begun) return new BrokenBodyError(this.#reader.bytes, error);
    if (isStale(error, { reused, heard, tookMs: this.#host.monotonic() - startedAtMs })) {
      return new StaleConnectionError('the peer had closed the connection', { cause: error });
    }
    return error;
  }

  #endTurn(): Turn | null {
    const turn = this.#turn;
    this.#turn = null;
    turn?.stopListening();
    return turn;
  }
}
