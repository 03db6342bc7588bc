/** Returns what the JSON schema of scenarios allows at a position. */
import { yamlPlace } from './yaml-path.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

export interface Suggestion {
  readonly label: string;
  readonly kind: 'key' | 'value';
  readonly description: string;
  readonly required: boolean;
}

/** @returns the start of the completed word, and the suggestions */
export function suggestionsAt(text: string, at: number, root: Schema): { from: number; suggestions: Suggestion[] } {
  const { path, inValue, from } = yamlPlace(text, at);
  const schemas = schemasAt(root, path);
  const found = inValue ? schemas.flatMap(valuesOf) : schemas.flatMap(keysOf);
  return { from, suggestions: [...new Map(found.map((each) => [each.label, each])).values()] };
}

/** @returns the description of the key at a position; null if the schema has none */
export function descriptionAt(text: string, at: number, root: Schema): string | null {
  const end = at + (/^[\w.$+-]*/.exec(text.slice(at))?.[0].length ?? 0);
  const word = /[\w.$+-]*$/.exec(text.slice(0, end))?.[0] ?? '';
  const isKey = /^\s*:/.test(text.slice(end));
  const { path } = yamlPlace(text, end - word.length);
  if (word === '' || !isKey) return null;
  return firstDescription(unresolvedAt(root, schemasAt(root, path), word));
}

function unresolvedAt(root: Schema, schemas: readonly Schema[], key: string): Schema[] {
  const own = schemas.flatMap(({ properties = {} }) => (Object.hasOwn(properties, key) ? (properties[key] ?? []) : []));
  return [...own, ...own.flatMap((schema) => alternativesOf(root, schema))];
}

const firstDescription = (schemas: readonly Schema[]): string | null =>
  schemas.find(({ description }) => description !== undefined)?.description ?? null;

/** Returns all schemas that apply at a path, with references and alternatives resolved. */
function schemasAt(root: Schema, path: readonly string[]): Schema[] {
  let schemas = alternativesOf(root, root);
  for (const key of path) {
    const next = schemas.flatMap((schema): Schema[] => {
      if (key === '[]') return schema.items ? [schema.items] : [];
      const own = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
      if (own) return [own];
      return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
    });
    schemas = next.flatMap((schema) => alternativesOf(root, schema));
  }
  return schemas;
}

function alternativesOf(root: Schema, schema: Schema, seen: ReadonlySet<Schema> = new Set()): Schema[] {
  if (seen.has(schema)) return [];
  const known = new Set(seen).add(schema);
  const name = schema.$ref?.replace('#/definitions/', '');
  const target = name === undefined ? undefined : root.definitions?.[name];
  const parts = [target, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...parts.flatMap((part) => (part ? alternativesOf(root, part, known) : []))];
}

function keysOf({ properties = {}, required = [] }: Schema): Suggestion[] {
  return Object.entries(properties).map(([label, { description = '' }]) => {
    return { label, kind: 'key', description, required: required.includes(label) };
  });
}

function valuesOf({ enum: words = [], const: only, type, description = '' }: Schema): Suggestion[] {
  const bool = type === 'boolean' ? [true, false] : [];
  const values = [...words, ...(only === undefined ? [] : [only]), ...bool];
  return values.map((value) => ({ label: String(value), kind: 'value', description, required: false }));
}
