/** The parts of an OpenAPI document that code is generated from. */

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** The part itself, or the name of a shared one. */
export type Referring<T> = T | { readonly $ref: string };

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export interface Content {
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Referring<Parameter>[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Referring<Content>>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A path also has entries that are not operations, such as the parameters that they share. */
export function operationsOf({ paths }: OpenApi) {
  return Object.entries(paths).flatMap(([path, entries]) =>
    Object.entries(entries)
      .filter(([name]) => /^(?:get|put|post|delete|patch|head|options)$/.test(name))
      .map(([name, operation]) => ({
        method: name.toUpperCase(),
        path,
        operation: operation as Operation,
        shared: (entries['parameters'] ?? []) as readonly Referring<Parameter>[],
      })),
  );
}

/** Returns the part, or the shared one that it names. */
export function resolve<T extends object>({ components }: OpenApi, part: Referring<T>): T {
  if (!('$ref' in part)) return part;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  return components[kind]?.[name] as T;
}

type Json = Record<string, unknown>;
const parameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** The parameters of every list. */
const ofLists = ['After', 'Before', 'Limit', 'Order'];
/** The errors of every call of the control plane; a body adds two. */
const ofAll = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'LimitReached',
  503: 'StoreUnavailable',
};

/**
 * Returns the document of the control plane with what its source leaves out, because it is the same everywhere: the
 * parameters of lists (`x-list`), shared parameters by their names (`x-parameters`), the filters by `data.*` that events
 * have beside those without a prefix (`x-data-filters`), and the errors of every call.
 */
export function expanded<Document extends OpenApi>(source: Document): Document {
  const document = structuredClone(source);
  const parameters = document.components['parameters'] as Json;
  for (const { method, path, operation } of operationsOf(document)) {
    const open = operation as unknown as Json & { parameters?: Json[]; responses: Json };
    const { 'x-list': isList, 'x-parameters': names = '', 'x-data-filters': inData = '' } = open;
    const data = String(inData)
      .split(' ')
      .filter(Boolean)
      .map((name) => dataFilter(parameters, name));
    const shared = [...String(names).split(' ').filter(Boolean), ...data, ...(isList === true ? ofLists : [])];
    if (shared.length > 0) open.parameters = [...(open.parameters ?? []), ...shared.map(parameterRef)];
    for (const mark of ['x-list', 'x-parameters', 'x-data-filters']) Reflect.deleteProperty(open, mark);
    if (!path.startsWith('/_sandbox/') || (path === '/_sandbox/sink/{name}' && method === 'POST')) continue;
    const errors: Record<string, string> = { ...ofAll };
    if (open['requestBody'] !== undefined) errors['413'] = 'PayloadTooLarge';
    if (method !== 'GET') errors['415'] = 'UnsupportedMediaType';
    for (const [status, name] of Object.entries(errors)) open.responses[status] ??= responseRef(name);
  }
  return document;
}

/** Adds a parameter such as `data.status` for one such as `status`, and returns its name. */
function dataFilter(parameters: Json, name: string): string {
  const shared = parameters[name] as Json & { name: string };
  const own = `${name}InData`;
  parameters[own] = { ...shared, name: `data.${shared.name}` };
  return own;
}
