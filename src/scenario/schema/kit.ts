/**
 * What the scenario language is described with: zod gives the reading, the types and the JSON Schema, and beside each of
 * its schemas stands what a message says of it. A schema is a function that makes it at its first use, because most starts
 * read no scenario.
 */
import { createRequire } from 'node:module';
import type { z } from 'zod';
import type { ObjectOptions } from './mappings.js';
import type { Report } from './problems.js';

export type Schema<T = unknown> = z.ZodType<T>;
export type Lazy<T = unknown> = () => Schema<T>;
export type ValueOf<S> = S extends Lazy<infer T> ? T : never;
export type JsonSchema = Readonly<Record<string, unknown>>;

type Zod = typeof z;
let loaded: Zod | undefined;

/** Returns zod. Loaded with the first scenario. */
export function zod(): Zod {
  loaded ??= (createRequire(import.meta.url)('zod') as { z: Zod }).z;
  return loaded;
}

/** Makes a schema at its first use. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** What a value of the wrong kind looks like to the author. */
export interface Written {
  /** The characters of a scalar without quotes; undefined for anything else. */
  readonly text: string | undefined;
  /** The value as written, if it is on one line. */
  readonly source: string | undefined;
  /** Whether a schema accepts the value. */
  readonly accepts: (schema: Schema) => boolean;
}

/** What messages and editors say of a schema. */
export interface About {
  /** A short description of what is allowed. */
  readonly allowed: string;
  /** A valid value on one line. */
  readonly example: string;
  /** Returns what a value of the wrong kind was probably meant to be. */
  readonly meant?: (written: Written) => string | undefined;
  /** The JSON Schema, if it is not zod's: an unquoted text is a number to an editor. */
  readonly json?: JsonSchema;
  /** Keywords added to zod's JSON Schema. */
  readonly keywords?: JsonSchema;
  /** Whether it is a text of which a whole number is read as one. */
  readonly isNumeric?: boolean;
  /** For a list: the least and the most entries. */
  readonly bounds?: readonly [number, number];
  /** For a list: a key that is left alone if the braces around it and the key before it are missing. */
  readonly joins?: readonly [before: string, key: string];
  readonly object?: ObjectOptions<never, string>;
}

/** A copy of a schema, such as one with a description, inherits what is known of it. */
const abouts = once(() => zod().registry<{ readonly about: unknown }>());

export function describe<S extends Schema>(schema: S, about: About): S {
  abouts().add(schema, { about });
  return schema;
}

interface Def {
  readonly type: string;
  readonly innerType?: Schema;
  readonly getter?: () => Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly catchall?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly options?: readonly Schema[];
  readonly entries?: Readonly<Record<string, string>>;
}
export const defOf = (schema: Schema): Def => schema.def;

export const aboutIfKnown = (schema: Schema): About | undefined => abouts().get(schema)?.about as About | undefined;

/** Returns what is known of a schema. @throws Error for one that was not made with these parts */
export function about(schema: Schema): About {
  const known = aboutIfKnown(schema);
  if (known !== undefined) return known;
  const { innerType } = defOf(schema);
  if (innerType === undefined) throw new Error('This schema has no description.');
  return about(innerType);
}

/** Returns the schema that an optional key has, or that a name stands for. */
export function coreOf(schema: Schema): Schema {
  const { innerType, getter } = defOf(schema);
  const inner = innerType ?? getter?.();
  return inner === undefined ? schema : coreOf(inner);
}

/** Returns the keys of a mapping that has certain ones, with their schemas. */
export function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> | undefined {
  return schema && aboutIfKnown(schema)?.object && defOf(schema).shape;
}

/** Returns the schema of an entry of a list, of a mapping or of any JSON. */
export function entryOf(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema === undefined) return undefined;
  const { type, element, valueType, shape = {}, catchall } = defOf(schema);
  return type === 'any' ? schema : (element ?? valueType ?? (Object.hasOwn(shape, key) ? shape[key] : catchall));
}

/** What is wrong with a value: the report, and where, if it is at a key or at a path within. */
export type Misfit<K = string> = Report & { readonly at?: K | readonly (string | number)[] };

/**
 * Adds checks to a schema. Those of the value around are skipped if one fails.
 * @param check gets whether all within is valid
 * @param early whether it is called if something within is invalid
 */
export function checked<T, S extends Schema<T>>(
  schema: S,
  check: (value: z.output<S>, isValid: boolean) => readonly (Misfit | false)[],
  early?: (value: unknown) => boolean,
): S {
  return schema.superRefine(
    (value, { issues }) => {
      for (const fault of check(value, issues.length === 0)) {
        if (fault === false) continue;
        const { at = [], ...report } = fault;
        issues.push({ code: 'custom', message: report.message, input: value, path: [at].flat(), params: { report } });
      }
    },
    early && { when: ({ value }) => early(value) },
  );
}

/** Returns the words of which the schema allows one. */
export function wordsOf(schema: Schema | undefined): readonly string[] {
  return schema === undefined ? [] : Object.keys(defOf(coreOf(schema)).entries ?? {});
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
