/** The parts of an OpenAPI document that code is generated from. */

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
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
  readonly required?: boolean;
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
  readonly tags?: { readonly name: string; 'x-paths'?: string }[];
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
