/** Generates calls of the operations of both documents, valid and nearly valid, with the expected result. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Pool } from '../../support/furnish.js';
import { follow, isSchema, listOf, type Schema } from './schema.js';
import { anyText, valid } from './valid.js';

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  /** The schema of a JSON body; null if it takes none. */
  readonly body: Schema | null;
  /** The independent validator of that body. */
  readonly judge: ValidateFunction | null;
  readonly document: Schema;
}

export interface Call {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Whether the document accepts it: `refused` must get 400, `taken` must not be rejected as malformed. */
  readonly fate: 'taken' | 'refused' | 'open';
  /** The places of the errors of a refused body, as in error details. */
  readonly places: readonly string[];
}

/** A report is HTML, and a snapshot is of one version: no schema says more about them. */
const beyondSchema = ['putExplorationReport', 'putSnapshot'];

function operationsOf(file: string): Operation[] {
  const document = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 }) as Schema;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema(document, 'document');
  return Object.entries(document['paths'] as Readonly<Record<string, Schema>>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): Operation[] => {
      if (!isSchema(operation) || beyondSchema.includes(String(operation['operationId']))) return [];
      const given = [...listOf(item['parameters']), ...listOf(operation['parameters'])];
      const parameters = given.map((one) => {
        const found = follow(document, one) as unknown as Operation['parameters'][number];
        return { ...found, schema: follow(document, found.schema) };
      });
      const content = (operation['requestBody'] as { content?: Record<string, { schema: Schema }> } | undefined)
        ?.content;
      const body = content?.['application/json']?.schema ?? null;
      const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema`;
      const judge = body && ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
      const id = String(operation['operationId']);
      return [{ id, method: method.toUpperCase(), path, parameters, body, judge, document }];
    }),
  );
}

export const operations = ['openapi.yaml', 'src/generated/control.json'].flatMap(operationsOf);

type Argument = { readonly texts: readonly string[]; readonly fate: Call['fate'] };

export function callsOf(operation: Operation, pool: Pool): fc.Arbitrary<Call> {
  const { method, parameters } = operation;
  const args = fc.tuple(...parameters.map((parameter) => argument(operation, parameter, pool)));
  const odd = fc.constantFrom('colour=red', '__proto__=1', 'limit', 'after=', '=', '&&', 'a[b]=1', '%zz=%');
  return fc.tuple(args, bodyOf(operation), fc.option(odd, { freq: 12 }), headers).map(([given, sent, extra, more]) => {
    const query = parameters.flatMap(({ name, in: place }, index) =>
      place === 'query' ? (given[index]?.texts ?? []).map((text) => `${name}=${encoded(text)}`) : [],
    );
    if (extra !== null) query.push(extra);
    const path = parameters.reduce(
      (text, { name }, index) => text.replace(`{${name}}`, encoded(given[index]?.texts[0] ?? '') || 'x'),
      operation.path,
    );
    const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
    const fates = [sent.fate, ...given.map(({ fate }) => fate)];
    const isOpen = extra !== null || target.length > 12_000 || fates.includes('open');
    const headers = { ...(sent.body && { 'content-type': 'application/json' }), ...more };
    return { ...sent, method, target, headers, fate: isOpen ? 'open' : sent.fate };
  });
}

/** Percent-encodes a text; half a surrogate pair has no bytes and becomes the replacement character. */
function encoded(text: string): string {
  return encodeURIComponent(
    text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'),
  );
}

function argument(
  { document, path }: Operation,
  { name, in: place, schema }: Operation['parameters'][number],
  pool: Pool,
): fc.Arbitrary<Argument> {
  const segment = /\/([\w-]+)\/\{\w+\}/.exec(path)?.[1] ?? '';
  // A filter by one of a few words has the name of a list of ids: `events`.
  const known = schema['enum'] === undefined ? (pool[place === 'path' ? segment : name] ?? []) : [];
  const as = (fate: Call['fate']) => (text: unknown) => ({ texts: [String(text)], fate });
  const good = valid(document, schema, name).map(as('taken'));
  const there = known.length === 0 ? good : fc.constantFrom(...known).map(as('taken'));
  const odd = fc.oneof(anyText, fc.constantFrom('abc', '1.5', '-1', '99999999999999999999', '1e3', '0x10', ' 1'));
  const open = odd.map(as('open'));
  if (place !== 'query') return fc.oneof({ weight: 6, arbitrary: there }, good, { weight: 2, arbitrary: open });
  const twice = good.map(({ texts }) => ({ texts: [...texts, ...texts], fate: 'open' as const }));
  const absent = fc.constant<Argument>({ texts: [], fate: name === 'for' ? 'open' : 'taken' });
  const isNeeded = name === 'for';
  return fc.oneof(
    { weight: isNeeded ? 1 : 16, arbitrary: absent },
    { weight: 5, arbitrary: fc.oneof(good, there) },
    open,
    twice,
  );
}

type Sent = Pick<Call, 'body' | 'fate' | 'places'>;

function bodyOf({ body: schema, judge, document }: Operation): fc.Arbitrary<Sent> {
  const none: Sent = { body: null, fate: 'taken', places: [] };
  if (!schema || !judge) return fc.constant(none);
  const good = valid(document, schema);
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, '', [], {}, [[]], ['x'], { length: 1 }, { toString: 1 }),
    anyText,
    fc.integer(),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const spoiled = fc.tuple(good, fc.nat(), junk, fc.constantFrom('replace', 'add', 'remove')).map(spoil);
  const raw = fc.tuple(good, fc.nat(), anyText).map(([value, way, odd]) => broken(JSON.stringify(value), way, odd));
  const judged = (bytes: Buffer): Sent => ({ body: bytes, ...judgement(judge, bytes.toString()) });
  return fc.oneof(
    { weight: 6, arbitrary: good.map((value) => judged(Buffer.from(JSON.stringify(value)))) },
    { weight: 10, arbitrary: spoiled.map((value) => judged(Buffer.from(JSON.stringify(value)))) },
    { weight: 2, arbitrary: raw.map(judged) },
    { weight: 1, arbitrary: fc.constant<Sent>({ ...none, fate: 'open' }) },
  );
}

/** Changes one of the values inside of another one. */
function spoil([value, at, junk, how]: readonly [unknown, number, unknown, string]): unknown {
  const places: { holder: Record<string, unknown>; name: string }[] = [];
  const whole = { value: structuredClone(value) } as Record<string, unknown>;
  const walk = (holder: Record<string, unknown>): void => {
    for (const [name, inner] of Object.entries(holder)) {
      places.push({ holder, name });
      if (typeof inner === 'object' && inner !== null) walk(inner as Record<string, unknown>);
    }
  };
  walk(whole);
  const place = places[at % places.length];
  if (!place) return junk;
  const { holder, name } = place;
  if (how === 'remove' && holder !== whole && !Array.isArray(holder)) Reflect.deleteProperty(holder, name);
  else if (how === 'add' && isSchema(holder[name])) (holder[name] as Record<string, unknown>)['typo'] = junk;
  else holder[name] = junk;
  return whole['value'];
}

function judgement(judge: ValidateFunction, text: string): Pick<Call, 'fate' | 'places'> {
  try {
    const value = JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
    if (!isSchema(value)) return { fate: 'refused', places: [] };
    if (judge(value)) return { fate: 'taken', places: [] };
    const places = (judge.errors ?? []).map(({ instancePath, params }) => {
      const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
      const path = [...instancePath.split('/').slice(1), missingProperty ?? additionalProperty ?? []].flat();
      return path.reduce(
        (at, name) => (/^\d+$/.test(name) ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`),
        '',
      );
    });
    return { fate: 'refused', places };
  } catch {
    return { fate: text === '' ? 'open' : 'refused', places: [] };
  }
}

/** Serialises JSON in an unusual way. */
function broken(text: string, way: number, odd: string): Buffer {
  const start = text === '{}' ? '{' : `${text.slice(0, -1)},`;
  const ways: (string | Buffer)[] = [
    text.slice(0, -1 - (way % Math.max(1, text.length - 1))),
    `${text}${text}`,
    `${start}"__proto__":{"to":1,"type":"text"}}`,
    `${start}"constructor":{"prototype":{"x":1}}}`,
    `\ufeff${text}`,
    `  \n\t${text}\r\n `,
    `${start}${JSON.stringify(odd)}:1e400}`,
    text.replace(/"[^"]*"/, '"\\ud800"'),
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]),
    Buffer.from(text, 'utf16le'),
    `${start}}`,
    text.replaceAll('"', "'"),
    '',
    'null',
    `[${text}]`,
    `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  ];
  return Buffer.from(ways[way % ways.length] ?? text);
}

const headers = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Readonly<Record<string, string>>>({}) },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { accept: 'text/html' },
    { range: 'bytes=0-1' },
    { cookie: 'a=b; __proto__=c' },
    { 'x-http-method-override': 'DELETE' },
    { 'x-sandbox-prefer': 'status=abc' },
    { 'x-sandbox-prefer': '=;;' },
  ),
);
