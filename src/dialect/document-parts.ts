/** The parts of the API document that a dialect changes. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly responses: Record<string, Response>;
    readonly parameters: Record<string, Schema>;
    readonly headers: Record<string, Schema>;
  };
}

export interface Operation {
  readonly responses: Record<string, Response>;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Operation>>>>>>;
  parameters?: readonly { readonly $ref?: string }[];
}

export interface Response {
  readonly $ref?: string;
  description?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, Media>>;
  readonly 'x-error-codes'?: readonly string[];
  readonly 'x-setting'?: string;
}

interface Media {
  readonly schema?: { readonly $ref?: string };
  readonly examples?: Readonly<Record<string, { value: unknown }>>;
}

export interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Record<string, unknown>>>;
}

export function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

/** Returns a response, whether it is inline or a reference. */
export function resolved({ components }: ApiDocument, response: Response): Response {
  return components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response;
}

/** Removes the components that are no longer referenced. */
export function dropUnused(document: ApiDocument): void {
  const text = JSON.stringify(document);
  let dropped = false;
  for (const [kind, named] of Object.entries(document.components)) {
    for (const name of kind === 'securitySchemes' ? [] : Object.keys(named)) {
      if (text.includes(`"#/components/${kind}/${name}"`)) continue;
      Reflect.deleteProperty(named, name);
      dropped = true;
    }
  }
  if (dropped) dropUnused(document);
}
