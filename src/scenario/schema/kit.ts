/** The parts of which the scenario language is described, in zod. */
import { z } from 'zod';
import { isObject } from '../../domain/json.js';
import { about, exampleOf } from './about.js';
import type { About, JsonSchema, Misfit, ObjectOptions, Schema, Unchecked } from './about.js';
import type { Report } from './problems.js';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** An unquoted scalar that YAML takes for a number, or for true or false: a text keeps the characters of the author. */
export class Unquoted {
  constructor(
    readonly source: string,
    readonly value: unknown,
  ) {}
}

const sourceOf = (value: unknown) => (value instanceof Unquoted ? value.source : value);
const valueOf = (value: unknown) => (value instanceof Unquoted ? value.value : value);

/** Numbers as in JSON; `+12025550123` and `012345` are not JSON numbers, so they stay texts. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function jsonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Unquoted) {
    if (typeof value.value === 'boolean') return value.value;
    const number = JSON_NUMBER.test(value.source) ? Number(value.source) : NaN;
    const isExact = Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number));
    return isExact ? number : value.source;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonOf(one)]));
}

/** Adds an issue. The checks of the value around are skipped. */
function raise(context: z.core.$RefinementCtx, misfit: Misfit | false | undefined): void {
  if (misfit === false || misfit === undefined) return;
  const { at = [], ...report } = misfit;
  context.addIssue({ code: 'custom', message: report.message, path: [at].flat(), params: { report }, continue: false });
}

/** A key that has no meaning without another one. */
export function misplaced<K extends string>(at: K, message: string, allowed: string): Misfit<K> {
  return { at, code: 'misplaced_key', message, allowed };
}

export interface TextOptions {
  readonly allowed: string;
  /** Default: what `allowed` names after "such as". */
  readonly example?: string;
  /** Returns the error in a text, if there is one. */
  readonly check?: (text: string) => Report | undefined;
  /** In code points; default 4096. */
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: RegExp;
  /** Returns what a text of a wrong form may stand for; the first that is valid is suggested. */
  readonly meant?: (text: string) => string | undefined | readonly string[];
  /** Whether a whole number is read as one. */
  readonly isNumeric?: boolean;
  /** More keywords for the JSON Schema; or another one altogether. */
  readonly keywords?: JsonSchema;
  readonly json?: JsonSchema;
}

/** A text. The JSON Schema allows what an editor takes for a number, because it is a text without quotes. */
export function text<T extends string | number = string>(options: TextOptions): Schema<T> {
  const { allowed, isNumeric = false, minLength = 1, maxLength = 4096, pattern, keywords } = options;
  const example = options.example ?? /such as ("[^"]*"|[^,;\s]+)/.exec(allowed)?.[1] ?? '';
  const prepared = (value: unknown) => {
    const written = sourceOf(value);
    return isNumeric && typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written;
  };
  const check = (value: string | number, context: z.core.$RefinementCtx) => {
    raise(context, reportOf(String(value), { ...options, example }));
  };
  const read = isNumeric ? z.union([z.string(), z.number()]).superRefine(check) : z.string().superRefine(check);
  const json = options.json ?? {
    type: ['string', 'number', 'boolean'],
    ...(minLength > 0 && { minLength }),
    maxLength,
    ...(pattern !== undefined && { pattern: pattern.source }),
    ...keywords,
  };
  return about(z.preprocess(prepared, read) as unknown as Schema<T>, { allowed, example, json });
}

/** Returns the error in a text with what is allowed, an example and what is probably meant. */
function reportOf(value: string, options: TextOptions & { readonly example: string }): Report | undefined {
  const { allowed, example, meant } = options;
  const fault = faultOf(value, options);
  if (fault === undefined) return undefined;
  const better = fault.code === 'wrong_length' ? [] : [meant?.(value) ?? []].flat();
  const suggestion = better.find((one) => one !== value && faultOf(one, options) === undefined);
  const known = { ...(fault.words === undefined && { allowed }), example };
  return { ...known, ...(suggestion !== undefined && { suggestion }), ...fault };
}

function faultOf(value: string, options: TextOptions): Report | undefined {
  const { allowed, minLength = 1, maxLength = 4096, pattern, check } = options;
  const length = Array.from(value).length;
  if (length < minLength || length > maxLength) {
    const bounds = `${minLength} to ${maxLength} characters`;
    const message = `The text has ${length} characters; ${bounds} are allowed.`;
    return { code: 'wrong_length', message, allowed: bounds };
  }
  if (pattern?.test(value) === false) return { code: 'wrong_form', message: `This is not ${allowed}.` };
  return check?.(value);
}

/** Any text of up to `maxLength` code points. */
export const anyText = (example: string, maxLength = 4096) => text({ allowed: 'a text', example, maxLength });

/** One of the words. */
export const oneOf = <const W extends string>(words: readonly W[]): Schema<W> => z.preprocess(sourceOf, z.enum(words));

/** A whole number, never in quotes. */
export const integer = (min: number, max: number, example: number): Schema<number> =>
  about(z.preprocess(valueOf, z.int().min(min).max(max)), { example: String(example), bounds: [min, max] });

export const bool: Schema<boolean> = z.preprocess(valueOf, z.boolean());

/** One fixed value. */
export const constant = <const V extends number | true>(wanted: V): Schema<V> =>
  z.preprocess(valueOf, z.literal(wanted));

/** A list. A single value is not read as a list of one. @param unique a key that no two entries may share, if they have it */
export function list<T>(entry: Schema<T>, min: number, max: number, unique?: keyof NoInfer<T> & string): Schema<T[]> {
  const check = (values: readonly T[], context: z.core.$RefinementCtx) => {
    const keys = values.map((value) => unique && value[unique]);
    for (const [index, key] of keys.entries()) {
      if (key === undefined || keys.indexOf(key) === index) continue;
      const message = `An earlier entry of this list has the ${unique} ${JSON.stringify(key)}.`;
      raise(context, { at: [index], code: 'not_unique', message, found: String(key), allowed: `each ${unique} once` });
    }
  };
  return about(z.array(entry).min(min).max(max).superRefine(check), { bounds: [min, max] });
}

/** One of several schemas. */
export function choice<T>(options: readonly Schema<T>[], facts: Pick<About, 'allowed' | 'name'> = {}): Schema<T> {
  return about<Schema<T>>(z.union(options), facts);
}

export const anyJson = z.preprocess(jsonOf, z.any()) as unknown as Schema<JsonValue>;
export const jsonObject = about(
  z.preprocess(jsonOf, z.record(z.string(), z.any())) as unknown as Schema<Record<string, JsonValue>>,
  { allowed: 'a mapping', example: '{ text: hello }', json: { type: 'object' } },
);

export const optional = <T>(schema: Schema<T>, description: string): z.ZodExactOptional<Schema<T>> =>
  schema.exactOptional().describe(description);

type Shape = Readonly<Record<string, Schema>>;
/** The type of a mapping with these keys. */
export type ObjectOf<P extends Shape> = z.output<z.ZodObject<{ -readonly [K in keyof P]: P[K] }, z.core.$strict>>;
/** A mapping with known keys. */
export function object<P extends Shape>(
  shape: P,
  options: ObjectOptions<ObjectOf<P>, keyof P & string> = {},
): Schema<ObjectOf<P>> {
  const check = (value: Unchecked, context: z.core.$RefinementCtx) => {
    const isValid = context.issues.length === 0;
    raise(context, presenceFault(shape, Object.keys(value), options));
    for (const fault of options.checkKeys?.(value) ?? []) raise(context, fault);
    for (const fault of isValid ? [options.check?.(value as ObjectOf<P>) ?? []].flat() : []) raise(context, fault);
  };
  const schema = z.strictObject(shape).superRefine(check, { when: ({ value }) => isObject(value) });
  return about(z.preprocess(sourceOf, schema) as unknown as Schema<ObjectOf<P>>, options);
}

/** Returns what to report if none or too many of certain keys are present. */
function presenceFault(
  shape: Shape,
  keys: readonly string[],
  { exactlyOne, atLeastOne }: Pick<About, 'exactlyOne' | 'atLeastOne'>,
): Misfit | undefined {
  const example = ([key = '']: readonly string[]) => `${key}: ${exampleOf(shape[key] as Schema)}`;
  const present = exactlyOne?.filter((key) => keys.includes(key)) ?? [];
  if (exactlyOne !== undefined && present.length !== 1) {
    const all = exactlyOne.join(', ');
    const known = { code: 'not_exactly_one', allowed: `exactly one of ${all}` };
    return present.length > 1
      ? { ...known, message: `Only one of ${present.join(', ')} is allowed.` }
      : { ...known, message: `Exactly one of ${all} is required.`, example: example(exactlyOne) };
  }
  if (atLeastOne?.some((key) => keys.includes(key)) !== false) return undefined;
  const allowed = atLeastOne.join(', ');
  const message = `At least one of ${allowed} is required.`;
  return { code: 'nothing_stated', message, allowed, example: example(atLeastOne) };
}

interface Keys {
  readonly max: number;
  readonly example: string;
  /** The form of every key, for the JSON Schema. */
  readonly pattern?: string;
  /** Returns what is wrong with a key, if anything. */
  readonly check?: (key: string) => Report | undefined;
}

/** A mapping whose keys the author chooses. @param special keys with another schema */
export function record<T>(
  entry: Schema<T>,
  { max, example, pattern, check }: Keys,
  special: Readonly<Record<string, Schema<T>>> = {},
): Schema<Record<string, T>> {
  const shape = Object.fromEntries(Object.entries(special).map(([key, one]) => [key, one.exactOptional()]));
  const schema = z
    .object(shape)
    .catchall(entry)
    .superRefine((value, context) => {
      const keys = Object.keys(value);
      const message = `The mapping has ${keys.length} entries; at most ${max} are allowed.`;
      if (keys.length > max) raise(context, { code: 'wrong_length', message, allowed: `at most ${max} entries` });
      for (const key of keys) {
        const fault = check?.(key);
        raise(context, fault && { ...fault, onKey: true, at: [key] });
      }
    });
  const shown = `{ ${example}: ${exampleOf(entry)} }`;
  const keywords = { maxProperties: max, ...(pattern !== undefined && { propertyNames: { pattern } }) };
  return about(z.preprocess(sourceOf, schema) as unknown as Schema<Record<string, T>>, {
    allowed: `a mapping such as ${shown}`,
    example: shown,
    keywords,
  });
}
