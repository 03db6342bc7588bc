/**
 * The parts from which the scenario language is described, made of zod: one description gives the reading, the types and
 * the JSON Schema. Beside each schema stands what a message needs to know about it.
 */
import { createRequire } from 'node:module';
import { isScalar, type Scalar } from '../../domain/yaml.js';
import type { z } from 'zod';
import type { RawMap, Report } from './problems.js';
import { meantWords } from './words.js';

export type Schema<T> = z.ZodType<T>;
export type JsonSchema = Readonly<Record<string, unknown>>;
/** The type of the values of a schema that `once` makes. */
export type ValueOf<S> = S extends () => z.ZodType<infer T> ? T : never;

type Zod = typeof z;
let loaded: Zod | undefined;

/** Returns zod. Loaded with the first scenario, because most starts have none. */
export function zod(): Zod {
  loaded ??= (createRequire(import.meta.url)('zod') as { z: Zod }).z;
  return loaded;
}

/** Makes a schema at its first use. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

export interface Property<T, Required extends boolean> {
  readonly schema: Schema<T>;
  readonly description: string;
  readonly required: Required;
}
type Properties = Readonly<Record<string, Property<unknown, boolean>>>;

/** What a value of the wrong kind looks like to the author. */
export interface Written {
  /** The characters of a scalar without quotes; undefined for anything else. */
  readonly text: string | undefined;
  /** The value as written, if it is on one line. */
  readonly source: string | undefined;
  /** Whether a schema accepts the value. */
  readonly accepts: (schema: Schema<unknown>) => boolean;
}

/**
 * What stands for an entry that is no longer written so: another key, or a function that returns the entries,
 * `key: value`, or what to say if nothing can stand in its place; undefined if the entry means what it says.
 */
export type Old = string | ((source: string) => readonly string[] | Report | undefined);

/** What is known of a schema. */
export interface About {
  /** A short description of what is allowed. */
  readonly allowed: string;
  /** A valid value on one line. */
  readonly example: string;
  /** The same for a value of another kind, if it differs. */
  readonly ofKind?: Pick<About, 'allowed' | 'example'>;
  readonly kind: 'text' | 'number' | 'plain' | 'word' | 'list' | 'map' | 'record' | 'choice' | 'json';
  readonly words?: readonly string[];
  /** For a list: the least and the most entries. */
  readonly bounds?: readonly [number, number];
  /** The keywords that a JSON Schema has for it, if zod does not know them. */
  readonly json?: JsonSchema;
  /** Whether there is only one valid value. */
  readonly isConstant?: boolean;
  /** Returns what a value of the wrong kind was probably meant to be. */
  readonly meant?: (written: Written) => string | undefined;
  /** The report of every invalid value, if it does not depend on the value. */
  readonly report?: Report;
  /** For a list: a key that is left alone if the braces around it and the key before it are missing. */
  readonly joins?: readonly [before: string, key: string];
  /** The schema of the entries of a list or record. */
  readonly item?: Schema<unknown>;
  /** The schemas of certain keys of a record. */
  readonly special?: Readonly<Record<string, Schema<unknown>>>;
  readonly properties?: Properties;
  readonly object?: ObjectOptions<never, string>;
  /** The schemas of a choice, and which of them is meant. */
  readonly options?: readonly Schema<unknown>[];
  readonly choose?: (kind: NodeKind, keys: readonly string[]) => Schema<unknown> | undefined;
  /** The schema that this name stands for. */
  readonly of?: () => Schema<unknown>;
}
export type NodeKind = 'scalar' | 'list' | 'map' | 'nothing';

const abouts = new WeakMap<object, About>();

/** Returns what is known of a schema; undefined for one that was not made here. */
export function aboutIfKnown(schema: object): About | undefined {
  return abouts.get(schema);
}

/** @throws Error for a schema that was not made here */
export function about(schema: Schema<unknown>): About {
  const known = abouts.get(schema);
  if (!known) throw new Error('This schema has no description.');
  return known;
}

/** Returns the same for the schema that a name stands for. */
export function aboutNamed(schema: Schema<unknown>): About {
  const told = about(schema);
  return told.of === undefined ? told : aboutNamed(told.of());
}

export function describe<S extends Schema<unknown>>(schema: S, told: About): S {
  abouts.set(schema, told);
  return schema;
}

/** Names a schema, so that it is described once, and says what it is. */
export function part<T>(name: string, allowed: string, example: string, make: () => Schema<T>): () => Schema<T> {
  return once(() => {
    const schema = make();
    schema.register(zod().globalRegistry, { id: name });
    const told = about(schema);
    return describe(schema, { ...told, ofKind: told, allowed, example });
  });
}

/** An issue that carries its report. The checks of what is around the value are skipped. */
export function issueOf(report: Report, path: readonly (string | number)[] = []) {
  const { message } = report;
  return { code: 'custom' as const, message, path: [...path], params: { report }, continue: false };
}

export function required<T>(schema: Schema<T>, description: string): Property<T, true> {
  return { schema, description, required: true };
}

export function optional<T>(schema: Schema<T>, description: string): Property<T, false> {
  return { schema, description, required: false };
}

type ShapeOf<P> = {
  [K in keyof P]: P[K] extends Property<infer T, infer R>
    ? R extends true
      ? z.ZodType<T>
      : z.ZodExactOptional<z.ZodType<T>>
    : never;
};
/** The type of a mapping with these properties. */
export type ObjectOf<P extends Properties> = z.infer<z.ZodObject<ShapeOf<P>, z.core.$strict>>;

/** What is wrong with a mapping: at the value of one of its keys, at a path within, or at the whole. */
export type Misfit<K> = Report & { readonly at?: K | readonly (string | number)[] };

export interface ObjectOptions<T, K extends string> {
  readonly example?: string;
  /** Exactly one of these is required. */
  readonly exactlyOne?: readonly K[];
  /** At least one of these is required. */
  readonly atLeastOne?: readonly K[];
  /** Checks keys, even if values are invalid. */
  readonly checkKeys?: (map: RawMap) => void;
  /** Returns what single properties cannot know; called if each of them is valid. */
  readonly check?: (value: T) => readonly (Misfit<K> | false)[] | Misfit<K> | false;
  /** Keys whose value beginners write alone, as in `respond: 503`; the first that accepts the value is meant. */
  readonly short?: readonly K[];
  /** Entries that are written in another way, by their key. */
  readonly old?: Readonly<Record<string, Old>>;
  /** Keys that are no longer needed: the value to write instead of the whole mapping, if there is no other key. */
  readonly alone?: Readonly<Record<string, (source: string) => string | undefined>>;
  /** Keywords added to the JSON Schema. */
  readonly keywords?: JsonSchema;
}

export const valueOf = (leaf: unknown): unknown => (isScalar(leaf) ? leaf.value : leaf);
export const textOf = (leaf: unknown): unknown => (isScalar(leaf) ? scalarText(leaf) : leaf);

/** Returns a scalar as written, without quotes: `+12025550123`, `012345` and `no` keep their characters. */
export function scalarText(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

/** A copy of the schema with a description; the keywords that zod does not know stay with it. */
function described(schema: Schema<unknown>, description: string): Schema<unknown> {
  const copy = schema.describe(description);
  const { json } = about(schema);
  return json === undefined ? copy : describe(copy, about(schema));
}

/** A mapping with known keys. */
export function object<P extends Properties>(
  properties: P,
  options: ObjectOptions<ObjectOf<P>, keyof P & string> = {},
): Schema<ObjectOf<P>> {
  const table = Object.entries(properties);
  const { exactlyOne, atLeastOne, check, short = [] } = options;
  const shape = Object.fromEntries(
    table.map(([key, { schema, description, required: isRequired }]) => [
      key,
      isRequired ? described(schema, description) : schema.exactOptional().describe(description),
    ]),
  ) as unknown as ShapeOf<P>;
  const strict = zod()
    .strictObject(shape)
    .superRefine((value, context) => {
      for (const fault of [check?.(value as ObjectOf<P>) ?? []].flat()) {
        if (fault === false) continue;
        const { at, ...report } = fault;
        context.addIssue(issueOf(report, typeof at === 'string' ? [at] : at));
      }
    });
  // A scalar is an object of the parser, which zod must not take for a mapping.
  const schema = zod().preprocess(valueOf, strict) as unknown as Schema<ObjectOf<P>>;
  const chosen = [exactlyOne?.[0], atLeastOne?.[0]];
  /** The smallest valid mapping: the required keys and the first of a choice. */
  const least = table.filter(([key, property]) => property.required || chosen.includes(key));
  const shown = (least.length > 0 ? least : table.slice(0, 1)).map(([key]) => exampleOf(properties, key)).join(', ');
  const schemaOf = (key: string) => properties[key]?.schema ?? schema;
  return describe(schema, {
    kind: 'map',
    allowed: `a mapping with ${Object.keys(properties).join(', ')}`,
    example: options.example ?? `{ ${shown} }`,
    properties,
    object: options,
    meant({ text: written, source, accepts }) {
      if (source === undefined || written === undefined) return undefined;
      const flag = exactlyOne?.find(
        (key) => (key === source || source.startsWith(key)) && about(schemaOf(key)).isConstant === true,
      );
      if (flag !== undefined) return `{ ${flag}: true }`;
      const key = short.find((one) => accepts(schemaOf(one)));
      if (key !== undefined) return `{ ${key}: ${source} }`;
      const word = short.flatMap((one) => {
        const [meant] = meantWords(written, about(schemaOf(one)).words ?? []);
        return meant === undefined ? [] : [`{ ${one}: ${meant} }`];
      });
      return word[0];
    },
  });
}

export function exampleOf(properties: Properties, key: string): string {
  const property = properties[key];
  return property === undefined ? key : `${key}: ${about(property.schema).example}`;
}

/** A key that has no meaning without another one. */
export function misplaced<K extends string>(at: K, message: string, allowed: string): Misfit<K> {
  return { at, code: 'misplaced_key', message, allowed };
}
