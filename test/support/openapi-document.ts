import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The text of the control plane's document, with what is repeated in it. */
export const controlSource = readFileSync('src/generated/control.json', 'utf8');

export type Json = Readonly<Record<string, unknown>>;

/** A new copy of the API document, because validators may change the one they are given. */
export const readApiDocument = (): Json => parse(readFileSync('openapi.yaml', 'utf8')) as Json;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the object at a path of keys; fails if there is none, so that no test passes with an empty list. */
export function objectAt(root: unknown, ...path: string[]): Json {
  let here = root;
  for (const key of path) here = isObject(here) ? here[key] : undefined;
  if (!isObject(here)) throw new Error(`no object at ${path.join(' > ')}`);
  return here;
}

export interface Found {
  /** JSON pointer of the object, such as `/paths/~1v1~1messages/post`. */
  readonly pointer: string;
  readonly object: Json;
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns every object of a document except examples, which contain data. */
export function* objectsOf(value: unknown, pointer = ''): Generator<Found> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsOf(item, `${pointer}/${index}`);
  } else if (isObject(value)) {
    yield { pointer, object: value };
    for (const [key, item] of Object.entries(value)) {
      if (key !== 'example' && key !== 'examples') yield* objectsOf(item, `${pointer}/${escaped(key)}`);
    }
  }
}

/** The operations under `paths`, each with its call, such as `GET /livez`, and its responses by status, references resolved. */
export function operationsOf(
  document: Json,
): { id: string; call: string; object: Json; responses: Map<string, Json> }[] {
  const resolved = (response: unknown): Json => {
    const ref = isObject(response) ? response.$ref : undefined;
    return typeof ref === 'string' ? objectAt(document, ...ref.slice(2).split('/')) : objectAt(response);
  };
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
    Object.entries(objectAt(item)).flatMap(([method, object]) => {
      if (!isObject(object)) return [];
      const responses = Object.entries(objectAt(object, 'responses'));
      return {
        id: String(object.operationId),
        call: `${method.toUpperCase()} ${path}`,
        object,
        responses: new Map(responses.map(([status, response]) => [status, resolved(response)])),
      };
    }),
  );
}
