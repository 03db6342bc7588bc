/** Free JSON inside a scenario: bodies and event data. */
import { isQuoted, scalarText, INVALID, type YamlNode, type Invalid } from './yaml-node.js';
import { wrongKind, type Shape } from './shape.js';
import type { JsonValue } from '../language/slots.js';
import { isMap, isScalar, isSeq, parseDocument, type Node, type Scalar } from 'yaml';

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

/** Numbers as JSON writes them; `+12025550123` and `012345` are none, so they stay the texts they look like. */
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

function readObject(place: YamlNode): Record<string, JsonValue> | Invalid {
  const value: Record<string, JsonValue> = {};
  for (const entry of place.entries()) {
    const read = readJson(entry.value);
    if (read === INVALID) return INVALID;
    value[entry.key] = read;
  }
  return value;
}

/** What keeps a text from being JSON: a `.json` file is read by others too, and most YAML is none. */

export interface JsonFault {
  readonly offset: number;
  /** One sentence. */
  readonly message: string;
}

/** Undefined for JSON. Only the commonest fault has a place that every version of the engine tells. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const comma = trailingComma(text);
    if (comma !== undefined) return { offset: comma, message: 'JSON has no comma before a closing bracket.' };
    const reason = error instanceof Error ? error.message : String(error);
    return {
      offset: Number(/position (\d+)/.exec(reason)?.[1] ?? 0),
      message: `This is no JSON: ${reason.replace(/\.?$/, '.')}`,
    };
  }
}

/** Steps over strings, in which a comma means nothing. */
function trailingComma(text: string): number | undefined {
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|,\s*[\]}]/gs)) {
    if (match[0].startsWith(',')) return match.index;
  }
  return undefined;
}

/** A value, or `key: value` without braces, as JSON; undefined where it is no YAML of its own. */
export function asJson(fragment: string): string | undefined {
  const isEntry = /^[\w-]+: /.test(fragment);
  const { contents, errors } = parseDocument(isEntry ? `{ ${fragment} }` : fragment, { schema: 'core' });
  if (errors.length > 0 || contents === null) return undefined;
  const json = written(contents);
  return isEntry ? json.slice(2, -2) : json;
}

function written(node: unknown): string {
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => `${JSON.stringify(text(key))}: ${written(value)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (isSeq(node)) return `[${node.items.map(written).join(', ')}]`;
  const { value } = node as Scalar;
  const isNumber = typeof value === 'number' && String(value) === text(node);
  return isNumber || typeof value === 'boolean' || value === null ? String(value) : JSON.stringify(text(node));
}

/** The characters of a scalar: `+12025550123` is no number. */
function text(node: unknown): string {
  const { source, value } = node as Scalar & Node;
  return isScalar(node) ? (source ?? String(value)) : String(node);
}
