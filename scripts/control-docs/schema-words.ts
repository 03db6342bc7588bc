/** Schemas in words: the type column and the rows of a table of properties. */
import { nameOf, type Schema } from './document.js';

export const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** A type for a table cell; components are linked to their shape further down. */
export function typeWords(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](#shape-${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  // What is added to a component narrows it and is told in words.
  if (schema.allOf?.[0]) return typeWords(schema.allOf[0]);
  if (schema.anyOf) return schema.anyOf.map(typeWords).join(' or ');
  const types = [schema.type ?? 'any'].flat();
  return (
    types.map((type) => (type === 'array' && schema.items ? `list of ${typeWords(schema.items)}` : type)).join(' or ') +
    bounds(schema)
  );
}

function bounds({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return maximum === undefined ? '' : `, at most ${maximum}`;
}

/** One row per property, those of objects inside with a dotted name. */
export function propertyRows(schema: Schema, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const needed = schema.required?.includes(name) === true ? 'yes' : '';
    const fallback = property.default === undefined ? '' : ` Default ${code(property.default)}.`;
    const row = [code(path), typeWords(property), needed, `${property.description ?? ''}${fallback}`.trim()];
    const inner = property.items?.properties ? property.items : property;
    return [row, ...propertyRows(inner, inner === property ? `${path}.` : `${path}[].`)];
  });
}
