import { z } from 'zod';
import { isObject } from '../domain/json.js';
import { about, exampleOf } from './about.js';
import type { About, JsonSchema, Misfit, Schema, Unchecked } from './about.js';
import type { Report } from './problems.js';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Adds an issue. The checks of the value around are skipped. */
function raise(context: z.core.$RefinementCtx, misfit: Misfit | false | undefined): void {
  if (misfit === false || misfit === undefined) return;
  const { at = [], ...report } = misfit;
  context.addIssue({ code: 'custom', message: report.message, path: [at].flat(), params: { report }, continue: false });
}

export function misplaced<K extends string>(at: K, message: string, allowed: string): Misfit<K> {
  return { at, code: 'misplaced_key', message, allowed };
}

export interface TextOptions {
  readonly allowed: string;
  /** Default: what `allowed` names after "such as". */
  readonly example?: string;
  readonly check?: (text: string) => Report | undefined;
  /** Code points; default 4096. */
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: RegExp;
  /** Possible meanings of a text in a wrong form; the first that is valid is suggested. */
  readonly meant?: (text: string) => string | undefined | readonly string[];
  readonly keywords?: JsonSchema;
}

/** A text. The JSON Schema allows what an editor takes for a number, because it is a text without quotes. */
export function text(options: TextOptions): Schema<string> {
  const { allowed, minLength = 1, maxLength = 4096, pattern, check, meant } = options;
  const faultOf = (value: string): Report | undefined => {
    const length = Array.from(value).length;
    if (length < minLength || length > maxLength) {
      const bounds = `${minLength} to ${maxLength} characters`;
      const message = `The text has ${length} characters; ${bounds} are allowed.`;
      return { code: 'wrong_length', message, allowed: bounds };
    }
    if (pattern?.test(value) === false) return { code: 'wrong_form', message: `This is not ${allowed}.` };
    return check?.(value);
  };
  const example = options.example ?? /such as ("[^"]*"|[^,;\s]+)/.exec(allowed)?.[1] ?? '';
  const reportOf = (value: string): Report | undefined => {
    const fault = faultOf(value);
    if (fault === undefined) return undefined;
    const better = fault.code === 'wrong_length' ? [] : [meant?.(value) ?? []].flat();
    const suggestion = better.find((one) => one !== value && faultOf(one) === undefined);
    return { ...(fault.words === undefined && { allowed }), example, ...(suggestion && { suggestion }), ...fault };
  };
  const keywords = {
    type: ['string', 'number', 'boolean'],
    ...(minLength > 0 && { minLength }),
    maxLength,
    ...(pattern !== undefined && { pattern: pattern.source }),
    ...options.keywords,
  };
  const schema = z.string().superRefine((value, context) => raise(context, reportOf(value)));
  return about(schema, { allowed, example, keywords });
}

export const anyText = (example: string, maxLength = 4096) => text({ allowed: 'a text', example, maxLength });

/** A whole number, never in quotes. */
export const integer = (min: number, max: number, example: number): Schema<number> =>
  about(z.int().min(min).max(max), { example: String(example), bounds: [min, max] });

/** A single value is not read as a list of one. `unique` is a key that no two entries can share. */
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

export function choice<T>(options: readonly Schema<T>[], facts: About = {}): Schema<T> {
  return about<Schema<T>>(z.union(options), facts);
}

export const anyJson = z.any() as Schema<JsonValue>;
export const jsonObject = about(z.record(z.string(), z.any()) as Schema<Record<string, JsonValue>>, {
  allowed: 'a mapping',
  example: '{ text: hello }',
});

export const optional = <T>(schema: Schema<T>, description: string): z.ZodExactOptional<Schema<T>> =>
  schema.exactOptional().describe(description);

type Shape = Readonly<Record<string, Schema>>;
export type ObjectOf<P extends Shape> = z.output<z.ZodObject<{ -readonly [K in keyof P]: P[K] }, z.core.$strict>>;

export interface ObjectOptions<T, K extends string> extends About {
  readonly exactlyOne?: readonly K[];
  readonly atLeastOne?: readonly K[];
  readonly short?: readonly K[];
  /** Checks keys, even if values are invalid. */
  readonly checkKeys?: (map: Unchecked) => readonly Misfit[];
  /** Errors that single keys cannot have; called if each key is valid. */
  readonly check?: (value: T) => readonly (Misfit<K> | false)[] | Misfit<K> | false;
}

export function object<P extends Shape>(
  shape: P,
  options: ObjectOptions<ObjectOf<P>, keyof P & string> = {},
): Schema<ObjectOf<P>> {
  const { exactlyOne, atLeastOne } = options;
  const check = (value: Unchecked, context: z.core.$RefinementCtx) => {
    const isValid = context.issues.length === 0;
    raise(context, presenceFault(shape, Object.keys(value), options));
    for (const fault of options.checkKeys?.(value) ?? []) raise(context, fault);
    for (const fault of isValid ? [options.check?.(value as ObjectOf<P>) ?? []].flat() : []) raise(context, fault);
  };
  const needs = (keys: readonly string[]) => keys.map((key) => ({ required: [key] }));
  const keywords = {
    ...(exactlyOne && { oneOf: needs(exactlyOne) }),
    ...(atLeastOne && { anyOf: needs(atLeastOne) }),
    ...options.keywords,
  };
  const schema = z.strictObject(shape).superRefine(check, { when: ({ value }) => isObject(value) });
  return about<Schema<ObjectOf<P>>>(schema, { ...options, keywords });
}

function presenceFault(shape: Shape, keys: readonly string[], { exactlyOne, atLeastOne }: About): Misfit | undefined {
  const example = ([key = '']: readonly string[]) => `${key}: ${exampleOf(shape[key] as Schema)}`;
  const present = exactlyOne?.filter((key) => keys.includes(key)) ?? [];
  if (exactlyOne !== undefined && present.length !== 1) {
    const all = exactlyOne.join(', ');
    const known = { code: 'not_exactly_one', allowed: `exactly one of ${all}` };
    return present.length > 1
      ? { ...known, message: `Only one of ${present.join(', ')} is allowed; write one entry for each.` }
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
  readonly pattern?: string;
  readonly check?: (key: string) => Report | undefined;
}

/** The author chooses the keys; `special` keys have another schema. */
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
  return about(schema as Schema<Record<string, T>>, {
    allowed: `a mapping such as ${shown}`,
    example: shown,
    keywords,
  });
}
