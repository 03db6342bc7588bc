/**
 * What the validator finds wrong with an address before it looks at values: it names one such fault, in its own words, and no
 * schema stands behind it. Said again here, and of every query parameter that has one.
 */
import type { ErrorDetail } from '../../domain/errors.js';
import { nearestWord } from '../../domain/nearest-word.js';
import { parameterSchemas } from './document-schema.js';
import type { JudgedCall } from './validation-error.js';
import { listed, shown } from './format-value.js';

/** @param said the validator's message; null when it tells of something else */
export function addressFaults(said: string, call: JudgedCall): ErrorDetail[] | null {
  if (/^(?:Unknown query parameter|Empty value found for query parameter) /.test(said)) return namedWrongly(call);
  const [, name] = /^Parameter '(.*)' must be url encoded/.exec(said) ?? [];
  if (name !== undefined) return [{ field: name, message: unescaped(call.query[name]) }];
  if (/^malformed uri/.test(said)) return malformed(call);
  return null;
}

function namedWrongly({ document, route, query }: JudgedCall): ErrorDetail[] {
  const known = Object.keys(parameterSchemas(document, route, 'query'));
  return Object.entries(query).flatMap(([field, value]) => {
    if (!known.includes(field)) return [{ field, message: notTaken(field, known) }];
    return value === '' ? [{ field, message: 'is empty; give it a value, or leave it out' }] : [];
  });
}

function notTaken(name: string, known: readonly string[]): string {
  const meant = nearestWord(name, known);
  if (meant !== undefined) return `is not a query parameter of this call; did you mean ${meant}?`;
  return `is not a query parameter of this call, which takes ${known.length === 0 ? 'none' : listed(known)}`;
}

function unescaped(value: unknown): string {
  const text = String(value);
  return `contains characters that must be escaped in a URL; found ${shown(text)}, write it as ${encodeURIComponent(text)}`;
}

/** The first part of the path whose percent signs say nothing. */
function malformed({ route }: JudgedCall): ErrorDetail[] {
  const [field = '', text = ''] = Object.entries(route.params).find(([, value]) => !isDecodable(value)) ?? [];
  const message = `must be escaped as in any URL: % and two hex digits, % itself as %25; found ${shown(text)}`;
  return [{ field, message }];
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
