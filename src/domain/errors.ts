import type { MessageError } from './rows.js';

/**
 * Codes are public, so they are never renamed. The statuses are defaults; the dialect can replace them for the API
 * plane.
 */
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
  wait_interrupted: [409, 'control', 'The account was reset, restored or deleted while the call was under way.'],
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

export type ErrorCode = keyof typeof rows;

export const errorTable = Object.fromEntries(
  Object.entries(rows).map(([code, [status, plane, title]]) => [code, { status, plane, title }]),
) as Readonly<Record<ErrorCode, { status: number; plane: 'api' | 'control' | 'both'; title: string }>>;

export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
  readonly [more: string]: unknown;
}

export interface ServiceErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
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

export function invalidField(field: string, message: string): ServiceError {
  return new ServiceError('validation_error', `${field} ${message}.`, { details: [{ field, message }] });
}

/** `what` is a plural, such as `webhooks`; `remedy` says how to free space, as a sentence. */
export function limitReached(present: number, what: string, remedy: string): ServiceError {
  return new ServiceError('limit_reached', `Limit reached: this account already has ${present} ${what}. ${remedy}`);
}

/** `code` is the stable name, `channelCode` the channel's own number, and `message` one full sentence. */
export interface ChannelError {
  readonly code: string;
  readonly channelCode: number;
  readonly message: string;
}

const channelRows = {
  undeliverable: [131026, 'The message could not be delivered because the number is not reachable on the channel.'],
  not_delivered_by_channel: [131049, 'The channel chose not to deliver the message, to keep the recipient engaged.'],
  recipient_in_experiment: [130472, 'The recipient is part of a channel experiment and receives no such messages.'],
  recipient_opted_out: [131050, 'The recipient has opted out of marketing messages from this business.'],
  media_upload_failed: [131053, 'The media file could not be uploaded to the channel.'],
  media_download_failed: [131052, 'The media file could not be downloaded from its source.'],
  window_closed: [131047, 'The session window is closed: more than 24 hours passed since the customer last wrote.'],
  spam_rate_limited: [131048, 'The message was held back because too many earlier messages were reported as spam.'],
  pair_rate_limited: [131056, 'Too many messages were sent to this recipient in a short time.'],
  throughput_limited: [130429, 'The account sent more messages per second than its throughput allows.'],
  account_locked: [131031, 'The account is locked by the channel and cannot send messages.'],
  policy_blocked: [368, 'The account is temporarily blocked for breaking a policy of the channel.'],
  country_restricted: [130497, 'The account is not allowed to send messages to the country of the recipient.'],
  payment_issue: [131042, 'The message was not sent because the payment method of the account has a problem.'],
  recipient_is_sender: [131021, 'The recipient and the sender are the same number.'],
  unsupported_message_type: [131051, 'The channel does not support this type of message.'],
  template_paused: [132015, 'The template is paused because of its low quality and cannot be sent.'],
  template_disabled: [132016, 'The template is permanently disabled, because it was paused too often for low quality.'],
  template_text_too_long: [132005, 'The text of the template is too long once its variables are filled in.'],
  template_parameter_format: [132012, 'A variable of the template has a format the template does not allow.'],
  service_unavailable: [131016, 'The channel is temporarily unavailable.'],
  account_in_maintenance: [131057, 'The account is in maintenance and cannot send messages for now.'],
  unknown_error: [131000, 'The channel failed for an unknown reason.'],
} as const satisfies Record<string, readonly [number, string]>;

export const channelErrors: readonly ChannelError[] = (Object.keys(channelRows) as (keyof typeof channelRows)[]).map(
  channelError,
);

export function channelError(code: keyof typeof channelRows): ChannelError {
  const [channelCode, message] = channelRows[code];
  return { code, channelCode, message };
}

const byKey = new Map<string, ChannelError>(
  channelErrors.flatMap((error): [string, ChannelError][] => [
    [error.code, error],
    [String(error.channelCode), error],
  ]),
);

export function findChannelError(nameOrNumber: string | number): ChannelError | undefined {
  return byKey.get(String(nameOrNumber));
}

export function messageErrorOf({ code, message, channelCode }: ChannelError): MessageError {
  return { code, message, channel_code: channelCode };
}

/** A failed message always has an error, even if none was specified. */
export const someFailure: MessageError = messageErrorOf(channelError('undeliverable'));
