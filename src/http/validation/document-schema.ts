/**
 * The schemas of an OpenAPI document that the sandbox reads itself: to find unknown properties, and to describe the
 * allowed values in an error. Only the validator decides whether a call is valid (docs/decisions.md).
 */
import type { OpenApiDocument, Operation as Route } from '../operations.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly then?: Schema;
  /** The property that selects a variant, and the references to the variants by its values. */
  readonly 'x-variant-by'?: string;
  readonly 'x-variants'?: Readonly<Record<string, string>>;
  /** The allowed values, in words. */
  readonly 'x-allowed'?: string;
  /** The words of which a text names one, or several with commas. */
  readonly 'x-words'?: readonly string[];
  /** The hint for a violated keyword, by keyword. */
  readonly 'x-hint'?: Readonly<Record<string, string>>;
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
}

type Place = Pick<Route, 'path' | 'method'>;

function describedBy(document: OpenApiDocument, { path, method }: Place): Described {
  return document.paths[path]?.[method.toLowerCase()] ?? {};
}

/** The schema of an operation's body: that of its YAML for a text, if it has one, otherwise that of its JSON. */
export function bodySchema(document: OpenApiDocument, place: Place, body: unknown): Schema {
  const content = describedBy(document, place).requestBody?.content ?? {};
  const written = typeof body === 'string' ? content['application/yaml'] : undefined;
  return (written ?? content['application/json'])?.schema ?? {};
}

/** The parameters in the query or in the path of an operation, by name. */
export function parameterSchemas(
  document: OpenApiDocument,
  place: Place,
  where: 'query' | 'path',
): Readonly<Record<string, Schema>> {
  const all = describedBy(document, place).parameters ?? [];
  return Object.fromEntries(all.filter((entry) => entry.in === where).map(({ name, schema }) => [name, schema]));
}

const wholes = new WeakMap<Schema, Schema>();

/** A schema with its references and parts resolved. */
export function whole(document: OpenApiDocument, schema: Schema): Schema {
  // The conditions of its variants are parts, too, but they are read by the variant.
  if (schema['x-variants'] || (schema.$ref === undefined && schema.allOf === undefined)) return schema;
  const known = wholes.get(schema);
  if (known) return known;
  const { $ref, allOf = [], ...beside } = schema;
  const parts = [...($ref === undefined ? [] : [target(document, $ref)]), ...allOf].map((part) =>
    whole(document, part),
  );
  const properties = Object.assign({}, ...[...parts, beside].map((part) => part.properties)) as Record<string, Schema>;
  const merged = Object.assign({}, ...parts, beside, Object.keys(properties).length > 0 && { properties }) as Schema;
  wholes.set(schema, merged);
  return merged;
}

/** The target of a reference such as `#/components/schemas/Name`. */
function target(document: OpenApiDocument, ref: string): Schema {
  const path = ref.slice('#/'.length).split('/');
  return path.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document) as Schema;
}

/** By the schema of a value and the value of the property that selects a variant. */
const candidates = new WeakMap<Schema, Map<unknown, readonly Schema[]>>();

/** The schemas that may describe a value: its own and, of several variants, the selected one, or else all. */
function schemasOf(document: OpenApiDocument, schema: Schema, value: unknown): readonly Schema[] {
  const here = whole(document, schema);
  const selector = here['x-variant-by'];
  const selected = selector === undefined ? undefined : own(here['x-variants'], String(own(value, selector)));
  let known = candidates.get(here);
  if (!known) candidates.set(here, (known = new Map<unknown, readonly Schema[]>()));
  let schemas = known.get(selected);
  if (!schemas) known.set(selected, (schemas = candidatesOf(document, here, selected)));
  return schemas;
}

function candidatesOf(document: OpenApiDocument, here: Schema, selected: string | undefined): Schema[] {
  if (selected !== undefined) return [here, whole(document, { $ref: selected })];
  const { 'x-variants': variants = {}, oneOf = [], anyOf = [], then } = here;
  const refs = Object.values(variants).map(($ref) => ({ $ref }));
  return [here, ...[...refs, ...oneOf, ...anyOf, ...(then ? [then] : [])].map((other) => whole(document, other))];
}

function childOf(schemas: readonly Schema[], value: unknown, name: string | number): Schema | undefined {
  for (const schema of schemas) {
    const child = Array.isArray(value) ? schema.items : own(schema.properties, name);
    if (child) return child;
  }
  return undefined;
}

/** The schema at a path in a value, with all of its parts merged; empty if the document does not describe the path. */
export function schemaAt(
  document: OpenApiDocument,
  schema: Schema,
  value: unknown,
  path: readonly (string | number)[],
): Schema {
  const here = whole(document, schema);
  const [name, ...rest] = path;
  if (name === undefined) return here;
  if (name === here['x-variant-by']) return { enum: Object.keys(here['x-variants'] ?? {}) };
  const child = childOf(schemasOf(document, schema, value), value, name);
  return child ? schemaAt(document, child, own(value, name), rest) : {};
}

/** The unknown properties of a body, as dotted paths. */
export function unknownProperties(document: OpenApiDocument, schema: Schema, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const schemas = schemasOf(document, schema, value);
  const isList = Array.isArray(value);
  const found: string[] = [];
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    const child = childOf(schemas, value, name);
    const place = () => (isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
    if (child === undefined) {
      const isClosed = !isList && schemas.some(({ properties }) => properties !== undefined);
      if (isClosed) found.push(place());
    } else if (typeof inner === 'object' && inner !== null) {
      found.push(...unknownProperties(document, child, inner, place()));
    }
  }
  return found;
}

/** Returns the own property of a value; undefined for an inherited property, and for a value that is not an object. */
export function own<T>(holder: Readonly<Record<string, T>> | undefined, name: string | number): T | undefined;
export function own(holder: unknown, name: string | number): unknown;
export function own(holder: unknown, name: string | number): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Record<string | number, unknown>)[name];
}
