/** One connected client: sends without waiting, and disconnects a client that does not keep up. */
import type { WebSocket } from 'ws';
import type { SystemClock } from '../time/system-clock.js';

/** Close codes of RFC 6455, §7.4. */
export const closeCodes = { normal: 1000, goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

export interface ClientParts {
  readonly host: SystemClock;
  /** Number of unread bytes beyond which the client is too slow. */
  readonly mostBufferedBytes: number;
  readonly onText: (text: string) => void;
  /** Called once, when the connection has ended. `code` 1006: without a close frame. */
  readonly onGone: (code: number) => void;
}

/** Real milliseconds that a client has to close the connection. */
const farewellMs = 5000;
/** The code of RFC 6455 for a connection that ended without a close frame. */
export const brokenOff = 1006;

export class LiveClient {
  #alive = true;
  #gone = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly parts: ClientParts,
  ) {
    socket.on('pong', () => (this.#alive = true));
    socket.on('message', (data) => {
      this.#alive = true;
      if (!this.#gone) parts.onText(textOf(data));
    });
    // The close that follows reports the error by its code.
    socket.on('error', () => undefined);
    socket.on('close', (code) => this.#leave(code));
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Disconnects a client that does not keep up; it connects again and reads again. */
  send(text: string): void {
    if (this.#gone) return;
    const { mostBufferedBytes } = this.parts;
    // Checked before sending, because a single frame may be larger than the limit and must still be sent.
    if (this.socket.bufferedAmount > mostBufferedBytes) {
      this.close(closeCodes.tryAgainLater, `too slow: over ${Math.round(mostBufferedBytes / 1024)} KiB unread`);
      return;
    }
    // The close that follows reports an error by its code.
    this.socket.send(text, () => undefined);
  }

  /** @param reason at most 123 bytes */
  close(code: number, reason: string): void {
    if (this.#gone) return;
    this.socket.close(code, reason);
    const cancel = this.parts.host.setTimer(farewellMs, () => this.socket.terminate(), { unref: true });
    this.socket.once('close', cancel);
    this.#leave(code);
  }

  /** Resolves when the connection has ended. */
  ended(): Promise<void> {
    if (this.socket.readyState === this.socket.CLOSED) return Promise.resolve();
    return new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  terminate(): void {
    this.socket.terminate();
    this.#leave(brokenOff);
  }

  /** Called at regular intervals: sends a ping, and ends the connection if the previous one had no pong. */
  beat(): void {
    if (this.#gone) return;
    if (!this.#alive) {
      this.terminate();
      return;
    }
    this.#alive = false;
    this.socket.ping();
  }

  #leave(code: number): void {
    if (this.#gone) return;
    this.#gone = true;
    this.parts.onGone(code);
  }
}

function textOf(data: Buffer | ArrayBuffer | Buffer[]): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.from(data as Buffer).toString();
}
