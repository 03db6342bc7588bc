/**
 * The reasons why an attempt failed: the texts of its record (`SendFailure`), and the underlying errors of a
 * connection.
 */

/** The reason why an attempt failed. Stable: tests and scenario files may compare it. */
export type SendErrorCode =
  | 'non_2xx'
  | 'redirect_not_followed'
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'host_unreachable'
  | 'dns_not_found'
  | 'dns_failed'
  | 'tls_error'
  | 'invalid_response'
  | 'invalid_request'
  | 'invalid_url'
  | 'public_destination_blocked'
  | 'sink_not_available'
  | 'tunnel_closed'
  | 'sender_closed'
  | 'internal_error';

export interface SendError {
  readonly code: SendErrorCode;
  /** A full sentence: what happened, with the values involved. */
  readonly message: string;
}

/** The reason why an attempt got no response, in the text of the attempt's record. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  constructor(
    readonly code: SendErrorCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** No connection was established; `cause` is the error of the system or of TLS. No part of the request was sent. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  constructor(cause: unknown) {
    super('the connection could not be opened', { cause });
  }
}

const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Whether the peer closed or reset the connection. */
export function isHangUp(error: unknown): boolean {
  const code = codeOf(error);
  // undici uses one code for a closed connection and for a response that it cannot accept ("bad response", "bad upgrade").
  return HANG_UPS.has(code) || (code === 'UND_ERR_SOCKET' && !/^bad /.test((error as Error).message));
}

/** The `code` of errors of Node and undici; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
