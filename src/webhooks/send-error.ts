/** The error that carries the reason for which an attempt failed. */
import type { sendErrors } from '../domain/words.js';

export type SendErrorCode = (typeof sendErrors)[number];

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
