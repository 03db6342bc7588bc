/** One connected client: sends without waiting, and lets go of whoever does not keep up (contract §4, architecture: live). */
import type { WebSocket } from 'ws';
import type { HostTime } from '../time/system-clock.js';

/** Close codes of RFC 6455, §7.4. */
export const closeCodes = { normal: 1000, goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

export interface ClientParts {
  readonly host: HostTime;
  /** Bytes that may wait for the client to read; with more than these it counts as too slow. */
  readonly mostBufferedBytes: number;
  readonly onText: (text: string) => void;
  /** Once, when nothing can be sent any more. `code` 1006: the connection broke without a word. */
  readonly onGone: (code: number) => void;
}

/** Machine milliseconds that a client gets to take its leave. */
const farewellMs = 5000;
/** What RFC 6455 calls a connection that ended without a word. */
export const brokenOff = 1006;

export class LiveClient {
  readonly #socket: WebSocket;
  readonly #parts: ClientParts;
  #answered = true;
  #gone = false;

  constructor(socket: WebSocket, parts: ClientParts) {
    this.#socket = socket;
    this.#parts = parts;
    socket.on('pong', () => (this.#answered = true));
    socket.on('message', (data) => {
      this.#answered = true;
      if (!this.#gone) parts.onText(textOf(data));
    });
    // What went wrong shows in the code of the close that follows.
    socket.on('error', () => undefined);
    socket.on('close', (code) => this.#leave(code));
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Bytes sent that wait for the client to read. */
  get unread(): number {
    return this.#socket.bufferedAmount;
  }

  /** @param taken called when the text has left the process; never when the client is gone */
  send(text: string, taken?: () => void): void {
    if (this.#gone) return;
    const { mostBufferedBytes } = this.#parts;
    // Judged before, not after: a single frame may be larger than what may wait, and must not be refused for ever.
    if (this.unread > mostBufferedBytes) {
      this.drop(`too slow: over ${Math.round(mostBufferedBytes / 1024)} KiB unread; connect again with after=SEQ`);
      return;
    }
    this.#socket.send(text, (error) => {
      if (!error && !this.#gone) taken?.();
    });
  }

  /** Lets go of a client that does not keep up; it may come back and go on from where it was. */
  drop(reason: string): void {
    this.close(closeCodes.tryAgainLater, reason);
  }

  /** @param reason at most 123 bytes */
  close(code: number, reason: string): void {
    if (this.#gone) return;
    this.#socket.close(code, reason);
    const cancel = this.#parts.host.setTimer(farewellMs, () => this.#socket.terminate(), { unref: true });
    this.#socket.once('close', cancel);
    this.#leave(code);
  }

  /** Resolves when the connection has ended. */
  ended(): Promise<void> {
    if (this.#socket.readyState === this.#socket.CLOSED) return Promise.resolve();
    return new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  terminate(): void {
    this.#socket.terminate();
    this.#leave(brokenOff);
  }

  /** Called at a steady pace: asks for a sign of life, and ends the connection when the last question had no answer. */
  beat(): void {
    if (this.#gone) return;
    if (!this.#answered) {
      this.terminate();
      return;
    }
    this.#answered = false;
    this.#socket.ping();
  }

  #leave(code: number): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#parts.onGone(code);
  }
}

function textOf(data: Buffer | ArrayBuffer | Buffer[]): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.from(data as Buffer).toString();
}
