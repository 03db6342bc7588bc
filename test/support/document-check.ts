/** Checks what a sandbox sends against its documents, with schemas that are compiled apart from the product's. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { defaultDialect } from '../../src/dialect/index.js';
import { documentsOf } from '../../src/documents.js';
import type { Sender } from '../../src/webhooks/send.js';
import { isObject, objectAt, type Json } from './openapi-document.js';

/** A response as an application sees it. */
export interface SeenResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const json = 'application/json';
const pointerOf = (...keys: string[]): string =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

export class DocumentCheck {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  readonly #documents: Readonly<Record<'api' | 'control', Json>>;
  /** Events whose data a caller may choose freely. */
  readonly #free = new Set<unknown>();
  /** The errors in events that were sent. */
  readonly #wrong: string[] = [];

  constructor(dialect = defaultDialect) {
    const { api, control } = documentsOf(dialect);
    this.#documents = { api: api as unknown as Json, control: control as unknown as Json };
    for (const [name, document] of Object.entries(this.#documents)) this.#ajv.addSchema(document, name);
  }

  /**
   * @param sent the body of the call
   * @throws if the response is not as the document has it, unless a rule made it
   */
  response(method: string, target: string, { status, headers, text }: SeenResponse, sent = ''): void {
    if (headers.has('x-sandbox-rule') || method === 'HEAD') return;
    const [path = ''] = target.split('?');
    const errors = this.#responseErrors(path, method.toLowerCase(), status, headers.get('content-type') ?? '', text);
    if (errors.length > 0) throw new Error(`${method} ${target}: ${status} ${text}\n${errors.slice(0, 10).join('\n')}`);
    if (path === '/_sandbox/events' && sent.includes('unknown_type') && status === 200)
      this.#free.add((JSON.parse(text) as { event: { id: string } }).event.id);
  }

  /** Returns the errors in the body of an event. */
  event(body: string): string[] {
    const { type, event } = JSON.parse(body) as { type?: string; event?: string };
    const named = type ?? event ?? '';
    if (!isObject(objectAt(this.#documents.api, 'webhooks')[named])) return [`unknown type "${named}"`];
    return this.#errors(
      `api#${pointerOf('webhooks', named, 'post', 'requestBody', 'content', json, 'schema')}`,
      JSON.parse(body),
    );
  }

  /** The sender, with each event checked that is not invalid on purpose. */
  watch(sender: Sender): Sender {
    return {
      send: (request) => {
        const { body } = request;
        const errors = isChanged(body) ? [] : this.event(body);
        if (errors.length > 0 && !this.#free.has((JSON.parse(body) as { id: string }).id))
          this.#wrong.push(`${body}: ${errors.join('\n')}`);
        return sender.send(request);
      },
      close: () => sender.close(),
    };
  }

  /** @throws if an event that was sent had errors */
  requireClean(): void {
    if (this.#wrong.length > 0) throw new Error(`Invalid events were sent:\n${this.#wrong.slice(0, 10).join('\n')}`);
  }

  #responseErrors(path: string, method: string, status: number, contentType: string, text: string): string[] {
    const plane = /^\/v1(?:\/|$)/.test(path) ? 'api' : 'control';
    const document = this.#documents[plane];
    const [type = ''] = contentType.split(';');
    const paths = objectAt(document, 'paths');
    const fits = (each: string) =>
      new RegExp(`^${each.replace(/[.$]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
    const known = path in paths ? path : Object.keys(paths).find(fits);
    if (known === undefined || !(method in objectAt(paths, known))) {
      if (status < 400) return [];
      return this.#errors(`${plane}#/components/schemas/ErrorResponse`, type === json ? JSON.parse(text) : text);
    }
    const responses = objectAt(paths, known, method, 'responses');
    const key = [String(status), 'default'].find((name) => name in responses);
    if (key === undefined) return [`status must be one of ${Object.keys(responses).join(', ')}`];
    const { $ref } = objectAt(responses, key);
    const place = typeof $ref === 'string' ? $ref.slice(2).split('/') : ['paths', known, method, 'responses', key];
    const { content = {} } = objectAt(document, ...place);
    if (Object.keys(objectAt(content)).length === 0) return text === '' ? [] : ['must have no body'];
    if (!(type in objectAt(content)))
      return [`the content type must be one of ${Object.keys(content as Json).join(', ')}`];
    const schema = `${plane}#${pointerOf(...place, 'content', type, 'schema')}`;
    const value: unknown = type === json ? JSON.parse(text) : text;
    const named =
      status < 400 && plane === 'control'
        ? undescribed(document, objectAt(document, ...place, 'content', type, 'schema'), value)
        : [];
    return [...this.#errors(schema, value), ...named.map((field) => `${field} is not described`)];
  }

  #errors(pointer: string, value: unknown): string[] {
    const validate = this.#ajv.getSchema(pointer) ?? this.#ajv.compile({ $ref: pointer });
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  }
}

/** Whether a fault cut the body, or gave the event a type that does not exist yet. */
function isChanged(body: string): boolean {
  try {
    const { type, event } = JSON.parse(body) as { type?: string; event?: string };
    return String(type ?? event).endsWith('.not_known_yet');
  } catch {
    return true;
  }
}

/**
 * The places in `value` that no schema of `document` names, with indexes left out, such as `items[].id`. Where a schema
 * lets anything in (`additionalProperties`, or an object without properties), nothing is undescribed.
 */
function undescribed(document: Json, schema: unknown, value: unknown, at = ''): string[] {
  const parts = partsOf(document, schema);
  if (Array.isArray(value)) {
    const items = parts.flatMap(({ items }) => items ?? []);
    return value.flatMap((item) => undescribed(document, { anyOf: items }, item, `${at}[]`));
  }
  if (!isObject(value)) return [];
  const named = parts.filter(({ properties }) => isObject(properties));
  if (named.length === 0 || parts.some(({ additionalProperties = false }) => additionalProperties !== false)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const schemas = named.flatMap(({ properties }) => objectAt(properties)[key] ?? []);
    const place = `${at}${at && '.'}${key}`;
    return schemas.length === 0 ? [place] : undescribed(document, { anyOf: schemas }, inner, place);
  });
}

/** A schema with all that it refers to and is put together of. */
function partsOf(document: Json, schema: unknown): Json[] {
  if (!isObject(schema)) return [];
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  const referred = typeof $ref === 'string' ? [objectAt(document, ...$ref.slice(2).split('/'))] : [];
  const inner = [...referred, ...[allOf, anyOf, oneOf].flat()];
  return [schema, ...inner.flatMap((part) => partsOf(document, part))];
}
