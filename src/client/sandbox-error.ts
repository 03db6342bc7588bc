/** One reason of an error. A scenario's problems carry their place as well: `file`, `line`, `column`, `path`. */
export interface SandboxErrorDetail {
  readonly message: string;
  readonly [fact: string]: unknown;
}

export interface SandboxErrorParts {
  readonly status?: number | null;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly SandboxErrorDetail[];
  readonly cause?: unknown;
}

/**
 * What every failed call of the library rejects with (contract §8). `code` is one of the sandbox's own codes
 * (`validation_error`, `wait_timeout`, …), or, when no sandbox answered: `invalid_option`, `start_failed`,
 * `unreachable`, `not_a_sandbox`, `closed`.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  /** HTTP status of the refusal; null when there was no answer. */
  readonly status: number | null;
  readonly code: string;
  readonly details: readonly SandboxErrorDetail[];

  constructor({ status = null, code, message, details = [], cause }: SandboxErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** For an option of ours that cannot be used: what was found, what is allowed. */
export function invalidOption(message: string, cause?: unknown): SandboxError {
  return new SandboxError({ code: 'invalid_option', message, ...(cause !== undefined && { cause }) });
}
