/**
 * Holds answers and events against one of our documents. Its schemas are compiled on their own, apart from the validator
 * that serves the calls, so that a fault of that one is seen too.
 */
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { RouteTable, type Match, type OpenApiDocument } from '../api/route-table.js';
import { placeOf, shown, valueAt, type Finding } from './finding.js';

/** An answer as it goes out. */
export interface OverheardAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for an answer that HTTP sends without one, to HEAD. */
  readonly body: Buffer | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Findings of one answer or event; what follows from a wrong shape is mostly noise. */
const mostFindings = 10;

export class DocumentCheck {
  readonly #document: OpenApiDocument;
  readonly #routes: RouteTable;
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument, makeAjv: () => Ajv2020) {
    this.#document = document;
    this.#routes = new RouteTable(document);
    this.#ajv = makeAjv();
    this.#ajv.addSchema(document, 'document');
  }

  match(method: string, path: string): Match {
    return this.#routes.match(method, path);
  }

  /** What is wrong with an answer of an operation that the document has. */
  answer(path: string, method: string, answer: OverheardAnswer): Finding[] {
    const operation = ['paths', path, method.toLowerCase()];
    const { status } = answer;
    const responses = this.#at([...operation, 'responses']);
    const key = [String(status), `${String(status).charAt(0)}XX`, 'default'].find((name) =>
      Object.hasOwn(responses, name),
    );
    if (key === undefined) {
      const expected = `one of ${Object.keys(responses).join(', ')}`;
      return [{ where: 'status', expected, found: `${status} ${shown(answer.body?.toString('utf8'))}` }];
    }
    const place = this.#resolve([...operation, 'responses', key]);
    return [...this.#headers(place, answer.headers), ...this.#body(place, answer)].slice(0, mostFindings);
  }

  /** What is wrong with an error of a path or method that is none: the envelope is promised there too. */
  stray(answer: OverheardAnswer): Finding[] {
    const isJson = mediaType(answer.headers) === 'application/json';
    if (answer.status < 400 || answer.body === null) return [];
    if (!isJson)
      return [
        { where: 'header content-type', expected: 'application/json', found: shown(answer.headers['content-type']) },
      ];
    return this.#json(['components', 'schemas', 'Error'], answer.body).slice(0, mostFindings);
  }

  /** What is wrong with the payload and the headers of an event, by the `webhooks` of the document. */
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
    return this.#judge([...place, 'schema'], value).map((finding) => ({ ...finding, where: `header ${name}` }));
  }

  #body(place: readonly string[], { headers, body }: OverheardAnswer): Finding[] {
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
    return media === 'application/json' ? this.#json(schema, body) : this.#judge(schema, body.toString('utf8'));
  }

  #json(schema: readonly string[], body: Buffer): Finding[] {
    const text = body.toString('utf8');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return [{ where: 'body', expected: 'JSON', found: shown(text) }];
    }
    return this.#judge(schema, value);
  }

  #judge(place: readonly string[], value: unknown): Finding[] {
    const pointer = place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    let validate = this.#compiled.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `document#/${pointer}` });
      this.#compiled.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => ({
      where: placeOf(error.instancePath),
      expected: wish(error),
      found: shown(valueAt(value, error.instancePath)),
    }));
  }

  /** Follows a reference that stands for the whole object. */
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

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function mediaType(headers: Readonly<Record<string, string>>): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** What a schema asked for, with the values allowed where the message leaves them out. */
function wish({ message = 'must be valid', params }: ErrorObject): string {
  const { allowedValues, allowedValue, additionalProperty } = params as Readonly<Record<string, unknown>>;
  if (Array.isArray(allowedValues)) return `${message}: ${allowedValues.join(', ')}`;
  if (allowedValue !== undefined) return `${message}: ${JSON.stringify(allowedValue)}`;
  return additionalProperty === undefined ? message : `${message}; found ${JSON.stringify(additionalProperty)}`;
}
