/** Shapes of lists, of mappings whose keys the author chooses, and of any JSON. */
import { wrongKind, type Shape } from './shape.js';
import type { Report } from './problems.js';
import { INVALID, type YamlNode, type Invalid } from './yaml-node.js';
import { isQuoted, scalarText } from './json-text.js';

interface ListBounds<T> {
  readonly min?: number;
  readonly max: number;
  /** Whether the valid entries are read although others are invalid. */
  readonly partly?: boolean;
  /** A key that no two entries may share; undefined is not shared. */
  readonly unique?: keyof T & string;
}

/** A list of one shape. A single value is not read as a list of one; the problem suggests `[…]`. */
export function list<T>(item: Shape<T>, { min = 0, max, unique, partly = false }: ListBounds<T>): Shape<T[]> {
  const kind = { allowed: `a list of ${item.allowed}`, example: `[${item.example}]` };
  return {
    ...kind,
    read(place) {
      const node = place.list();
      if (node === undefined) {
        const { written } = place;
        return wrongKind(place, kind, written !== undefined && place.fits(item) ? `[${written}]` : undefined);
      }
      if (place.exhausted) return INVALID;
      const count = node.items.length;
      if (count < min || count > max) {
        const message = `The list has ${count} entries; ${min} to ${max} are allowed.`;
        place.report({ ...kind, code: 'wrong_length', message, allowed: `${min} to ${max} entries` });
        if (!partly) return INVALID;
      }
      const values: T[] = [];
      const seen = new Set<unknown>();
      for (const at of place.items().slice(0, max)) {
        const value = item.read(at);
        if (value === INVALID) continue;
        const key = unique && value[unique];
        if (unique !== undefined && key !== undefined && seen.has(key)) {
          const message = `An earlier entry of this list has the ${unique} ${JSON.stringify(key)}.`;
          at.report({ code: 'not_unique', message, found: String(key), allowed: `each ${unique} once` });
          continue;
        }
        seen.add(key);
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

interface Keys<T> {
  readonly max: number;
  readonly example: string;
  /** The form of every key. */
  readonly pattern?: string;
  /** Returns what is wrong with a key, if anything. */
  readonly check?: (key: string) => Report | undefined;
  /** Returns the shape, if it depends on the key. */
  readonly shapeOf?: (key: string) => Shape<T>;
}

/** A mapping whose keys the author chooses. */
export function record<T>(shape: Shape<T>, keys: Keys<T>): Shape<Record<string, T>> {
  const { max, check, pattern, shapeOf = () => shape } = keys;
  const example = `{ ${keys.example}: ${shape.example} }`;
  const kind = { allowed: `a mapping such as ${example}`, example };
  return {
    ...kind,
    read(place) {
      const node = place.map();
      if (node === undefined) return wrongKind(place, kind);
      if (place.exhausted) return INVALID;
      if (node.items.length > max) {
        const message = `The mapping has ${node.items.length} entries; at most ${max} are allowed.`;
        return place.report({ code: 'wrong_length', message, allowed: `at most ${max} entries` });
      }
      return readEntries(place, ({ key, keyPlace, value }) => {
        const fault = check?.(key);
        return fault ? keyPlace.report(fault) : shapeOf(key).read(value);
      });
    },
    print: (definitions) => ({
      type: 'object',
      maxProperties: max,
      ...(pattern !== undefined && { propertyNames: { pattern } }),
      additionalProperties: shape.print(definitions),
    }),
  };
}

/** Reads all entries; INVALID if one of them is. */
function readEntries<T>(
  place: YamlNode,
  read: (entry: ReturnType<YamlNode['entries']>[number]) => T | Invalid,
): Record<string, T> | Invalid {
  const value: Record<string, T> = {};
  let isWhole = true;
  for (const entry of place.entries()) {
    const one = read(entry);
    if (one === INVALID) isWhole = false;
    else value[entry.key] = one;
  }
  return isWhole ? value : INVALID;
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Any JSON value. */
export const anyJson: Shape<JsonValue> = {
  allowed: 'any JSON value',
  example: '{ ok: true }',
  read: readJson,
  print: () => ({}),
};

/** A JSON object. */
export const jsonObject: Shape<Record<string, JsonValue>> = {
  allowed: 'a mapping',
  example: '{ text: hello }',
  read: (place) => (place.map() === undefined ? wrongKind(place, jsonObject) : readObject(place)),
  print: () => ({ type: 'object' }),
};

function readObject(place: YamlNode): Record<string, JsonValue> | Invalid {
  return readEntries(place, ({ value }) => readJson(value));
}

/** Numbers as in JSON; `+12025550123` and `012345` are not JSON numbers, so they stay texts. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readJson(place: YamlNode): JsonValue | Invalid {
  if (place.exhausted) return INVALID;
  if (place.map() !== undefined) return readObject(place);
  if (place.list() !== undefined) {
    const values = place.items().map(readJson);
    const whole = values.filter((value) => value !== INVALID);
    return whole.length === values.length ? whole : INVALID;
  }
  const scalar = place.scalar();
  if (scalar === undefined) return null;
  const text = scalarText(scalar);
  if (isQuoted(scalar)) return text;
  if (typeof scalar.value === 'boolean') return scalar.value;
  const number = JSON_NUMBER.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : text;
}
