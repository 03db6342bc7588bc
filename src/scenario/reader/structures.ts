/** Shapes of mappings and lists. */
import { nearestWord } from '../../domain/nearest-word.js';
import { complainOfKey, complainOfPresence } from './keys.js';
import { INVALID, type YamlNode } from './yaml-node.js';
import { wrongKind, type Definitions, type JsonSchema, type Shape } from './shape.js';

export interface Property<T, Required extends boolean> {
  readonly shape: Shape<T>;
  readonly description: string;
  readonly required: Required;
}

export function required<T>(shape: Shape<T>, description: string): Property<T, true> {
  return { shape, description, required: true };
}

export function optional<T>(shape: Shape<T>, description: string): Property<T, false> {
  return { shape, description, required: false };
}

type IsRequired<T, K extends keyof T> = Pick<T, K> extends Required<Pick<T, K>> ? true : false;
/** Every property of the type with a shape of its own type: one forgotten or one too many does not compile. */
export type Properties<T> = { readonly [K in keyof T]-?: Property<Exclude<T[K], undefined>, IsRequired<T, K>> };

export interface ObjectOptions<T> {
  /** Among these exactly one must stand. */
  readonly exactlyOne?: readonly (keyof T & string)[];
  /** Among these at least one must stand. */
  readonly atLeastOne?: readonly (keyof T & string)[];
  /** Complains about keys, even where values are wrong: undefined for a key that is not there. */
  readonly checkKeys?: (placeOf: (key: keyof T & string) => YamlNode | undefined) => void;
  /** Complains about what single properties cannot know; asked when each of them is right. */
  readonly check?: (value: T, place: YamlNode, placeOf: (key: keyof T & string) => YamlNode) => void;
  readonly example?: string;
  /** What is right of it is read although something else is wrong, which more can then be said about. All keys must be optional. */
  readonly partly?: boolean;
  /** Keywords added to the printed schema. */
  readonly keywords?: (definitions: Definitions) => JsonSchema;
}

/** A mapping with known keys. */
export function object<T extends object>(properties: Properties<T>, options: ObjectOptions<T> = {}): Shape<T> {
  const table = Object.entries<Property<unknown, boolean>>(properties);
  const words = table.map(([key]) => key);
  const shapes = new Map(table);
  const allowed = `a mapping with ${words.join(', ')}`;
  const example = options.example ?? exampleOf(table, options);

  return {
    allowed,
    example,
    read(place) {
      if (place.map() === undefined) return wrongKind(place, { allowed, example });
      if (place.exhausted) return INVALID;
      const value: Record<string, unknown> = {};
      const places = new Map<string, YamlNode>();
      /** Keys that are there under a wrong name: saying that they are missing would only repeat it. */
      const misspelt = new Set<string>();
      const before = place.reading.complaints;
      const entries = place.entries();
      const written = new Set(entries.map(({ key }) => key));
      const free = words.filter((word) => !written.has(word));
      for (const entry of entries) {
        const property = shapes.get(entry.key);
        if (property === undefined) {
          const meant = nearestWord(entry.key, free);
          if (meant !== undefined) misspelt.add(meant);
          complainOfKey(entry, words, meant);
          continue;
        }
        places.set(entry.key, entry.value);
        const read = property.shape.read(entry.value);
        if (read !== INVALID) value[entry.key] = read;
      }
      for (const [key, property] of table) {
        if (!property.required || places.has(key) || misspelt.has(key)) continue;
        const message = `The key "${key}" is missing: ${property.description}`;
        const insert = `${key}: ${property.shape.example}`;
        place.report({ code: 'missing_key', message, allowed: insert, insert });
      }
      const exampleFor = (key: string) => `${key}: ${shapes.get(key)?.shape.example ?? ''}`;
      complainOfPresence(place, (key) => places.has(key) || misspelt.has(key), options, exampleFor);
      options.checkKeys?.((key) => places.get(key));
      // Every property was read by its own shape, which the type of `properties` ties to T.
      const whole = value as T;
      const isWhole = () => place.reading.complaints === before;
      if (isWhole()) options.check?.(whole, place, (key) => places.get(key) ?? place);
      if (!isWhole() && options.partly !== true) return INVALID;
      place.reading.origins.set(whole, place);
      return whole;
    },
    print(definitions) {
      const requiredKeys = table.filter(([, property]) => property.required).map(([key]) => key);
      const { exactlyOne, atLeastOne } = options;
      return {
        type: 'object',
        additionalProperties: false,
        ...(requiredKeys.length > 0 && { required: requiredKeys }),
        properties: Object.fromEntries(
          table.map(([key, property]) => [
            key,
            withDescription(property.shape.print(definitions), property.description),
          ]),
        ),
        ...(exactlyOne !== undefined && { oneOf: exactlyOne.map((key) => ({ required: [key] })) }),
        ...(atLeastOne !== undefined && { anyOf: atLeastOne.map((key) => ({ required: [key] })) }),
        ...options.keywords?.(definitions),
      };
    },
  };
}

/** The least that would be right: the required keys and, where there is a choice, its first. */
function exampleOf<T>(table: readonly (readonly [string, Property<unknown, boolean>])[], options: ObjectOptions<T>) {
  const chosen: readonly string[] = [options.exactlyOne?.[0], options.atLeastOne?.[0]].filter(
    (key) => key !== undefined,
  );
  const least = table.filter(([key, { required: wanted }]) => wanted || chosen.includes(key));
  const entries = least.length > 0 ? least : table.slice(0, 1);
  return `{ ${entries.map(([key, { shape }]) => `${key}: ${shape.example}`).join(', ')} }`;
}

/** Draft-07 ignores what stands beside a `$ref`, so a description needs the reference wrapped. */
function withDescription(schema: JsonSchema, description: string): JsonSchema {
  return '$ref' in schema ? { description, allOf: [schema] } : { description, ...schema };
}

export interface ListBounds<T> {
  readonly min?: number;
  readonly max: number;
  /** The entries that are right are read although others are wrong, so that more can be said about them. */
  readonly partly?: boolean;
  /** What no two entries may share; undefined shares nothing. */
  readonly unique?: { readonly key: keyof T & string; readonly of: (value: T) => string | undefined };
}

/** A list of one shape. A single value is not taken for a list of one: the author is told to write `[…]`. */
export function list<T>(item: Shape<T>, bounds: ListBounds<T>): Shape<T[]> {
  const { min = 0, max, unique, partly = false } = bounds;
  const allowed = `a list of ${item.allowed}`;
  const example = `[${item.example}]`;
  return {
    allowed,
    example,
    read(place) {
      const node = place.list();
      if (node === undefined) return wrongKind(place, { allowed, example });
      if (place.exhausted) return INVALID;
      const count = node.items.length;
      if (count < min || count > max) {
        const message = `The list has ${count} entries; ${min} to ${max} are allowed.`;
        place.report({ code: 'wrong_length', message, allowed: `${min} to ${max} entries`, example });
        if (!partly) return INVALID;
      }
      const values: T[] = [];
      const seen = new Set<string>();
      for (const at of place.items().slice(0, max)) {
        const value = item.read(at);
        if (value === INVALID) continue;
        const key = unique?.of(value);
        if (unique !== undefined && key !== undefined && seen.has(key)) {
          const message = `The ${unique.key} ${JSON.stringify(key)} is already taken by an earlier entry of this list.`;
          at.report({ code: 'not_unique', message, found: key, allowed: `each ${unique.key} once` });
          continue;
        }
        if (key !== undefined) seen.add(key);
        values.push(value);
      }
      return partly || values.length === count ? values : INVALID;
    },
    print: (definitions) => ({
      type: 'array',
      ...(min > 0 && { minItems: min }),
      maxItems: max,
      items: item.print(definitions),
    }),
  };
}

/** A mapping whose keys the author chooses. */
export function record<T>(
  shape: Shape<T>,
  keys: {
    readonly max: number;
    readonly check: (key: string, place: YamlNode) => boolean;
    readonly example: string;
    readonly pattern?: string;
  },
): Shape<Record<string, T>> {
  const allowed = `a mapping such as { ${keys.example}: ${shape.example} }`;
  const example = `{ ${keys.example}: ${shape.example} }`;
  return {
    allowed,
    example,
    read(place) {
      const node = place.map();
      if (node === undefined) return wrongKind(place, { allowed, example });
      if (place.exhausted) return INVALID;
      if (node.items.length > keys.max) {
        const message = `The mapping has ${node.items.length} entries; at most ${keys.max} are allowed.`;
        return place.report({ code: 'wrong_length', message, allowed: `at most ${keys.max} entries` });
      }
      const value: Record<string, T> = {};
      let whole = true;
      for (const entry of place.entries()) {
        const read = keys.check(entry.key, entry.keyPlace) ? shape.read(entry.value) : INVALID;
        if (read === INVALID) whole = false;
        else value[entry.key] = read;
      }
      return whole ? value : INVALID;
    },
    print: (definitions) => ({
      type: 'object',
      maxProperties: keys.max,
      ...(keys.pattern !== undefined && { propertyNames: { pattern: keys.pattern } }),
      additionalProperties: shape.print(definitions),
    }),
  };
}
