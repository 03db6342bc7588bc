/** How a connection to a receiver can fail, below the words of an attempt's record (`send-failure.ts`). */

/** No connection was established; `cause` is the error of the system or of TLS. Nothing of the request was sent. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  constructor(cause: unknown) {
    super('the connection could not be opened', { cause });
  }
}

/** The peer had closed a kept-alive connection; the request may be made again on another. */
export class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
  constructor(cause?: unknown) {
    super('the peer had closed the connection', { cause });
  }
}

const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Whether the peer closed or reset the connection. */
export function isHangUp(error: unknown): boolean {
  const code = codeOf(error);
  // undici uses one code for a closed connection and for a response that it cannot accept ("bad response", "bad upgrade").
  return HANG_UPS.has(code) || (code === 'UND_ERR_SOCKET' && !/^bad /.test((error as Error).message));
}

/**
 * A peer that closes an idle connection does so within a network round trip of our write. A later hang-up is caused by
 * the receiver (it took the request and crashed), and must show as a failed attempt.
 */
const staleWithinMs = 1_000;

/** How far an exchange had come when it broke. */
export interface Broken {
  /** Whether the connection had served a request before. */
  readonly reused: boolean;
  /** Whether a byte of a response had arrived. */
  readonly heard: boolean;
  readonly tookMs: number;
}

/** Whether the peer closed a kept connection as we wrote: the request may be made again, on a fresh one (RFC 9112, 9.3.1). */
export function isStale(error: unknown, { reused, heard, tookMs }: Broken): boolean {
  return reused && !heard && tookMs <= staleWithinMs && isHangUp(error);
}

/** The `code` that Node and undici put on their errors; empty when there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
