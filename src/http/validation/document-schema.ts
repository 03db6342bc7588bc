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
  readonly pattern?: string;
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

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

/** The target of a reference such as `#/components/schemas/Name`. */
function pointer(document: OpenApiDocument, ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document);
}

/** The reference to the variant that a value selects; undefined if there is none. */
export function variantOf(schema: Schema, value: object): string | undefined {
  const { 'x-variant-by': name = '', 'x-variants': variants } = schema;
  return own(variants, String(own(value, name)));
}

/** The schema of an operation's body: that of its YAML for a text, if it has one, otherwise that of its JSON. */
export function bodySchema(document: OpenApiDocument, route: Route, body: unknown): Schema {
  const content = operationOf(document, route).requestBody?.content ?? {};
  const written = typeof body === 'string' ? content['application/yaml'] : undefined;
  return (written ?? content['application/json'])?.schema ?? {};
}

/** The parameters in the query or in the path of an operation, by name. */
export function parameterSchemas(
  document: OpenApiDocument,
  route: Pick<Route, 'path' | 'method'>,
  where: 'query' | 'path',
): Readonly<Record<string, Schema>> {
  const all = operationOf(document, route).parameters ?? [];
  return Object.fromEntries(all.filter((entry) => entry.in === where).map(({ name, schema }) => [name, schema]));
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
  const { 'x-variant-by': by, 'x-variants': variants } = here;
  if (name === by && variants) return { enum: Object.keys(variants) };
  const ref = typeof value === 'object' && value !== null ? variantOf(here, value) : undefined;
  const all = Object.values(variants ?? {}).map(($ref) => ({ $ref }));
  const others =
    ref === undefined ? [...all, ...(here.oneOf ?? []), ...(here.anyOf ?? []), here.then ?? {}] : [{ $ref: ref }];
  for (const part of [here, ...others.map((other) => whole(document, other))]) {
    const child = Array.isArray(value) ? part.items : own(part.properties, name);
    if (child) return schemaAt(document, child, own(value, name), rest);
  }
  return {};
}

/** A schema with its references and parts resolved. */
export function whole(document: OpenApiDocument, schema: Schema): Schema {
  const { $ref, allOf = [], ...beside } = schema;
  // The conditions of its variants.
  if (schema['x-variants']) return schema;
  const named = $ref === undefined ? [] : [pointer(document, $ref) as Schema];
  const parts = [...named, ...allOf].map((part) => whole(document, part));
  if (parts.length === 0) return schema;
  const properties = Object.assign({}, ...[...parts, beside].map((part) => part.properties)) as Record<string, Schema>;
  return Object.assign({}, ...parts, beside, Object.keys(properties).length > 0 && { properties }) as Schema;
}

function operationOf(document: OpenApiDocument, { path, method }: Pick<Route, 'path' | 'method'>): Operation {
  return document.paths[path]?.[method.toLowerCase()] ?? {};
}

/** Returns the own property of a value; undefined for an inherited property, and for a value that is not an object. */
export function own<T>(holder: Readonly<Record<string, T>> | undefined, name: string | number): T | undefined;
export function own(holder: unknown, name: string | number): unknown;
export function own(holder: unknown, name: string | number): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Record<string | number, unknown>)[name];
}

/** Returns a function of operationId and body that lists the unknown properties, as dotted paths. */
export function unknownProperties(document: OpenApiDocument): (operationId: string, body: unknown) => string[] {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item)) as Operation[];
  const bodies = new Map(
    operations.map(({ operationId, requestBody }) => [operationId, requestBody?.content?.['application/json']?.schema]),
  );
  const named = new Map<string, Schema>();
  const at = (ref: string): Schema => {
    const schema = named.get(ref) ?? (pointer(document, ref) as Schema);
    if (!named.has(ref)) named.set(ref, schema);
    return schema;
  };
  const resolve = (schema: Schema): Schema => (schema.$ref === undefined ? schema : resolve(at(schema.$ref)));
  const namedBy = new Map<Schema, Readonly<Record<string, Schema>> | null>();

  const walk = (schema: Schema, value: unknown, path: string, found: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const all = resolve(schema);
    const variant = variantOf(all, value);
    const here = variant === undefined ? all : at(variant);
    if (Array.isArray(value)) {
      const { items } = here;
      if (items) value.forEach((entry, i) => walk(items, entry, `${path}[${i}]`, found));
      return;
    }
    let known = namedBy.get(here);
    if (known === undefined) namedBy.set(here, (known = propertiesOf(here, resolve)));
    if (!known) return;
    for (const [name, inner] of Object.entries(value)) {
      const property = own(known, name);
      if (property && typeof inner !== 'object') continue;
      const place = path === '' ? name : `${path}.${name}`;
      if (property) walk(property, inner, place, found);
      else found.push(place);
    }
  };

  return (operationId, body) => {
    const found: string[] = [];
    const schema = bodies.get(operationId);
    if (schema) walk(schema, body, '', found);
    return found;
  };
}

/** The properties that any part of a schema names; null if none names any. */
function propertiesOf(schema: Schema, resolve: (schema: Schema) => Schema): Record<string, Schema> | null {
  const parts = [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(resolve);
  const named = parts.flatMap((part) => (part.properties ? [part.properties] : []));
  return named.length === 0 ? null : (Object.assign({}, ...named) as Record<string, Schema>);
}
