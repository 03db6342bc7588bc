/** One detail of an error. The errors of a scenario also have `file`, `line`, `column` and `path`. */
export interface SandboxErrorDetail {
  readonly message: string;
  readonly [fact: string]: unknown;
}

export interface SandboxErrorParts {
  readonly status?: number | null;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly SandboxErrorDetail[];
  readonly warnings?: readonly SandboxErrorDetail[];
  readonly cause?: unknown;
}

/**
 * The error of every failed call. `code` is one of the sandbox's own codes (`validation_error`, `wait_timeout`, …) or,
 * without a response of a sandbox, `invalid_option`, `start_failed`, `unreachable`, `not_a_sandbox` or `closed`.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  /** HTTP status of the response; null without a response. */
  readonly status: number | null;
  readonly code: string;
  readonly details: readonly SandboxErrorDetail[];
  /** Warnings that accompany the errors of a scenario. */
  readonly warnings: readonly SandboxErrorDetail[];

  constructor({ status = null, code, message, details = [], warnings = [], cause }: SandboxErrorParts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.warnings = warnings;
  }
}

/** The error for an invalid option; the message names the invalid value and the allowed ones. */
export function invalidOption(message: string, cause?: unknown): SandboxError {
  return new SandboxError({ code: 'invalid_option', message, ...(cause !== undefined && { cause }) });
}
