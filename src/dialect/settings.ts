import type { ApiErrorCode } from '../domain/errors.js';

/** One key of a dialect file, with its allowed values. */
export interface DialectSetting {
  /** Dotted key, the same in the file, in `x-setting` marks and in the list of assumptions. */
  readonly key: string;
  /** The allowed values, the default first. */
  readonly allowed: readonly (string | number | boolean)[];
}

export const dialectSettings = [
  { key: 'http.created', allowed: [200, 201] },
  { key: 'http.deleted', allowed: [204, 200] },
  { key: 'errors.envelope', allowed: ['nested', 'flat'] },
  { key: 'otp.lock', allowed: ['next_call', 'same_call'] },
  { key: 'templates.echo_buttons', allowed: [false, true] },
  { key: 'webhooks.extra_headers', allowed: [true, false] },
  { key: 'webhooks.pause', allowed: ['delivery', 'endpoint'] },
  { key: 'webhooks.resume', allowed: ['new', 'held'] },
] as const satisfies readonly DialectSetting[];

/** Stands for one setting per error code in documents, such as `errors.status.otp_expired`. */
export const statusSetting = 'errors.status.CODE';

/** HTTP statuses that an error can have. */
export const statusRange = { least: 400, most: 599 } as const;

/** The codes with a status setting; the compiler checks that this list matches the error table. */
const statusCodes: Record<ApiErrorCode, true> = {
  validation_error: true,
  send_failed: true,
  no_default_otp_template: true,
  template_not_approved: true,
  template_variables_mismatch: true,
  unauthorized: true,
  forbidden: true,
  not_found: true,
  template_not_found: true,
  method_not_allowed: true,
  request_timeout: true,
  template_exists: true,
  otp_expired: true,
  payload_too_large: true,
  unsupported_media_type: true,
  expectation_failed: true,
  otp_max_attempts: true,
  rate_limited: true,
  limit_reached: true,
  headers_too_large: true,
  internal_error: true,
  store_unavailable: true,
};

/** Every key that a dialect file can have. */
export const dialectKeys: readonly string[] = [
  ...dialectSettings.map((setting) => setting.key),
  ...Object.keys(statusCodes).map((code) => `errors.status.${code}`),
];
