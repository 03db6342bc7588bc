/**
 * Limits the memory of request bodies that are still arriving and of responses that clients have not read yet. They do
 * not belong to an account, so the limits of accounts do not include them.
 */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../domain/errors.js';
import type { SystemClock } from '../time/system-clock.js';

/** For all uploads in progress and all unread responses together. */
export const maxTransferBytes = 64 * 1024 * 1024;

/** Bodies up to this size do not count, so that a full budget never stops an ordinary call. */
export const smallBodyBytes = 16 * 1024;

/** After this time without progress, an unread response may be closed. */
const stalledAfterMs = 1_000;
/** A large response is written in pieces, because each piece that is read shows that the client still reads. */
const pieceBytes = 256 * 1024;

interface Unread {
  readonly response: ServerResponse;
  readonly bytes: number;
  progressMs: number;
}

/** The memory of one request body. */
export interface Upload {
  /**
   * Call it whenever the body takes more memory.
   * @returns `limit_reached` if there is no room; the body must then be discarded
   */
  hold(bytes: number): ServiceError | null;
  end(): void;
}

export class TransferBudget {
  readonly #clock: Pick<SystemClock, 'monotonic' | 'setTimer' | 'defer'>;
  readonly #limit: number;
  readonly #unread = new Set<Unread>();
  #used = 0;
  /** The one upload that may be larger than the whole budget, such as a snapshot. It is not part of `#used`. */
  #largest: Upload | null = null;
  #waiting: (() => void)[] = [];

  constructor(clock: Pick<SystemClock, 'monotonic' | 'setTimer' | 'defer'>, limit = maxTransferBytes) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** @param mostBytes the limit of this body alone */
  upload(mostBytes: number): Upload {
    let held = 0;
    const upload: Upload = {
      hold: (bytes) => {
        if (this.#largest !== upload) {
          const more = bytes - held;
          this.#closeStalled(more);
          if (this.#used + more <= this.#limit) this.#used += more;
          else if (mostBytes <= this.#limit || this.#largest !== null) return noRoom();
          else {
            this.#largest = upload;
            this.#release(held);
          }
        }
        held = bytes;
        return null;
      },
      end: () => {
        if (this.#largest === upload) this.#largest = null;
        else this.#release(held);
        held = 0;
      },
    };
    return upload;
  }

  /** Ends a response with its body, and counts the body until the client has read it. */
  send(response: ServerResponse, body: Buffer): void {
    if (body.length <= smallBodyBytes) {
      response.end(body);
      return;
    }
    const unread = this.#count(response, body.length);
    let at = 0;
    const writeOn = (): void => {
      unread.progressMs = this.#clock.monotonic();
      while (at + pieceBytes < body.length) {
        at += pieceBytes;
        if (response.write(body.subarray(at - pieceBytes, at))) continue;
        response.once('drain', writeOn);
        return;
      }
      response.end(body.subarray(at));
    };
    writeOn();
  }

  /** Ends a response with slices that are made as the client reads them. */
  stream(response: ServerResponse, slices: AsyncIterable<Buffer>): void {
    const unread = this.#count(response, pieceBytes);
    const clock = this.#clock;
    const watched = async function* () {
      for await (const slice of slices) {
        unread.progressMs = clock.monotonic();
        yield slice;
      }
    };
    // After an error, or when the client has gone, the connection is closed: the client sees that the response is incomplete.
    pipeline(watched, response).catch(() => undefined);
  }

  #count(response: ServerResponse, bytes: number): Unread {
    const unread = { response, bytes, progressMs: this.#clock.monotonic() };
    this.#closeStalled(bytes);
    this.#used += bytes;
    this.#unread.add(unread);
    response.once('close', () => this.#forget(unread));
    return unread;
  }

  /** Resolves when the budget has room for a response of unknown size; null if it has room now. */
  room(): Promise<void> | null {
    this.#closeStalled(0);
    if (this.#used <= this.#limit) return null;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#lookAgain();
    });
  }

  #lookAgain(): void {
    this.#clock.setTimer(
      stalledAfterMs,
      () => {
        this.#closeStalled(0);
        if (this.#waiting.length > 0) this.#lookAgain();
      },
      { unref: true },
    );
  }

  /** Closes the responses that have made no progress for the longest time, until `more` bytes fit. */
  #closeStalled(more: number): void {
    if (this.#used + more <= this.#limit) return;
    const nowMs = this.#clock.monotonic();
    const stalled = [...this.#unread].filter(({ progressMs }) => nowMs - progressMs >= stalledAfterMs);
    for (const unread of stalled.sort((a, b) => a.progressMs - b.progressMs)) {
      if (this.#used + more <= this.#limit) return;
      this.#forget(unread);
      unread.response.destroy();
    }
  }

  #forget(unread: Unread): void {
    if (this.#unread.delete(unread)) this.#release(unread.bytes);
  }

  #release(bytes: number): void {
    this.#used -= bytes;
    this.#wake();
  }

  /** Lets one call a turn go on, so that its response is counted before the next call asks for room. */
  #wake(): void {
    if (this.#used > this.#limit) return;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#clock.defer(() => this.#wake());
  }
}

function noRoom(): ServiceError {
  return new ServiceError(
    'limit_reached',
    'Incoming request bodies and unread responses use all the memory that is reserved for ' +
      'them (transfer_bytes in GET /_sandbox/info). Send this body again later, and read responses completely.',
    { headers: { 'Retry-After': '1' } },
  );
}
