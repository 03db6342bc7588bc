import { errorTable, type ErrorCode } from '../domain/errors.js';

/**
 * The dialect: the decisions on open points of the interface document that a user can change, by a YAML file for `--dialect`.
 * The API plane reads nothing else to make them.
 */
export interface Dialect {
  readonly http: {
    /** Status of a created template or a registered endpoint. */
    readonly created: 200 | 201;
    /** Status of a removed endpoint: 204 has no body, 200 has `{id, deleted}`. */
    readonly deleted: 204 | 200;
  };
  readonly errors: {
    /** `nested`: `{"error": {code, message}}`; `flat`: `{code, message}`. */
    readonly envelope: 'nested' | 'flat';
    /** HTTP statuses that differ from those in the error table. */
    readonly status: Readonly<Partial<Record<ErrorCode, number>>>;
  };
  readonly otp: {
    /**
     * When the last wrong code locks: with `next_call`, it still gets `valid: false` and 0 remaining; with `same_call`,
     * it gets `otp_max_attempts`.
     */
    readonly lock: 'next_call' | 'same_call';
  };
  readonly templates: {
    /** Whether lookups return the `buttons` of a template, which are not among the listed fields. */
    readonly echo_buttons: boolean;
  };
  readonly webhooks: {
    /** Whether to send `X-Service-Event`, `-Event-Id`, `-Delivery` and `-Attempt` in addition to the signature. */
    readonly extra_headers: boolean;
    /**
     * What pauses an endpoint. `delivery`: one delivery that fails for 24 hours; `endpoint`: 24 hours without any
     * success.
     */
    readonly pause: 'delivery' | 'endpoint';
    /** Whether a registration that resumes an endpoint delivers only new events, or also held ones. */
    readonly resume: 'new' | 'held';
  };
}

/** The defaults without a dialect file. */
export const defaultDialect: Dialect = Object.freeze({
  http: Object.freeze({ created: 200, deleted: 204 }),
  errors: Object.freeze({ envelope: 'nested', status: Object.freeze({}) }),
  otp: Object.freeze({ lock: 'next_call' }),
  templates: Object.freeze({ echo_buttons: false }),
  webhooks: Object.freeze({ extra_headers: true, pause: 'delivery', resume: 'new' }),
} as const);

/** One key of a dialect file, with its allowed values. */
export interface DialectSetting {
  /** Dotted key, the same in the file, in `x-setting` marks and in docs/assumptions.md. */
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

/** Every key that a dialect file can have: the settings, and a status for each error code of the API plane. */
export const dialectKeys: readonly string[] = [
  ...dialectSettings.map(({ key }) => key),
  ...Object.entries(errorTable).flatMap(([code, { plane }]) => (plane === 'control' ? [] : `errors.status.${code}`)),
];
