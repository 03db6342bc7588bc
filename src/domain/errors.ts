/**
 * Every error that the sandbox responds with, as one table ("Errors" in the interface document). Codes are public, so they are
 * never renamed. The statuses are defaults; the dialect may replace them for the codes of the API plane.
 */

/** Code → status, plane (the emulated service `/v1`, the control plane `/_sandbox`, or both) and when it happens. */
const rows = {
  validation_error: [400, 'both', 'The request is malformed or a field is invalid.'],
  send_failed: [400, 'api', 'The 24-hour session window of this customer is closed.'],
  no_default_otp_template: [
    400,
    'api',
    'No template was named and the account has no approved authentication template.',
  ],
  template_not_approved: [400, 'api', 'The template exists but is pending, rejected, paused or deleted.'],
  template_variables_mismatch: [400, 'api', 'The number of variables differs from what the template takes.'],
  undeliverable: [400, 'api', 'A magic number or a rule rejects the recipient.'],
  scenario_invalid: [400, 'control', 'The scenario has errors; all of them are listed.'],
  unauthorized: [401, 'both', 'The Authorization header is missing or its key is not accepted.'],
  forbidden: [403, 'both', 'The caller is not allowed: foreign host, or a web page of another origin.'],
  not_found: [404, 'both', 'The account has nothing with that path or id.'],
  template_not_found: [404, 'api', 'The account has no template with that name in that language.'],
  method_not_allowed: [405, 'both', 'The path exists, but not with this method; see Allow.'],
  request_timeout: [408, 'both', 'The complete request did not arrive in time.'],
  wait_timeout: [408, 'control', 'Too few records matched in time.'],
  idle_timeout: [408, 'control', 'The account was still busy at the end of the timeout.'],
  template_exists: [409, 'api', 'The account already used that template name.'],
  illegal_transition: [409, 'control', 'That state cannot follow the current one.'],
  clock_advancing: [409, 'control', "The account's clock is already being advanced."],
  certification_running: [409, 'control', 'The endpoint is already being certified.'],
  wait_interrupted: [409, 'control', 'The account was deleted during the wait.'],
  clock_interrupted: [409, 'control', 'The account was reset or deleted during the advance.'],
  clock_loop: [409, 'control', 'Jobs cause each other in an endless loop; the advance was stopped.'],
  name_taken: [409, 'control', 'The name is already in use.'],
  otp_expired: [410, 'api', 'The code was not verified before expires_at.'],
  payload_too_large: [413, 'both', 'The body is larger than 1 MB.'],
  unsupported_media_type: [415, 'both', 'The body is not sent as application/json.'],
  expectation_failed: [417, 'both', 'The request has an Expect header other than 100-continue.'],
  otp_max_attempts: [429, 'api', 'Too many wrong codes: this otp_id is locked.'],
  rate_limited: [429, 'api', 'A scenario limits the rate; Retry-After says how long to wait.'],
  limit_reached: [429, 'both', 'A limit of the sandbox is reached.'],
  headers_too_large: [431, 'both', 'The headers of the request are larger than 16 KB.'],
  internal_error: [500, 'both', 'The sandbox failed, or a scenario caused this response.'],
  service_unavailable: [503, 'api', 'A magic number or a rule makes the channel unavailable.'],
  store_unavailable: [
    503,
    'both',
    "The data directory cannot be written now, or the account's file there is from a later version.",
  ],
} as const satisfies Record<string, readonly [status: number, plane: 'api' | 'control' | 'both', title: string]>;

/** Any code of the table. */
export type ErrorCode = keyof typeof rows;

/** In the order of the statuses. */
export const errorTable = Object.fromEntries(
  Object.entries(rows).map(([code, [status, plane, title]]) => [code, { status, plane, title }]),
) as Readonly<Record<ErrorCode, { status: number; plane: 'api' | 'control' | 'both'; title: string }>>;

/** One detail of an error: the field and the reason. Fields are dotted paths such as `buttons[1].title`. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
  readonly [more: string]: unknown;
}

export interface ServiceErrorOptions {
  readonly details?: readonly ErrorDetail[];
  /** Response headers that belong to the error, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** More properties for the error object, in addition to code and message. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error class that operations throw; the HTTP side turns it into the error envelope. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    if (options.details) this.details = options.details;
    if (options.headers) this.headers = options.headers;
    if (options.extra) this.extra = options.extra;
  }
}

/**
 * The error of a call with one invalid field.
 * @param message the reason, to follow the field's name
 */
export function invalidField(field: string, message: string): ServiceError {
  return new ServiceError('validation_error', `${field} ${message}.`, { details: [{ field, message }] });
}
