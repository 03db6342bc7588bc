/** Shapes of mappings and lists. */
import { colonSlip, reportKey, reportPresence } from './keys.js';
import { meantWords, synonymsOf } from './synonyms.js';
import { INVALID, type Entry, type YamlNode } from './yaml-node.js';
import { joinPath } from './yaml-text.js';
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
/** A shape for every property of the type: a missing or superfluous one does not compile. */
export type Properties<T> = { readonly [K in keyof T]-?: Property<Exclude<T[K], undefined>, IsRequired<T, K>> };

export interface ObjectOptions<T> {
  /** Exactly one of these is required. */
  readonly exactlyOne?: readonly (keyof T & string)[];
  /** At least one of these is required. */
  readonly atLeastOne?: readonly (keyof T & string)[];
  /** Checks keys, even if values are invalid. `placeOf` returns undefined for a key that is absent. */
  readonly checkKeys?: (placeOf: (key: keyof T & string) => YamlNode | undefined) => void;
  /** Checks that concern several properties; called if each of them is valid. */
  readonly check?: (value: T, place: YamlNode, placeOf: (key: keyof T & string) => YamlNode) => void;
  readonly example?: string;
  /** Keys whose value beginners write alone, as in `respond: 503`; the first that accepts the value is meant. */
  readonly short?: readonly (keyof T & string)[];
  /** Whether the valid keys are read although others are invalid. All keys must be optional. */
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
  /** Returns the key that an unknown one stands for; a synonym only if it accepts the value. */
  const meantKey = ({ key, value }: Entry, free: readonly string[]): string | undefined => {
    const synonyms = synonymsOf(key, free);
    if (synonyms.length === 0) return meantWords(key, free)[0];
    return synonyms.find((word) => value.fits(shapes.get(word)?.shape ?? anything));
  };
  /** Returns the mapping that a single value stands for. */
  const shortForm = (place: YamlNode): { replacement?: string } => {
    const { written } = place;
    if (written === undefined || place.scalar() === undefined) return {};
    if (options.exactlyOne?.some((key) => key === written && shapes.get(key)?.shape.isConstant === true)) {
      return { replacement: `{ ${written}: true }` };
    }
    const key = options.short?.find((one) => place.fits(shapes.get(one)?.shape ?? anything));
    return key === undefined ? {} : { replacement: `{ ${key}: ${written} }` };
  };

  return {
    allowed,
    example,
    read(place) {
      if (place.map() === undefined) return wrongKind(place, { allowed, example, ...shortForm(place) });
      if (place.exhausted) return INVALID;
      const value: Record<string, unknown> = {};
      const places = new Map<string, YamlNode>();
      /** Keys that are present under a wrong name, and so are not reported as missing. */
      const misspelt = new Set<string>();
      const before = place.reading.reports;
      const entries = place.entries();
      const written = new Set(entries.map(({ key }) => key));
      const free = words.filter((word) => !written.has(word));
      for (const entry of entries) {
        const isKnown = shapes.has(entry.key);
        if (!isKnown && place.countsOnly()) continue;
        const slip = isKnown ? undefined : colonSlip(entry.key, words)?.word;
        const meant = isKnown ? entry.key : slip === undefined ? meantKey(entry, free) : undefined;
        if (meant !== entry.key) reportKey(entry, words, meant);
        const stands = slip ?? meant;
        if (stands !== undefined && stands !== entry.key) misspelt.add(stands);
        if (meant === undefined) continue;
        const at = isKnown ? entry.value : entry.value.under(joinPath(place.path, meant));
        places.set(meant, at);
        const read = shapes.get(meant)?.shape.read(at);
        if (read !== INVALID) value[meant] = read;
      }
      for (const [key, property] of table) {
        if (!property.required || places.has(key) || misspelt.has(key)) continue;
        const message = `The key "${key}" is missing. ${property.description}`;
        const { shape } = property;
        const entry = `${key}: ${shape.example}`;
        const added = shape.isConstant === true ? { insert: entry } : { example: entry };
        place.report({ code: 'missing_key', message, allowed: `${key}: ${shape.allowed}`, ...added });
      }
      const exampleFor = (key: string) => `${key}: ${shapes.get(key)?.shape.example ?? ''}`;
      reportPresence(place, (key) => places.has(key) || misspelt.has(key), options, exampleFor);
      options.checkKeys?.((key) => places.get(key));
      // Every property was read by its own shape, which the type of `properties` ties to T.
      const whole = value as T;
      const isWhole = () => place.reading.reports === before;
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

const anything = { read: () => undefined };

/** Returns the smallest valid mapping: the required keys and the first of a choice. */
function exampleOf<T>(table: readonly (readonly [string, Property<unknown, boolean>])[], options: ObjectOptions<T>) {
  const chosen: readonly string[] = [options.exactlyOne?.[0], options.atLeastOne?.[0]].filter(
    (key) => key !== undefined,
  );
  const least = table.filter(([key, { required: wanted }]) => wanted || chosen.includes(key));
  const entries = least.length > 0 ? least : table.slice(0, 1);
  return `{ ${entries.map(([key, { shape }]) => `${key}: ${shape.example}`).join(', ')} }`;
}

/** Draft-07 ignores keywords next to a `$ref`, so the reference is wrapped. */
function withDescription(schema: JsonSchema, description: string): JsonSchema {
  return '$ref' in schema ? { description, allOf: [schema] } : { description, ...schema };
}

export interface ListBounds<T> {
  readonly min?: number;
  readonly max: number;
  /** Whether the valid entries are read although others are invalid. */
  readonly partly?: boolean;
  /** A key that no two entries may share; undefined is not shared. */
  readonly unique?: { readonly key: keyof T & string; readonly of: (value: T) => string | undefined };
}

/** A list of one shape. A single value is not read as a list of one; the problem suggests `[…]`. */
export function list<T>(item: Shape<T>, bounds: ListBounds<T>): Shape<T[]> {
  const { min = 0, max, unique, partly = false } = bounds;
  const allowed = `a list of ${item.allowed}`;
  const example = `[${item.example}]`;
  return {
    allowed,
    example,
    read(place) {
      const node = place.list();
      if (node === undefined) {
        const { written } = place;
        const alone = written !== undefined && place.fits(item) ? { replacement: `[${written}]` } : {};
        return wrongKind(place, { allowed, example, ...alone });
      }
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
          const message = `An earlier entry of this list has the ${unique.key} ${JSON.stringify(key)}.`;
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
