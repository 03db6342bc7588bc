/** Schemas of lists, of mappings whose keys the author chooses, of choices, and of any JSON. */
import { isScalar, type Scalar } from '../../domain/yaml.js';
import { about, describe, issueOf, once, scalarText, valueOf, zod, type NodeKind, type Schema } from './kit.js';
import type { Report } from './problems.js';

interface ListBounds<T> {
  readonly min?: number;
  readonly max: number;
  /** A key that no two entries may share; undefined is not shared. */
  readonly unique?: keyof T & string;
  /** A key that belongs into the entry before it, which has that other key. */
  readonly joins?: readonly [before: string, key: string];
}

/** A list of one schema. A single value is not read as a list of one; the problem suggests `[…]`. */
export function list<T>(item: Schema<T>, { min = 0, max, unique, joins }: ListBounds<T>): Schema<T[]> {
  const schema = zod()
    .array(item)
    .min(min)
    .max(max)
    .superRefine((values, context) => {
      const seen = new Set<unknown>();
      values.forEach((value, index) => {
        const key = unique === undefined ? undefined : (value as Partial<T>)[unique];
        if (key !== undefined && seen.has(key)) {
          const message = `An earlier entry of this list has the ${unique} ${JSON.stringify(key)}.`;
          const report = { code: 'not_unique', message, found: String(key), allowed: `each ${unique} once` };
          context.addIssue(issueOf(report, [index]));
        }
        seen.add(key);
      });
    });
  const { allowed, example } = about(item);
  return describe(schema, {
    kind: 'list',
    allowed: `a list of ${allowed}`,
    example: `[${example}]`,
    bounds: [min, max],
    ...(joins && { joins }),
    item,
    meant: ({ source, accepts }) => (source !== undefined && accepts(item) ? `[${source}]` : undefined),
  });
}

interface Keys<T> {
  readonly max: number;
  readonly example: string;
  /** The form of every key, for the JSON Schema. */
  readonly pattern?: string;
  /** Returns what is wrong with a key, if anything. */
  readonly check?: (key: string) => Report | undefined;
  /** Keys with another schema. */
  readonly special?: Readonly<Record<string, Schema<T>>>;
}

/** A mapping whose keys the author chooses. */
export function record<T>(
  item: Schema<T>,
  { max, example, pattern, check, special = {} }: Keys<T>,
): Schema<Record<string, T>> {
  const shape = Object.fromEntries(Object.entries(special).map(([key, schema]) => [key, schema.exactOptional()]));
  const entries = zod()
    .object(shape)
    .catchall(item)
    .superRefine((value, context) => {
      const keys = Object.keys(value);
      const message = `The mapping has ${keys.length} entries; at most ${max} are allowed.`;
      if (keys.length > max) {
        context.addIssue(issueOf({ code: 'wrong_length', message, allowed: `at most ${max} entries` }));
      }
      for (const key of keys) {
        const fault = check?.(key);
        if (fault) context.addIssue(issueOf({ ...fault, onKey: true }, [key]));
      }
    });
  const schema = zod().preprocess(valueOf, entries);
  const shown = `{ ${example}: ${about(item).example} }`;
  return describe(schema as unknown as Schema<Record<string, T>>, {
    kind: 'record',
    allowed: `a mapping such as ${shown}`,
    example: shown,
    item,
    special,
    json: { maxProperties: max, ...(pattern !== undefined && { propertyNames: { pattern } }) },
  });
}

/** One of several schemas. `choose` returns the one that is meant, or undefined for a value of the wrong kind. */
export function oneOfSchemas<T>(
  options: readonly Schema<T>[],
  choose: (kind: NodeKind, keys: readonly string[]) => Schema<T> | undefined,
  allowed = options.map((one) => about(one).allowed).join(', or '),
): Schema<T> {
  const example = options[0] === undefined ? '' : about(options[0]).example;
  const schema = zod().union(options as [Schema<T>, ...Schema<T>[]]);
  return describe(schema, { kind: 'choice', allowed, example, options, choose });
}

type Of<S> = S extends Schema<infer T> ? T : never;

/** One of several schemas, chosen by whether the value is a scalar, a list or a mapping. */
export function byKind<K extends Partial<Record<NodeKind, Schema<unknown>>>>(kinds: K): Schema<Of<K[keyof K]>> {
  const options = Object.values(kinds) as Schema<Of<K[keyof K]>>[];
  const choose = (kind: NodeKind) => kinds[kind] as Schema<Of<K[keyof K]>> | undefined;
  return oneOfSchemas(options, choose);
}

/** A part that is described once, under a name, and may contain itself. */
export function named<T>(name: string, allowed: string, example: string, make: () => Schema<T>): Schema<T> {
  const of = once(make);
  const schema = zod().lazy(of);
  schema.register(zod().globalRegistry, { id: name });
  return describe(schema as Schema<T>, { kind: 'choice', allowed, example, of });
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Numbers as in JSON; `+12025550123` and `012345` are not JSON numbers, so they stay texts. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function jsonOf(tree: unknown): JsonValue {
  if (Array.isArray(tree)) return tree.map(jsonOf);
  if (isScalar(tree)) return jsonScalar(tree);
  if (typeof tree !== 'object' || tree === null) return null;
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, jsonOf(value)]));
}

function jsonScalar(scalar: Scalar): JsonValue {
  const written = scalarText(scalar);
  if (typeof scalar.value === 'boolean') return scalar.value;
  if (scalar.type !== undefined && scalar.type !== 'PLAIN') return written;
  const number = JSON_NUMBER.test(written) ? Number(written) : NaN;
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : written;
}

/** Any JSON value. */
export const anyJson = once(() =>
  describe(zod().preprocess(jsonOf, zod().any()) as Schema<JsonValue>, {
    kind: 'json',
    allowed: 'any JSON value',
    example: '{ ok: true }',
    json: {},
  }),
);

/** A JSON object. */
export const jsonObject = once(() =>
  describe(
    zod().preprocess(jsonOf, zod().record(zod().string(), zod().any())) as unknown as Schema<Record<string, JsonValue>>,
    { kind: 'json', allowed: 'a mapping', example: '{ text: hello }', json: { type: 'object' } },
  ),
);
