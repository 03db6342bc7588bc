/** What an answer holds and its document does not describe. */
import { isObject, objectAt, type Json } from './openapi-document.js';

/**
 * The places in `value` that no schema of `document` names, with indexes left out, such as `items[].id`. Where a schema
 * lets anything in (`additionalProperties`, or an object without properties), nothing is undescribed.
 */
export function undescribed(document: Json, schema: unknown, value: unknown, at = ''): string[] {
  const parts = partsOf(document, schema);
  if (Array.isArray(value)) {
    const items = parts.flatMap(({ items }) => items ?? []);
    return value.flatMap((item) => undescribed(document, { anyOf: items }, item, `${at}[]`));
  }
  if (!isObject(value)) return [];
  const named = parts.filter(({ properties }) => isObject(properties));
  if (named.length === 0 || parts.some(({ additionalProperties = false }) => additionalProperties !== false)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const schemas = named.flatMap(({ properties }) => objectAt(properties)[key] ?? []);
    const place = `${at}${at && '.'}${key}`;
    return schemas.length === 0 ? [place] : undescribed(document, { anyOf: schemas }, inner, place);
  });
}

/** A schema with all that it refers to and is put together of. */
function partsOf(document: Json, schema: unknown): Json[] {
  if (!isObject(schema)) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  const referred = typeof $ref === 'string' ? [objectAt(document, ...$ref.slice(2).split('/'))] : [];
  const inner = [...referred, ...[allOf, anyOf, oneOf].flat()];
  return [schema, ...inner.flatMap((part) => partsOf(document, part))];
}
