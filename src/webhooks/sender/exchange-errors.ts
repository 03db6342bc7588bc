/** How an exchange with a receiver can fail, below the words of an attempt's record (`send-failure.ts`). */

/** No connection came about; `cause` is the system's or TLS's own error. Nothing of the request was sent. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  constructor(cause: unknown) {
    super('the connection could not be opened', { cause });
  }
}

/** The peer closed the connection where an answer was to come. */
export class HangUpError extends Error {
  override readonly name = 'HangUpError';
  constructor() {
    super('the other side closed the connection');
  }
}

/** A kept-alive connection turned out to be closed by the peer; the request may be made again on another. */
export class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
}

/** What came is no HTTP/1.1 answer; the message says what is wrong with it. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
}

/** The answer ended in the middle of its body; `cause` says how. */
export class BrokenBodyError extends Error {
  override readonly name = 'BrokenBodyError';
  constructor(
    readonly bytes: number,
    cause: unknown,
  ) {
    super(`the body broke off after ${bytes} bytes`, { cause });
  }
}

/** A header of ours that HTTP cannot carry. Nothing was sent. */
export class MalformedRequestError extends Error {
  override readonly name = 'MalformedRequestError';
}

const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Whether the peer went away, in whichever manner. */
export function isHangUp(error: unknown): boolean {
  return error instanceof HangUpError || HANG_UPS.has(codeOf(error));
}

/**
 * A peer that closes an idle connection does so within a network round trip of our write. A later hang-up is the
 * receiver's doing (it took the request and died), and must show as a failed attempt.
 */
const staleWithinMs = 1_000;

/** How far an exchange had come when it broke. */
export interface Broken {
  /** Whether the connection had served before. */
  readonly reused: boolean;
  /** Whether anything of an answer had come. */
  readonly heard: boolean;
  readonly tookMs: number;
}

/** Whether the peer had closed a kept connection as we wrote: the request may be made again, on a fresh one (RFC 9112, 9.3.1). */
export function isStale(error: unknown, { reused, heard, tookMs }: Broken): boolean {
  return reused && !heard && tookMs <= staleWithinMs && isHangUp(error);
}

/** The `code` that Node puts on its errors; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
