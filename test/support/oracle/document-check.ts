/** Checks responses and events against one of the documents. */
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument } from '../../../src/http/operations.js';
import type { SendRequest } from '../../../src/webhooks/exchange.js';
import { placeOf, shown, valueAt, type Finding } from './finding.js';

/** A response as sent. */
export interface CheckedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a response to HEAD. */
  readonly body: Buffer | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Maximum number of findings for one response or event; findings that follow from a wrong shape are mostly noise. */
const mostFindings = 10;

export class DocumentCheck {
  readonly #document: OpenApiDocument;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument, ajv: Ajv2020) {
    this.#document = document;
    this.#ajv = ajv;
    this.#ajv.addSchema(document, 'document');
  }

  /** Returns the operation of a call; null if the document has none. */
  match(
    called: string,
    path: string,
  ): { readonly path: string; readonly method: string; readonly operationId: string } | null {
    const method = called === 'HEAD' ? 'GET' : called;
    const fits = (each: string) =>
      new RegExp(`^${each.replace(/[.$]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
    const known = Object.keys(this.#document.paths);
    const found = known.find((each) => each === path) ?? known.find(fits);
    if (found === undefined) return null;
    const operation = this.#document.paths[found]?.[method.toLowerCase()] as { operationId: string } | undefined;
    return operation ? { path: found, method, operationId: operation.operationId } : null;
  }

  /** Returns the errors in a response of an operation in the document. */
  response(path: string, method: string, response: CheckedResponse): Finding[] {
    const operation = ['paths', path, method.toLowerCase()];
    const { status } = response;
    const responses = this.#at([...operation, 'responses']);
    const key = [String(status), `${String(status).charAt(0)}XX`, 'default'].find((name) =>
      Object.hasOwn(responses, name),
    );
    if (key === undefined) {
      const expected = `one of ${Object.keys(responses).join(', ')}`;
      return [{ where: 'status', expected, found: `${status} ${shown(response.body?.toString('utf8'))}` }];
    }
    const place = this.#resolve([...operation, 'responses', key]);
    return [...this.#headers(place, response.headers), ...this.#body(place, response)].slice(0, mostFindings);
  }

  /** Returns the errors in a response for an unknown path or method, which must have the envelope too. */
  stray(response: CheckedResponse): Finding[] {
    const isJson = mediaType(response.headers) === 'application/json';
    if (response.status < 400 || response.body === null) return [];
    if (!isJson)
      return [
        { where: 'header content-type', expected: 'application/json', found: shown(response.headers['content-type']) },
      ];
    return this.#json(['components', 'schemas', 'ErrorResponse'], response.body).slice(0, mostFindings);
  }

  /** Returns the errors in the payload and the headers of an event, according to `webhooks` in the document. */
  event(type: string, headers: Readonly<Record<string, string>>, body: Buffer): Finding[] {
    const events = this.#at(['webhooks']);
    if (!Object.hasOwn(events, type)) {
      return [{ where: 'body.type', expected: `one of ${Object.keys(events).join(', ')}`, found: shown(type) }];
    }
    const place = ['webhooks', type, 'post'];
    const findings = this.#parameters(place, headers);
    const content = [...place, 'requestBody', 'content'];
    const media = mediaType(headers);
    if (!Object.hasOwn(this.#at(content), media)) {
      findings.push({
        where: 'header content-type',
        expected: Object.keys(this.#at(content)).join(', '),
        found: media,
      });
    }
    return [...findings, ...this.#json([...content, 'application/json', 'schema'], body)].slice(0, mostFindings);
  }

  #headers(place: readonly string[], headers: Readonly<Record<string, string>>): Finding[] {
    const described = (this.#at(place)['headers'] ?? {}) as Json;
    return Object.keys(described).flatMap((name) =>
      this.#header(name, this.#resolve([...place, 'headers', name]), headers, false),
    );
  }

  #parameters(place: readonly string[], headers: Readonly<Record<string, string>>): Finding[] {
    const listed = (this.#at(place)['parameters'] ?? []) as unknown as readonly unknown[];
    return listed.flatMap((_entry, index) => {
      const at = this.#resolve([...place, 'parameters', String(index)]);
      const { name, required } = this.#at(at);
      return this.#header(String(name), at, headers, required === true);
    });
  }

  #header(
    name: string,
    place: readonly string[],
    headers: Readonly<Record<string, string>>,
    required: boolean,
  ): Finding[] {
    const value = headers[name.toLowerCase()];
    if (value === undefined) {
      return required ? [{ where: `header ${name}`, expected: 'to be there', found: 'nothing' }] : [];
    }
    return this.#validate([...place, 'schema'], value).map((finding) => ({ ...finding, where: `header ${name}` }));
  }

  #body(place: readonly string[], { headers, body }: CheckedResponse): Finding[] {
    if (body === null) return [];
    const content = this.#at(place)['content'] as Json | undefined;
    if (!content) {
      return body.length === 0 ? [] : [{ where: 'body', expected: 'no body', found: shown(body.toString('utf8')) }];
    }
    const media = mediaType(headers);
    if (!Object.hasOwn(content, media)) {
      const expected = Object.keys(content).join(' or ');
      return [{ where: 'header content-type', expected, found: shown(headers['content-type']) }];
    }
    const schema = [...place, 'content', media, 'schema'];
    return media === 'application/json' ? this.#json(schema, body) : this.#validate(schema, body.toString('utf8'));
  }

  #json(schema: readonly string[], body: Buffer): Finding[] {
    const text = body.toString('utf8');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return [{ where: 'body', expected: 'JSON', found: shown(text) }];
    }
    return this.#validate(schema, value);
  }

  #validate(place: readonly string[], value: unknown): Finding[] {
    const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    let validate = this.#compiled.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `document#/${pointer}` });
      this.#compiled.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => ({
      where: placeOf(error.instancePath),
      expected: expectation(error),
      found: shown(valueAt(value, error.instancePath)),
    }));
  }

  /** Resolves a reference that stands for the whole object. */
  #resolve(place: readonly string[]): readonly string[] {
    const { $ref } = this.#at(place);
    return typeof $ref === 'string' ? this.#resolve($ref.slice(2).split('/').map(unescaped)) : place;
  }

  #at(place: readonly string[]): Json {
    let here: unknown = this.#document;
    for (const key of place) here = (here as Json | undefined)?.[key];
    if (typeof here !== 'object' || here === null) throw new Error(`the document has nothing at ${place.join(' > ')}`);
    return here as Json;
  }
}

export interface CheckedEvent {
  readonly id: unknown;
  readonly type: string;
  readonly findings: readonly Finding[];
}

/** Returns the errors in a webhook request: its bytes and headers. */
export function checkEvent(check: DocumentCheck, { headers: given, body }: SendRequest): CheckedEvent {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  const event = parsed(body.toString());
  const type = String(valueAt(event, '/type'));
  return { id: valueAt(event, '/id'), type, findings: check.event(type, headers, Buffer.from(body)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function mediaType(headers: Readonly<Record<string, string>>): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Describes what a schema requires, with the allowed values if the message omits them. */
function expectation({ message = 'must be valid', params }: ErrorObject): string {
  const { allowedValues, allowedValue, additionalProperty } = params as Readonly<Record<string, unknown>>;
  if (Array.isArray(allowedValues)) return `${message}: ${allowedValues.join(', ')}`;
  if (allowedValue !== undefined) return `${message}: ${JSON.stringify(allowedValue)}`;
  return additionalProperty === undefined ? message : `${message}; found ${JSON.stringify(additionalProperty)}`;
}
