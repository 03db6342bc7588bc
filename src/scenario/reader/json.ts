/** Any JSON inside a scenario: bodies and event data. */
import { INVALID, type YamlNode, type Invalid } from './yaml-node.js';
import { isQuoted, scalarText } from './yaml-text.js';
import { wrongKind, type Shape } from './shape.js';
import type { JsonValue } from '../language/slots.js';

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

function readObject(place: YamlNode): Record<string, JsonValue> | Invalid {
  const value: Record<string, JsonValue> = {};
  for (const entry of place.entries()) {
    const read = readJson(entry.value);
    if (read === INVALID) return INVALID;
    value[entry.key] = read;
  }
  return value;
}
