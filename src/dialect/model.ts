import { errorTable, type ErrorCode } from '../domain/errors.js';

/** The decisions that are a choice, with their allowed values; the first is the default without a dialect file. */
const choices = {
  /** Status of a created template or a registered endpoint. */
  http: { created: [200, 201] },
  /** `nested`: `{"error": {code, message}}`; `flat`: `{code, message}`. */
  errors: { envelope: ['nested', 'flat'] },
  /**
   * When the last wrong code locks: with `next_call`, it still gets `valid: false` and 0 remaining; with `same_call`,
   * it gets `otp_max_attempts`.
   */
  otp: { lock: ['next_call', 'same_call'] },
  webhooks: {
    /** Whether to send `X-Service-Event`, `-Event-Id`, `-Delivery` and `-Attempt` in addition to the signature. */
    extra_headers: [true, false],
    /** Whether a registration that resumes an endpoint delivers only new events, or also held ones. */
    resume: ['new', 'held'],
  },
} as const;

type OneOfEach<T> = {
  readonly [Name in keyof T]: T[Name] extends readonly (infer Value)[] ? Value : OneOfEach<T[Name]>;
};

/**
 * The dialect: the decisions on open points of the interface document that a user can change, by a YAML file for `--dialect`.
 * The API plane reads nothing else to make them.
 */
export type Dialect = OneOfEach<typeof choices> & {
  /** HTTP statuses that differ from those in the error table. */
  readonly errors: { readonly status: Readonly<Partial<Record<ErrorCode, number>>> };
};

export type DialectValue = string | number | boolean;

/** One key of a dialect file, with its allowed values. */
export interface DialectSetting {
  /** Dotted key, the same in the file, in `x-setting` marks and in docs/assumptions.md. */
  readonly key: string;
  /** The allowed values, the default first. */
  readonly allowed: readonly DialectValue[];
}

export const dialectSettings: readonly DialectSetting[] = Object.entries(choices).flatMap(([section, values]) =>
  Object.entries<readonly DialectValue[]>(values).map(([name, allowed]) => ({ key: `${section}.${name}`, allowed })),
);

/** Returns the dialect with these values, by dotted key. */
export function withSettings(dialect: Dialect, values: Iterable<readonly [key: string, value: unknown]>): Dialect {
  const copy: unknown = structuredClone(dialect);
  for (const [key, value] of values) {
    const names = key.split('.');
    const last = names.pop() ?? '';
    const section = names.reduce((outer, name) => (outer[name] ??= {}) as Section, copy as Section);
    section[last] = value;
  }
  return copy as Dialect;
}

interface Section {
  [name: string]: unknown;
}

/** The defaults without a dialect file. */
export const defaultDialect: Dialect = withSettings({} as Dialect, [
  ...dialectSettings.map(({ key, allowed: [standard] }) => [key, standard] as const),
  ['errors.status', {}],
]);

/** Stands for one setting per error code in documents, such as `errors.status.otp_expired`. */
export const statusSetting = 'errors.status.CODE';

/** HTTP statuses that an error can have. */
export const statusRange = { least: 400, most: 599 } as const;

/** Every key that a dialect file can have: the settings, and a status for each error code of the API plane. */
export const dialectKeys: readonly string[] = [
  ...dialectSettings.map(({ key }) => key),
  ...Object.entries(errorTable).flatMap(([code, { plane }]) => (plane === 'control' ? [] : `errors.status.${code}`)),
];
