/** Schemas of mappings: with known keys, or with keys that the author chooses. */
import type { z } from 'zod';
import { about, checked, defOf, describe, isPlain, once, wordsOf, zod } from './kit.js';
import type { JsonSchema, Lazy, Misfit, Schema } from './kit.js';
import type { OldWords } from './old-words.js';
import type { Report } from './problems.js';
import { meantWords } from './words.js';

export const required =
  <T>(schema: Lazy<T>, description: string) =>
  (): Schema<T> =>
    schema().describe(description);

export const optional =
  <T>(schema: Lazy<T>, description: string) =>
  (): z.ZodExactOptional<Schema<T>> =>
    schema().exactOptional().describe(description);

type Shape = Readonly<Record<string, Lazy>>;
/** The type of a mapping with these keys. */
export type ObjectOf<P extends Shape> = z.output<
  z.ZodObject<{ -readonly [K in keyof P]: ReturnType<P[K]> }, z.core.$strict>
>;
/** A mapping that was not checked. */
export type Unchecked = Readonly<Record<string, unknown>>;

export interface ObjectOptions<T, K extends string> {
  /** Under this name, it is described once. */
  readonly name?: string;
  readonly allowed?: string;
  readonly example?: string;
  /** Exactly one of these is required. */
  readonly exactlyOne?: readonly K[];
  /** At least one of these is required. */
  readonly atLeastOne?: readonly K[];
  /** Checks keys, even if values are invalid. */
  readonly checkKeys?: (map: Unchecked) => readonly Misfit[];
  /** Returns what single keys cannot know; called if each of them is valid. */
  readonly check?: (value: T) => readonly (Misfit<K> | false)[] | Misfit<K> | false;
  /** Keys whose value beginners write alone, as in `respond: 503`; the first that accepts the value is meant. */
  readonly short?: readonly K[];
  /** Entries that are written in another way, by their key. */
  readonly old?: OldWords;
  /** Keys that are no longer needed: the value to write instead of the whole mapping, if there is no other key. */
  readonly alone?: Readonly<Record<string, (source: string) => string | undefined>>;
  /** Keywords added to the JSON Schema. */
  readonly keywords?: JsonSchema;
}

/** A mapping with known keys. */
export function object<P extends Shape>(
  shape: P,
  options: ObjectOptions<ObjectOf<P>, keyof P & string> = {},
): Lazy<ObjectOf<P>> {
  return once(() => {
    const { name, exactlyOne, atLeastOne, checkKeys, check, short = [] } = options;
    const made = Object.fromEntries(Object.entries(shape).map(([key, make]) => [key, make()]));
    const strict = zod().strictObject(made) as unknown as Schema<ObjectOf<P>>;
    const schema = checked(
      strict,
      (value, isValid) => [
        ...presenceFaults(made, Object.keys(value as object), options),
        ...(checkKeys?.(value as Unchecked) ?? []),
        ...(isValid ? [check?.(value) ?? []].flat() : []),
      ],
      isPlain,
    );
    if (name !== undefined) schema.register(zod().globalRegistry, { id: name });
    const chosen = [exactlyOne?.[0], atLeastOne?.[0]];
    /** The smallest valid mapping: the required keys and the first of a choice. */
    const least = Object.keys(made).filter((key) => !isOptional(made[key]) || chosen.includes(key));
    const shown = (least.length > 0 ? least : Object.keys(made).slice(0, 1)).map((key) => exampleOf(made, key));
    return describe(schema, {
      allowed: options.allowed ?? `a mapping with ${Object.keys(made).join(', ')}`,
      example: options.example ?? `{ ${shown.join(', ')} }`,
      object: options,
      meant({ text: written, source, accepts }) {
        if (source === undefined || written === undefined) return undefined;
        const key = short.find((one) => made[one] !== undefined && accepts(made[one]));
        if (key !== undefined) return `{ ${key}: ${source} }`;
        return short.flatMap((one) => {
          const [meant] = meantWords(written, wordsOf(made[one]));
          return meant === undefined ? [] : [`{ ${one}: ${meant} }`];
        })[0];
      },
    });
  });
}

const isOptional = (schema: Schema | undefined): boolean => schema !== undefined && defOf(schema).type === 'optional';

export function exampleOf(properties: Readonly<Record<string, Schema>>, key: string): string {
  const property = properties[key];
  return property === undefined ? key : `${key}: ${about(property).example}`;
}

/** Reports if none or too many of certain keys are present. */
function presenceFaults(
  properties: Readonly<Record<string, Schema>>,
  keys: readonly string[],
  { exactlyOne, atLeastOne }: Pick<ObjectOptions<never, string>, 'exactlyOne' | 'atLeastOne'>,
): readonly (Misfit | false)[] {
  const present = exactlyOne?.filter((key) => keys.includes(key)) ?? [];
  const example = (of: readonly string[]) => exampleOf(properties, of[0] ?? '');
  return [
    exactlyOne !== undefined &&
      present.length !== 1 && {
        code: 'not_exactly_one',
        message:
          present.length > 1
            ? `Only one of ${present.join(', ')} is allowed.`
            : `Exactly one of ${exactlyOne.join(', ')} is required.`,
        allowed: `exactly one of ${exactlyOne.join(', ')}`,
        ...(present.length === 0 && { example: example(exactlyOne) }),
      },
    atLeastOne?.some((key) => keys.includes(key)) === false && {
      code: 'nothing_stated',
      message: `At least one of ${atLeastOne.join(', ')} is required.`,
      allowed: atLeastOne.join(', '),
      example: example(atLeastOne),
    },
  ];
}

/** A key that has no meaning without another one. */
export function misplaced<K extends string>(at: K, message: string, allowed: string): Misfit<K> {
  return { at, code: 'misplaced_key', message, allowed };
}

interface Keys<T> {
  readonly max: number;
  readonly example: string;
  /** The form of every key, for the JSON Schema. */
  readonly pattern?: string;
  /** Returns what is wrong with a key, if anything. */
  readonly check?: (key: string) => Report | undefined;
  /** Keys with another schema. */
  readonly special?: Readonly<Record<string, Lazy<T>>>;
}

/** A mapping whose keys the author chooses. */
export function record<T>(entry: Lazy<T>, { max, example, pattern, check, special = {} }: Keys<T>) {
  return once(() => {
    const item = entry();
    const shape = Object.fromEntries(Object.entries(special).map(([key, make]) => [key, make().exactOptional()]));
    const schema = checked(zod().object(shape).catchall(item), (value): Misfit[] => {
      const keys = Object.keys(value);
      const message = `The mapping has ${keys.length} entries; at most ${max} are allowed.`;
      const tooMany = keys.length > max && { code: 'wrong_length', message, allowed: `at most ${max} entries` };
      const faults = keys.flatMap((key) => {
        const fault = check?.(key);
        return fault === undefined ? [] : [{ ...fault, onKey: true, at: [key] }];
      });
      return [...(tooMany === false ? [] : [tooMany]), ...faults];
    });
    const shown = `{ ${example}: ${about(item).example} }`;
    const propertyNames = pattern !== undefined && { propertyNames: { pattern } };
    return describe(schema as unknown as Schema<Record<string, T>>, {
      allowed: `a mapping such as ${shown}`,
      example: shown,
      keywords: { maxProperties: max, ...propertyNames },
    });
  });
}
