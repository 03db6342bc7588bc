/**
 * Every error that the sandbox responds with, as one table ("Errors" in the interface document). Codes are public, so they are
 * never renamed. The statuses are defaults; the dialect may replace them for the codes of the API plane.
 */

interface ErrorRow {
  /** HTTP status, unless the dialect's `errors.status` overrides it. */
  readonly status: number;
  /** One line for documentation: when it happens. */
  readonly title: string;
  /** Where the error can occur: in the emulated service (`/v1`), in the control plane (`/_sandbox`), or in both. */
  readonly plane: 'api' | 'control' | 'both';
}

/** Code → status, title and plane, in the order of the statuses. */
export const errorTable = {
  validation_error: { status: 400, plane: 'both', title: 'The request is malformed or a field is invalid.' },
  send_failed: { status: 400, plane: 'api', title: 'The 24-hour session window of this customer is closed.' },
  no_default_otp_template: {
    status: 400,
    plane: 'api',
    title: 'No template was named and the account has no approved authentication template.',
  },
  template_not_approved: {
    status: 400,
    plane: 'api',
    title: 'The template exists but is pending, rejected, paused or deleted.',
  },
  template_variables_mismatch: {
    status: 400,
    plane: 'api',
    title: 'The number of variables differs from what the template takes.',
  },
  scenario_invalid: { status: 400, plane: 'control', title: 'The scenario has errors; all of them are listed.' },
  unauthorized: {
    status: 401,
    plane: 'both',
    title: 'The Authorization header is missing or its key is not accepted.',
  },
  forbidden: {
    status: 403,
    plane: 'both',
    title: 'The caller is not allowed: foreign host, or a web page of another origin.',
  },
  not_found: { status: 404, plane: 'both', title: 'The account has nothing with that path or id.' },
  template_not_found: {
    status: 404,
    plane: 'api',
    title: 'The account has no template with that name in that language.',
  },
  method_not_allowed: { status: 405, plane: 'both', title: 'The path exists, but not with this method; see Allow.' },
  request_timeout: { status: 408, plane: 'both', title: 'The complete request did not arrive in time.' },
  wait_timeout: { status: 408, plane: 'control', title: 'Too few records matched in time.' },
  idle_timeout: { status: 408, plane: 'control', title: 'The account was still busy at the end of the timeout.' },
  template_exists: { status: 409, plane: 'api', title: 'The account already used that template name.' },
  illegal_transition: { status: 409, plane: 'control', title: 'That state cannot follow the current one.' },
  clock_advancing: { status: 409, plane: 'control', title: "The account's clock is already being advanced." },
  certification_running: { status: 409, plane: 'control', title: 'The endpoint is already being certified.' },
  wait_interrupted: { status: 409, plane: 'control', title: 'The account was deleted during the wait.' },
  clock_interrupted: {
    status: 409,
    plane: 'control',
    title: 'The account was reset or deleted during the advance.',
  },
  clock_loop: {
    status: 409,
    plane: 'control',
    title: 'Jobs cause each other in an endless loop; the advance was stopped.',
  },
  name_taken: { status: 409, plane: 'control', title: 'The name is already in use.' },
  otp_expired: { status: 410, plane: 'api', title: 'The code was not verified before expires_at.' },
  payload_too_large: { status: 413, plane: 'both', title: 'The body is larger than 1 MB.' },
  unsupported_media_type: { status: 415, plane: 'both', title: 'The body is not sent as application/json.' },
  expectation_failed: {
    status: 417,
    plane: 'both',
    title: 'The request has an Expect header other than 100-continue.',
  },
  otp_max_attempts: { status: 429, plane: 'api', title: 'Too many wrong codes: this otp_id is locked.' },
  rate_limited: { status: 429, plane: 'api', title: 'A scenario limits the rate; Retry-After says how long to wait.' },
  limit_reached: { status: 429, plane: 'both', title: 'A limit of the sandbox is reached.' },
  headers_too_large: { status: 431, plane: 'both', title: 'The headers of the request are larger than 16 KB.' },
  internal_error: { status: 500, plane: 'both', title: 'The sandbox failed, or a scenario caused this response.' },
  store_unavailable: {
    status: 503,
    plane: 'both',
    title: "The data directory cannot be written now, or the account's file there is from a later version.",
  },
} as const satisfies Record<string, ErrorRow>;

/** Any code of the table. */
export type ErrorCode = keyof typeof errorTable;

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
