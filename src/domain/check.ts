/**
 * The shape of a record, once for its type and for the checks of files and uploads. Each check reports the expected and
 * the actual value, by path.
 */
export interface Problem {
  /** The path, such as `tables.messages[3].status`. */
  readonly path: string;
  /** Expected and actual value as one clause, to follow the path. */
  readonly message: string;
}

/** Counts all problems and keeps the first hundred, so that a large invalid file does not fill the memory. */
export class Problems {
  readonly list: Problem[] = [];
  count = 0;

  /** @param isStrict whether the forms of values are checked, too: a person may have edited a snapshot */
  constructor(readonly isStrict = false) {}

  add(path: string, found: unknown, expected: string): void {
    this.count += 1;
    if (this.list.length < 100) this.list.push({ path, message: `must be ${expected}; found ${shown(found)}` });
  }
}

/** Adds the reasons why `value` is not a `T`. The path is built only for a problem. */
export interface Check<T> {
  (value: unknown, path: () => string, problems: Problems): void;
  /** Carries `T`; never set. */
  readonly of?: T;
}

/** A field that may be omitted. */
export interface OptionalCheck<T> {
  readonly optional: Check<T>;
}

/** The checks of an object's fields. */
export type Fields = Readonly<Record<string, Check<unknown> | OptionalCheck<unknown>>>;

/** The type of a checked value. */
export type TypeOf<C> = C extends Check<infer T> ? T : C extends OptionalCheck<infer T> ? T : never;

type OptionalNames<F> = { [K in keyof F]: F[K] extends OptionalCheck<unknown> ? K : never }[keyof F];

/** The type of an object with these fields. */
export type Of<F> = {
  readonly [K in keyof (Omit<F, OptionalNames<F>> & Partial<Pick<F, OptionalNames<F>>>)]: K extends keyof F
    ? TypeOf<F[K]>
    : never;
};

/** The checks of a type that is written out: a field added to it without a check does not compile. */
export type FieldsOf<R> = {
  readonly [K in keyof R]-?: undefined extends R[K] ? OptionalCheck<Exclude<R[K], undefined>> : Check<R[K]>;
};

/** Returns a check of one value. */
export function valueCheck<T>(fits: (value: unknown) => boolean, expected: string): Check<T> {
  return (value, path, problems) => {
    if (!fits(value)) problems.add(path(), value, expected);
  };
}

/** Returns a check that in strict mode also requires a form of the value. */
export function formed<T>(check: Check<T>, fits: (value: T) => boolean, expected: string): Check<T> {
  return (value, path, problems) => {
    const before = problems.count;
    check(value, path, problems);
    if (problems.isStrict && problems.count === before && !fits(value as T)) problems.add(path(), value, expected);
  };
}

export const text = valueCheck<string>((value) => typeof value === 'string', 'a string');
export const bool = valueCheck<boolean>((value) => typeof value === 'boolean', 'true or false');
export const number = valueCheck<number>(Number.isFinite, 'a number');

/** A count or a position: an exact whole number from 0. */
export const count = valueCheck<number>(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'a whole number of at least 0',
);

/** Any JSON. The value is never merged into another object. */
export const anything: Check<unknown> = () => undefined;

/** Any object. The value is never merged into another object. */
export const anyObject = valueCheck<object>(isObject, 'an object');

const noSuchField = 'absent: no field has this name';

/** Any JSON without names that reach an object's prototype. */
export const plainJson: Check<unknown> = (value, path, problems) => {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const here = (): string => (Array.isArray(value) ? `${path()}[${name}]` : `${path()}.${name}`);
    if (isTrap(name)) problems.add(here(), inner, noSuchField);
    else plainJson(inner, here, problems);
  }
};

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, path, problems) => {
    if (value !== null) check(value, path, problems);
  };
}

export function optional<T>(check: Check<T>): OptionalCheck<T> {
  return { optional: check };
}

export function oneOf<T extends string>(words: readonly T[]): Check<T> {
  return valueCheck((value) => words.includes(value as T), `one of ${words.join(', ')}`);
}

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value, path, problems) => {
    if (Array.isArray(value)) value.forEach((item, i) => check(item, () => `${path()}[${i}]`, problems));
    else problems.add(path(), value, 'a list');
  };
}

/** An object used as a map. Any name is valid: headers can have any name, and the map is never merged into another object. */
export function mapOf<T>(check: Check<T>): Check<Record<string, T>> {
  return (value, path, problems) => {
    anyObject(value, path, problems);
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) check(inner, () => `${path()}.${name}`, problems);
  };
}

/** Like `mapOf`, for a map that is merged into another one. */
export function safeMapOf<T>(check: Check<T>): Check<Record<string, T>> {
  const each = mapOf(check);
  return (value, path, problems) => {
    each(value, path, problems);
    for (const name of isObject(value) ? Object.keys(value) : []) {
      if (isTrap(name)) problems.add(`${path()}.${name}`, value, noSuchField);
    }
  };
}

/** An object with these fields. Unknown fields are valid: a later version may have added them. */
export function record<F>(fields: F): Check<Of<F>> {
  return fieldCheck(fields as Fields);
}

function fieldCheck(fields: Fields): Check<never> {
  const known = Object.entries(fields).map(([name, check]) => ({
    name,
    check: typeof check === 'function' ? check : check.optional,
    required: typeof check === 'function',
  }));
  const names = new Set(known.map(({ name }) => name));
  return (value, path, problems) => {
    anyObject(value, path, problems);
    if (!isObject(value)) return;
    for (const { name, check, required } of known) {
      const inner = value[name];
      if (inner !== undefined) check(inner, () => `${path()}.${name}`, problems);
      else if (required) problems.add(`${path()}.${name}`, undefined, 'set: the field is required');
    }
    for (const name of Object.keys(value)) {
      if (names.has(name)) continue;
      if (isTrap(name)) problems.add(`${path()}.${name}`, value[name], noSuchField);
      else plainJson(value[name], () => `${path()}.${name}`, problems);
    }
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an assignment to this name would reach an object's prototype. */
function isTrap(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const written = JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value);
  return written.length > 60 ? `${written.slice(0, 57)}...` : written;
}
