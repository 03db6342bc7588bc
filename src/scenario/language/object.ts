/** The shape of a mapping with known keys. */
import type { Report } from './problems.js';
import { named, wrongKind, type Definitions, type JsonSchema, type Shape } from './shape.js';
import { listed, meantWords, synonymsOf } from './synonyms.js';
import { INVALID, type Entry, type YamlNode } from './yaml-node.js';
import { joinPath } from './json-text.js';

export interface Property<T, Required extends boolean> {
  readonly shape: Shape<T>;
  readonly description: string;
  readonly required: Required;
}
type Properties = Readonly<Record<string, Property<unknown, boolean>>>;

export function required<T>(shape: Shape<T>, description: string): Property<T, true> {
  return { shape, description, required: true };
}

export function optional<T>(shape: Shape<T>, description: string): Property<T, false> {
  return { shape, description, required: false };
}

type KeysOf<P, Required> = {
  [K in keyof P]: P[K] extends Property<unknown, infer R> & { required: Required }
    ? R extends Required
      ? K
      : never
    : never;
}[keyof P];
type Held<P> = P extends Property<infer T, boolean> ? T : never;
type Flat<T> = { [K in keyof T]: T[K] };
/** The type of a mapping with these properties. */
export type ObjectOf<P> = Flat<{ [K in KeysOf<P, true>]: Held<P[K]> } & { [K in KeysOf<P, false>]?: Held<P[K]> }>;

/** What is wrong with a mapping: at the value of one of its keys, or at the whole. */
export type Misfit<K> = Report & { readonly at?: K };

interface ObjectOptions<T, K extends string> {
  /** Exactly one of these is required. */
  readonly exactlyOne?: readonly K[];
  /** At least one of these is required. */
  readonly atLeastOne?: readonly K[];
  /** Checks keys, even if values are invalid. `placeOf` returns undefined for a key that is absent. */
  readonly checkKeys?: (placeOf: (key: K) => YamlNode | undefined) => void;
  /** Returns what single properties cannot know; called if each of them is valid. */
  readonly check?: (value: T, placeOf: (key: K) => YamlNode) => readonly (Misfit<K> | false)[] | Misfit<K> | false;
  readonly example?: string;
  /** Keys whose value beginners write alone, as in `respond: 503`; the first that accepts the value is meant. */
  readonly short?: readonly K[];
  /** Whether the valid keys are read although others are invalid. All keys must be optional. */
  readonly partly?: boolean;
  /** Keywords added to the printed schema. */
  readonly keywords?: JsonSchema;
}

export interface ObjectShape<T> extends Shape<T> {
  /** Returns the same shape, printed once, under a name. */
  named(name: string, allowed: string, example: string): Shape<T>;
}

/** A mapping with known keys. */
export function object<P extends Properties>(
  properties: P,
  options: ObjectOptions<ObjectOf<P>, keyof P & string> = {},
): ObjectShape<ObjectOf<P>> {
  const table = Object.entries(properties);
  const words = Object.keys(properties);
  const { exactlyOne, atLeastOne } = options;
  const chosen = [exactlyOne?.[0], atLeastOne?.[0]];
  /** The smallest valid mapping: the required keys and the first of a choice. */
  const least = table.filter(([key, property]) => property.required || chosen.includes(key));
  const exampleFor = (key: string) => `${key}: ${properties[key]?.shape.example ?? ''}`;
  const shown = (least.length > 0 ? least : table.slice(0, 1)).map(([key]) => exampleFor(key)).join(', ');
  const kind = { allowed: `a mapping with ${words.join(', ')}`, example: options.example ?? `{ ${shown} }` };
  const accepts = (key: string, place: YamlNode) => place.fits(properties[key]?.shape ?? anything);
  /** Returns the key that an unknown one stands for; a synonym only if it accepts the value. */
  const meantKey = ({ key, value }: Entry, free: readonly string[]): string | undefined => {
    const synonyms = synonymsOf(key, free);
    return synonyms.length === 0 ? meantWords(key, free)[0] : synonyms.find((word) => accepts(word, value));
  };
  /** Returns the mapping that a single value stands for. */
  const longForm = (place: YamlNode): string | undefined => {
    const { written } = place;
    if (written === undefined || place.scalar() === undefined) return undefined;
    const flag = exactlyOne?.find((key) => key === written && properties[key]?.shape.isConstant === true);
    if (flag !== undefined) return `{ ${written}: true }`;
    const key = options.short?.find((one) => accepts(one, place));
    return key === undefined ? undefined : `{ ${key}: ${written} }`;
  };

  const shape: ObjectShape<ObjectOf<P>> = {
    ...kind,
    named: (name, allowed, example) => named(name, allowed, example, shape),
    read(place) {
      if (place.map() === undefined) return wrongKind(place, kind, longForm(place));
      if (place.exhausted) return INVALID;
      const value: Record<string, unknown> = {};
      const places = new Map<string, YamlNode>();
      /** Keys that are present under a wrong name, and so are not reported as missing. */
      const misspelt = new Set<string>();
      const before = place.reading.reports;
      const entries = place.entries();
      const free = words.filter((word) => !entries.some(({ key }) => key === word));
      for (const entry of entries) {
        const isKnown = words.includes(entry.key);
        if (!isKnown && place.countsOnly()) continue;
        const slip = isKnown ? undefined : colonSlip(entry.key, words);
        const meant = isKnown ? entry.key : slip === undefined ? meantKey(entry, free) : undefined;
        const stands = slip?.word ?? meant;
        if (!isKnown) reportKey(entry, words, meant, slip);
        if (!isKnown && stands !== undefined) misspelt.add(stands);
        if (meant === undefined) continue;
        const at = isKnown ? entry.value : entry.value.under(joinPath(place.path, meant));
        places.set(meant, at);
        const read = properties[meant]?.shape.read(at);
        if (read !== INVALID) value[meant] = read;
      }
      const has = (key: string) => places.has(key) || misspelt.has(key);
      for (const [key, { shape, description, required: isRequired }] of table) {
        if (!isRequired || has(key)) continue;
        const message = `The key "${key}" is missing. ${description}`;
        const added = shape.isConstant === true ? { insert: exampleFor(key) } : { example: exampleFor(key) };
        place.report({ code: 'missing_key', message, allowed: `${key}: ${shape.allowed}`, ...added });
      }
      reportPresence(place, has, options, exampleFor);
      options.checkKeys?.((key) => places.get(key));
      // Every property was read by its own shape, from which the type is made.
      const whole = value as ObjectOf<P>;
      const isWhole = () => place.reading.reports === before;
      const placeOf = (key: string) => places.get(key) ?? place;
      for (const fault of isWhole() ? [options.check?.(whole, placeOf) ?? []].flat() : []) {
        if (fault !== false) (fault.at === undefined ? place : placeOf(fault.at)).report(fault);
      }
      if (!isWhole() && options.partly !== true) return INVALID;
      place.reading.origins.set(whole, place);
      return whole;
    },
    print(definitions) {
      const requiredKeys = table.filter(([, property]) => property.required).map(([key]) => key);
      const needs = (keys: readonly string[]) => keys.map((key) => ({ required: [key] }));
      return {
        type: 'object',
        additionalProperties: false,
        ...(requiredKeys.length > 0 && { required: requiredKeys }),
        properties: Object.fromEntries(
          table.map(([key, { shape, description }]) => [key, describe(shape, description, definitions)]),
        ),
        ...(exactlyOne && { oneOf: needs(exactlyOne) }),
        ...(atLeastOne && { anyOf: needs(atLeastOne) }),
        ...options.keywords,
      };
    },
  };
  return shape;
}

const anything = { read: () => undefined };

/** Draft-07 ignores keywords next to a `$ref`, so the reference is wrapped. */
function describe(shape: Shape<unknown>, description: string, definitions: Definitions): JsonSchema {
  const schema = shape.print(definitions);
  return '$ref' in schema ? { description, allOf: [schema] } : { description, ...schema };
}

/** Returns the known word that a key begins with, if only a colon is missing: `then { lifecycle`, `when message.send`. */
function colonSlip(key: string, words: readonly string[]) {
  const [, word = '', rest = ''] = /^(\w+)(?::|\s+)(.*)$/.exec(key) ?? [];
  return words.includes(word) ? { word, rest } : undefined;
}

/** @param meant the key that was probably meant */
function reportKey(
  { key, keyPlace, value }: Entry,
  words: readonly string[],
  meant: string | undefined,
  slip: ReturnType<typeof colonSlip>,
): void {
  const found = `"${key.slice(0, 80)}"`;
  if (slip !== undefined) {
    const { word, rest } = slip;
    const message = `The colon after "${word}", or the space after the colon, is missing.`;
    const [allowed, replacement] = [`${word}: VALUE`, `${word}: ${rest}`];
    keyPlace.report({ code: 'colon_missing', message, found, allowed, replacement });
    return;
  }
  let why = '';
  if (key === '<<') why = ' YAML 1.2 has no merge keys.';
  // In braces, a comma ends a text, and what follows looks like a key without a value.
  else if (meant === undefined && value.node === null) why = ' In braces, put a text that contains a comma in quotes.';
  keyPlace.report({
    code: 'unknown_key',
    message: `Unknown key ${found}.${why}`,
    found,
    allowed: listed(key, words).join(', '),
    ...(meant !== undefined && { suggestion: meant }),
  });
}

/** Reports if none or too many of certain keys are present. */
function reportPresence(
  place: YamlNode,
  has: (key: string) => boolean,
  { exactlyOne, atLeastOne = [] }: Pick<ObjectOptions<never, string>, 'exactlyOne' | 'atLeastOne'>,
  exampleFor: (key: string) => string,
): void {
  const present = exactlyOne?.filter(has) ?? [];
  if (exactlyOne !== undefined && present.length !== 1) {
    const [code, allowed] = ['not_exactly_one', `exactly one of ${exactlyOne.join(', ')}`];
    if (present.length > 1) {
      place.report({ code, message: `Only one of ${present.join(', ')} is allowed.`, allowed });
    } else {
      const message = `Exactly one of ${exactlyOne.join(', ')} is required.`;
      place.report({ code, message, allowed, example: exampleFor(exactlyOne[0] ?? '') });
    }
  }
  if (atLeastOne.length > 0 && !atLeastOne.some(has)) {
    const allowed = atLeastOne.join(', ');
    const message = `At least one of ${allowed} is required.`;
    place.report({ code: 'nothing_stated', message, allowed, example: exampleFor(atLeastOne[0] ?? '') });
  }
}

/** A key that has no meaning without another one. */
export function misplaced<K extends string>(at: K, message: string, allowed: string): Misfit<K> {
  return { at, code: 'misplaced_key', message, allowed };
}
