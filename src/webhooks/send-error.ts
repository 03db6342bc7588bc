/** The reasons for which an attempt can fail: their codes, and the error that carries one. */

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
