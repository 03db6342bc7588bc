/**
 * The schemas of an OpenAPI document as far as the sandbox reads them itself: to find unknown properties, and to say in words
 * what a rejected value should have been. The validator alone decides (docs/decisions/009).
 */
import { own } from './format-value.js';
import type { OpenApiDocument, OperationRoute } from '../api/route-table.js';

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
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
  /** What it allows, in words. */
  readonly 'x-allowed'?: string;
  /** What to do when a keyword is broken, by keyword. */
  readonly 'x-hint'?: Readonly<Record<string, string>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

/** What a reference such as `#/components/schemas/Name` names. */
export function pointer(document: OpenApiDocument, ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document);
}

/** The reference to the variant that a schema's discriminator picks for a value; undefined where there is none. */
export function variantOf({ discriminator }: Schema, value: object): string | undefined {
  if (!discriminator?.mapping) return undefined;
  return discriminator.mapping[String((value as Record<string, unknown>)[discriminator.propertyName])];
}

/** The schema of an operation's body: of its YAML for one that came as a text and may be that, else of its JSON. */
export function bodySchema(document: OpenApiDocument, route: OperationRoute, body: unknown): Schema {
  const content = operationOf(document, route).requestBody?.content ?? {};
  const written = typeof body === 'string' ? content['application/yaml'] : undefined;
  return (written ?? content['application/json'])?.schema ?? {};
}

/** The parameters that an operation takes in its query, or in its path, by name. */
export function parameterSchemas(
  document: OpenApiDocument,
  route: OperationRoute,
  where: 'query' | 'path',
): Readonly<Record<string, Schema>> {
  const shared = (document.paths[route.path]?.['parameters'] ?? []) as readonly Parameter[];
  const all = [...shared, ...(operationOf(document, route).parameters ?? [])].map((entry) =>
    entry.$ref === undefined ? entry : (pointer(document, entry.$ref) as Parameter),
  );
  return Object.fromEntries(all.filter((entry) => entry.in === where).map(({ name, schema }) => [name, schema]));
}

/** The schema of a place in a value, all of its parts as one; empty when the document says nothing about that place. */
export function schemaAt(
  document: OpenApiDocument,
  schema: Schema,
  value: unknown,
  path: readonly (string | number)[],
): Schema {
  const here = whole(document, schema);
  const [name, ...rest] = path;
  if (name === undefined) return here;
  const { propertyName, mapping } = here.discriminator ?? {};
  if (name === propertyName && mapping) return { enum: Object.keys(mapping) };
  const ref = typeof value === 'object' && value !== null ? variantOf(here, value) : undefined;
  const others = ref === undefined ? [...(here.oneOf ?? []), ...(here.anyOf ?? []), here.then ?? {}] : [{ $ref: ref }];
  for (const part of [here, ...others.map((other) => whole(document, other))]) {
    const child = Array.isArray(value) ? part.items : own(part.properties, name);
    if (child) return schemaAt(document, child, own(value, name), rest);
  }
  return {};
}

/** A schema with what it refers to and what it is made of. */
export function whole(document: OpenApiDocument, schema: Schema): Schema {
  const { $ref, allOf = [], ...beside } = schema;
  const named = $ref === undefined ? [] : [pointer(document, $ref) as Schema];
  const parts = [...named, ...allOf].map((part) => whole(document, part));
  if (parts.length === 0) return schema;
  const properties = Object.assign({}, ...[...parts, beside].map((part) => part.properties)) as Record<string, Schema>;
  return Object.assign({}, ...parts, beside, Object.keys(properties).length > 0 && { properties }) as Schema;
}

function operationOf(document: OpenApiDocument, { path, method }: OperationRoute): Operation {
  return document.paths[path]?.[method.toLowerCase()] ?? {};
}

/** Returns a function of operationId and body that names the unknown properties, as dotted paths. */
export function unknownProperties(document: OpenApiDocument): (operationId: string, body: unknown) => string[] {
  const bodies = new Map<string, Schema>();
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as {
      operationId?: string;
      requestBody?: { content?: Record<string, { schema: Schema }> };
    }[]) {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      if (operation.operationId !== undefined && schema) bodies.set(operation.operationId, schema);
    }
  }
  const named = new Map<string, Schema>();
  const at = (ref: string): Schema => {
    let schema = named.get(ref);
    if (!schema) named.set(ref, (schema = pointer(document, ref) as Schema));
    return schema;
  };
  const resolve = (schema: Schema): Schema => (schema.$ref === undefined ? schema : resolve(at(schema.$ref)));

  const namedBy = new Map<Schema, Record<string, Schema> | null>();

  const walk = (schema: Schema, value: unknown, path: string, found: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const own = chosen(resolve(schema), value, at);
    if (Array.isArray(value)) {
      const { items } = own;
      if (items) value.forEach((entry, i) => walk(items, entry, `${path}[${i}]`, found));
      return;
    }
    let known = namedBy.get(own);
    if (known === undefined) namedBy.set(own, (known = propertiesOf(own, resolve)));
    if (!known) return;
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      const inner = fields[name];
      const property = Object.hasOwn(known, name) ? known[name] : undefined;
      const isLeaf = typeof inner !== 'object' || inner === null;
      if (property && isLeaf) continue;
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

/** The variant that the discriminator picks; the schema itself where there is none. */
function chosen(schema: Schema, value: object, at: (ref: string) => Schema): Schema {
  const variant = variantOf(schema, value);
  return variant === undefined ? schema : at(variant);
}

function propertiesOf(schema: Schema, resolve: (schema: Schema) => Schema): Record<string, Schema> | null {
  const parts = [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(resolve);
  const named = parts.flatMap((part) => (part.properties ? [part.properties] : []));
  return named.length === 0 ? null : (Object.assign({}, ...named) as Record<string, Schema>);
}
