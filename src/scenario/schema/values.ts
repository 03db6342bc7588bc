/** Schemas of single values, of lists, of choices, and of any JSON. */
import { about, checked, describe, once, zod } from './kit.js';
import type { JsonSchema, Lazy, Misfit, Schema, Written } from './kit.js';
import type { Report } from './problems.js';

export interface TextOptions {
  readonly allowed: string;
  readonly example: string;
  /** Returns the error in a text, if there is one. */
  readonly check?: (text: string) => Report | undefined;
  /** In code points; default 4096. */
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: RegExp;
  /** Returns what a text of a wrong form probably stands for; suggested if it is valid. */
  readonly meant?: (text: string) => string | undefined;
  /** Returns the text to write instead of a list or mapping. */
  readonly ofOther?: (source: string) => string | undefined;
  /** More keywords for the JSON Schema. */
  readonly keywords?: JsonSchema;
}

/**
 * A text. An unquoted scalar keeps the characters it was written with, so `+12025550123`, `012345`, `no`, `1e3` and
 * dates are texts without quotes; the JSON Schema therefore allows what an editor takes for a number.
 */
export function text(options: TextOptions): Lazy<string> {
  const { allowed, example, minLength = 1, maxLength = 4096, pattern, ofOther, keywords } = options;
  return once(() =>
    describe(
      checked(zod().string(), (value) => [reportOf(value, options) ?? false]),
      {
        allowed,
        example,
        json: {
          type: ['string', 'number', 'boolean'],
          ...(minLength > 0 && { minLength }),
          maxLength,
          ...(pattern !== undefined && { pattern: pattern.source }),
          ...keywords,
        },
        ...(ofOther && {
          meant: ({ text: written, source }: Written) =>
            written === undefined && source !== undefined ? ofOther(source) : undefined,
        }),
      },
    ),
  );
}

/** Returns the error in a text with what is allowed, an example and what is probably meant. */
function reportOf(value: string, options: TextOptions): Report | undefined {
  const { allowed, example, meant } = options;
  const fault = faultOf(value, options);
  if (fault === undefined) return undefined;
  const better = fault.code === 'wrong_length' ? undefined : meant?.(value);
  const isBetter = better !== undefined && better !== value && faultOf(better, options) === undefined;
  return { ...(fault.words === undefined && { allowed }), example, ...(isBetter && { suggestion: better }), ...fault };
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

/** Any text of up to `maxLength` code points, including the empty one if `minLength` is 0. */
export function anyText(example: string, bounds: { minLength?: number; maxLength?: number } = {}): Lazy<string> {
  return text({ allowed: 'a text', example, ...bounds });
}

/** A text, or a whole number. */
export function textOrNumber<T extends string | number>(
  options: Omit<TextOptions, 'keywords' | 'ofOther'> & { readonly json: JsonSchema },
): Lazy<T> {
  const { allowed, example, json } = options;
  return once(() => {
    const either = zod().union([zod().string(), zod().number()]);
    const schema = checked(either, (value) => [reportOf(String(value), options) ?? false]);
    return describe(schema as unknown as Schema<T>, { allowed, example, json, isNumeric: true });
  });
}

/** One of the words. */
export function oneOf<const W extends string>(words: readonly W[]): Lazy<W> {
  return once(() => {
    const schema = zod().enum(words as readonly [W, ...W[]]) as unknown as Schema<W>;
    return describe(schema, { allowed: words.join(', '), example: words[0] ?? '', json: { enum: words } });
  });
}

/** A whole number, never in quotes. */
export function integer(min: number, max: number, example: number): Lazy<number> {
  return once(() => {
    const schema = zod().int().min(min).max(max);
    return describe(schema, {
      allowed: `a whole number from ${min} to ${max}`,
      example: String(example),
      json: { type: 'integer', minimum: min, maximum: max },
      meant({ text: written = '' }) {
        const isNumber = /^\s*\d+(?:\.\d+)?\s*$/.test(written) && schema.safeParse(Number(written)).success;
        return isNumber ? String(Number(written)) : undefined;
      },
    });
  });
}

/** YAML 1.2 has only true and false; authors also write yes, on or open. */
function meantBoolean({ text: written = '' }: Written): string | undefined {
  if (/^(?:true|yes|on|y|open|opened|1)$/i.test(written)) return 'true';
  return /^(?:false|no|off|n|closed?|0)$/i.test(written) ? 'false' : undefined;
}

/** `true` or `false`. */
export const bool = once(() =>
  describe(zod().boolean(), { allowed: 'true or false', example: 'true', meant: meantBoolean }),
);

/** One fixed value. */
export function constant<const V extends number | true>(wanted: V): Lazy<V> {
  const only = String(wanted);
  const meant = (written: Written) =>
    wanted === true ? meantBoolean(written) : written.text?.replace(/^v|\.0$/gi, '');
  return once(() =>
    describe(zod().literal(wanted) as unknown as Schema<V>, {
      allowed: only,
      example: only,
      json: { const: wanted },
      meant: (written) => (meant(written) === only ? only : undefined),
    }),
  );
}

interface ListOptions<T> {
  readonly min?: number;
  readonly max: number;
  /** A key that no two entries may share; undefined is not shared. */
  readonly unique?: keyof T & string;
  /** A key that belongs into the entry before it, which has that other key. */
  readonly joins?: readonly [before: string, key: string];
}

/** A list of one schema. A single value is not read as a list of one; the problem suggests `[…]`. */
export function list<T>(entry: Lazy<T>, { min = 0, max, unique, joins }: ListOptions<T>): Lazy<T[]> {
  return once(() => {
    const item = entry();
    const schema = checked(zod().array(item).min(min).max(max), (values) => {
      const seen = new Set<unknown>();
      return values.map((value, index): Misfit | false => {
        const key = unique === undefined ? undefined : (value as Partial<T>)[unique];
        const isTaken = key !== undefined && seen.has(key);
        seen.add(key);
        if (!isTaken) return false;
        const message = `An earlier entry of this list has the ${unique ?? ''} ${JSON.stringify(key)}.`;
        return { at: [index], code: 'not_unique', message, found: String(key), allowed: `each ${unique ?? ''} once` };
      });
    });
    const { allowed, example } = about(item);
    return describe(schema as unknown as Schema<T[]>, {
      allowed: `a list of ${allowed}`,
      example: `[${example}]`,
      bounds: [min, max],
      ...(joins && { joins }),
      meant: ({ source, accepts }) => (source !== undefined && accepts(item) ? `[${source}]` : undefined),
    });
  });
}

/** One of several schemas, chosen by whether the value is a scalar, a list or a mapping, and by required keys. */
export function choice<T>(options: readonly Lazy<T>[], allowed?: string, name?: string): Lazy<T> {
  return once(() => {
    const made = options.map((one) => one()) as [Schema<T>, ...Schema<T>[]];
    const schema = zod().union(made);
    if (name !== undefined) schema.register(zod().globalRegistry, { id: name });
    const { example } = about(made[0]);
    return describe(schema, { allowed: allowed ?? made.map((one) => about(one).allowed).join(', or '), example });
  });
}

/** A part that may contain itself. */
export function recursive<T>(name: string, allowed: string, example: string, make: Lazy<T>): Lazy<T> {
  return once(() => {
    const schema = zod().lazy(make);
    schema.register(zod().globalRegistry, { id: name });
    return describe(schema as Schema<T>, { allowed, example });
  });
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Any JSON value. */
export const anyJson = once(() =>
  describe(zod().any() as Schema<JsonValue>, { allowed: 'any JSON value', example: '{ ok: true }', json: {} }),
);

/** A JSON object. */
export const jsonObject = once(() =>
  describe(zod().record(zod().string(), anyJson()) as Schema<Record<string, JsonValue>>, {
    allowed: 'a mapping',
    example: '{ text: hello }',
    json: { type: 'object' },
  }),
);
