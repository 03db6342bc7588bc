/** Checks of values from a file or an upload. Each reports the expected and the actual value, by path. */
export interface Problem {
  /** The path, such as `tables.messages[3].status`. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
  /** Expected and actual value as one clause, to follow the path. */
  readonly message: string;
}

/** Counts all problems and keeps the first hundred, so that a large invalid file does not fill the memory. */
export class Problems {
  readonly list: Problem[] = [];
  count = 0;

  add(path: string, found: unknown, expected: string): void {
    this.count += 1;
    if (this.list.length >= 100) return;
    const seen = shown(found);
    this.list.push({ path, found: seen, expected, message: `must be ${expected}; found ${seen}` });
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

/** A check for each field: optional where the field is. A field added to the type without a check does not compile. */
export type Fields<R> = {
  readonly [K in keyof R]-?: undefined extends R[K] ? OptionalCheck<Exclude<R[K], undefined>> : Check<R[K]>;
};

export const text: Check<string> = (value, path, problems) => {
  if (typeof value !== 'string') problems.add(path(), value, 'a string');
};

export const bool: Check<boolean> = (value, path, problems) => {
  if (typeof value !== 'boolean') problems.add(path(), value, 'true or false');
};

export const number: Check<number> = (value, path, problems) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) problems.add(path(), value, 'a number');
};

/** A count or a position: an exact whole number from 0. */
export const count: Check<number> = (value, path, problems) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    problems.add(path(), value, 'a whole number of at least 0');
};

/** Milliseconds since the epoch, within the range of a date. Scaled clocks yield fractions. */
export const instant: Check<number> = (value, path, problems) => {
  if (typeof value !== 'number' || !(Math.abs(value) <= 8.64e15))
    problems.add(path(), value, 'milliseconds since 1970');
};

const noSuchField = 'absent: no field has this name';

/** Any JSON. The value is never merged into another object. */
export const anything: Check<unknown> = () => undefined;

/** Any object. The value is never merged into another object. */
export const anyObject: Check<object> = (value, path, problems) => {
  if (!isObject(value)) problems.add(path(), value, 'an object');
};

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

/** One of the words of `T`, all of which must be given. */
export function oneOf<T extends string>(words: Record<T, true>): Check<T> {
  const expected = `one of ${Object.keys(words).join(', ')}`;
  return (value, path, problems) => {
    if (typeof value !== 'string' || !Object.hasOwn(words, value)) problems.add(path(), value, expected);
  };
}

export function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value, path, problems) => {
    if (!Array.isArray(value)) {
      problems.add(path(), value, 'a list');
      return;
    }
    value.forEach((item, i) => check(item, () => `${path()}[${String(i)}]`, problems));
  };
}

/**
 * An object used as a map. Any name is valid: headers can have any name, and the map is never merged into another object.
 */
export function mapOf<T>(check: Check<T>): Check<Record<string, T>> {
  return (value, path, problems) => {
    if (!isObject(value)) {
      problems.add(path(), value, 'an object');
      return;
    }
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
export function record<R>(fields: Fields<R>): Check<R> {
  return fieldCheck(fields, true);
}

/** Some of the fields of a record, as in a patch. */
export function partOf<R>(fields: Fields<R>): Check<Partial<R>> {
  return fieldCheck(fields, false);
}

function fieldCheck(fields: object, whole: boolean): Check<never> {
  const known = Object.entries(fields as Record<string, Check<unknown> | OptionalCheck<unknown>>).map(
    ([name, check]) => ({
      name,
      check: typeof check === 'function' ? check : check.optional,
      required: whole && typeof check === 'function',
    }),
  );
  const names = new Set(known.map(({ name }) => name));
  return (value, path, problems) => {
    if (!isObject(value)) {
      problems.add(path(), value, 'an object');
      return;
    }
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

/** Names through which an assignment would reach an object's prototype. */
export function isTrap(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const written = JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value);
  return written.length > 60 ? `${written.slice(0, 57)}...` : written;
}
