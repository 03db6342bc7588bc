/**
 * The schemas of requests that the sandbox reads itself: to find unknown properties, and to describe the allowed values
 * in an error. Only the validator decides whether a call is valid. The build resolves the references and adds the words
 * (scripts/requests-document.ts).
 */
import type { Call, OpenApiDocument } from '../operations.js';
import type { Operation } from '../operation.js';

export interface Schema {
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
  readonly 'x-allowed'?: string;
  readonly 'x-demands'?: Readonly<Record<string, string>>;
  readonly 'x-hint'?: Readonly<Record<string, string>>;
  /** The words of which a text names one, or several with commas. */
  readonly 'x-words'?: readonly string[];
  /** The names of which an object must have exactly one. */
  readonly 'x-choice'?: readonly string[];
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
}

type Place = Pick<Operation, 'path' | 'method'>;

function describedBy(document: OpenApiDocument, { path, method }: Place): Described {
  return document.paths[path]?.[method.toLowerCase()] ?? {};
}

/** The schema of an operation's body: for a text, the schema of its YAML if there is one, otherwise the schema of its JSON. */
export function bodySchema(document: OpenApiDocument, place: Place, body: unknown): Schema {
  const content = describedBy(document, place).requestBody?.content ?? {};
  const written = typeof body === 'string' ? content['application/yaml'] : undefined;
  return (written ?? content['application/json'])?.schema ?? {};
}

export function parameterSchemas(
  document: OpenApiDocument,
  place: Place,
  where: 'query' | 'path',
): Readonly<Record<string, Schema>> {
  const all = describedBy(document, place).parameters ?? [];
  return Object.fromEntries(all.filter((entry) => entry.in === where).map(({ name, schema }) => [name, schema]));
}

/** The schemas that may describe a value: its own and, of several variants, the one whose condition holds, or else all. */
function partsOf(schema: Schema, value: unknown): readonly Schema[] {
  const { allOf = [], oneOf = [], anyOf = [], then } = schema;
  const branches = allOf.filter((branch) => branch.then);
  const selected = branches.filter(({ if: condition }) =>
    Object.entries(condition?.properties ?? {}).every(([name, { const: wanted }]) => own(value, name) === wanted),
  );
  const variants = (selected.length > 0 ? selected : branches).flatMap((branch) => branch.then ?? []);
  return [schema, ...variants, ...oneOf, ...anyOf, ...(then ? [then] : [])];
}

function childOf(parts: readonly Schema[], value: unknown, name: string): Schema | undefined {
  if (Array.isArray(value)) return parts.find(({ items }) => items)?.items;
  for (const { properties } of parts) {
    const child = own(properties, name);
    if (child) return child;
  }
  return undefined;
}

export function schemaAt(schema: Schema, value: unknown, [name, ...rest]: readonly string[]): Schema {
  if (name === undefined) return schema;
  const child = childOf(partsOf(schema, value), value, name);
  return child ? schemaAt(child, own(value, name), rest) : {};
}

export function unknownProperties(document: OpenApiDocument, { operation, body }: Call): string[] {
  if (operation === undefined || operation.body === 'none') return [];
  return unknownWithin(bodySchema(document, operation, body), body as object);
}

function unknownWithin(schema: Schema, value: object, path = ''): string[] {
  const parts = partsOf(schema, value);
  const isList = Array.isArray(value);
  const isClosed = !isList && parts.some(({ properties }) => properties !== undefined);
  const found: string[] = [];
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    const child = childOf(parts, value, name);
    if (child ? typeof inner !== 'object' || inner === null : !isClosed) continue;
    const place = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    if (child) found.push(...unknownWithin(child, inner as object, place));
    else found.push(place);
  }
  return found;
}

export function own<T>(holder: Readonly<Record<string, T>> | undefined, name: string): T | undefined;
export function own(holder: unknown, name: string): unknown;
export function own(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Record<string, unknown>)[name];
}
