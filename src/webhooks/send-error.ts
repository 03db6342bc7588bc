import type { sendErrors } from '../domain/words.js';

export type SendErrorCode = (typeof sendErrors)[number];

export interface SendError {
  readonly code: SendErrorCode;
  readonly message: string;
}

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
