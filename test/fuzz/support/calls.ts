/** Generates calls of the operations of both documents, valid and nearly valid. */
import { readFileSync } from 'node:fs';
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
  readonly document: Schema;
}

export interface Call {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** A report is HTML, and a snapshot is of one version: no schema says more about them. */
const beyondSchema = ['putExplorationReport', 'putSnapshot'];

function operationsOf(file: string): Operation[] {
  const document = parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 }) as Schema;
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
      const id = String(operation['operationId']);
      return [{ id, method: method.toUpperCase(), path, parameters, body, document }];
    }),
  );
}

export const operations = ['openapi.yaml', 'src/generated/control.json'].flatMap(operationsOf);

export function callsOf(operation: Operation, pool: Pool): fc.Arbitrary<Call> {
  const { method, parameters } = operation;
  const args = fc.tuple(...parameters.map((parameter) => argument(operation, parameter, pool)));
  const odd = fc.constantFrom('colour=red', '__proto__=1', 'limit', 'after=', '=', '&&', 'a[b]=1', '%zz=%');
  return fc.tuple(args, bodyOf(operation), fc.option(odd, { freq: 12 }), headers).map(([given, body, extra, more]) => {
    const query = parameters.flatMap(({ name, in: place }, index) =>
      place === 'query' ? (given[index] ?? []).map((text) => `${name}=${encoded(text)}`) : [],
    );
    if (extra !== null) query.push(extra);
    const path = parameters.reduce(
      (text, { name }, index) => text.replace(`{${name}}`, encoded(given[index]?.[0] ?? '') || 'x'),
      operation.path,
    );
    const target = query.length === 0 ? path : `${path}?${query.join('&')}`;
    const headers = { ...(body && { 'content-type': 'application/json' }), ...more };
    return { body, method, target, headers };
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
): fc.Arbitrary<readonly string[]> {
  const segment = /\/([\w-]+)\/\{\w+\}/.exec(path)?.[1] ?? '';
  // A filter by one of a few words has the name of a list of ids: `events`.
  const known = schema['enum'] === undefined ? (pool[place === 'path' ? segment : name] ?? []) : [];
  const good = valid(document, schema, name).map((value) => [String(value)]);
  const there = known.length === 0 ? good : fc.constantFrom(...known).map((value) => [value]);
  const odd = fc.oneof(anyText, fc.constantFrom('abc', '1.5', '-1', '99999999999999999999', '1e3', '0x10', ' 1'));
  const open = odd.map((text) => [text]);
  if (place !== 'query') return fc.oneof({ weight: 6, arbitrary: there }, good, { weight: 2, arbitrary: open });
  const twice = good.map((texts) => [...texts, ...texts]);
  return fc.oneof(
    { weight: name === 'for' ? 1 : 16, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.oneof(good, there) },
    open,
    twice,
  );
}

function bodyOf({ body: schema, document }: Operation): fc.Arbitrary<Buffer | null> {
  if (!schema) return fc.constant(null);
  const good = valid(document, schema);
  const junk = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, '', [], {}, [[]], ['x'], { length: 1 }, { toString: 1 }),
    anyText,
    fc.integer(),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const spoiled = fc.tuple(good, fc.nat(), junk, fc.constantFrom('replace', 'add', 'remove')).map(spoil);
  const json = fc.oneof({ weight: 6, arbitrary: good }, { weight: 10, arbitrary: spoiled });
  return fc.oneof(
    { weight: 16, arbitrary: json.map((value) => Buffer.from(JSON.stringify(value))) },
    {
      weight: 2,
      arbitrary: fc.tuple(good, fc.nat(), anyText).map(([value, way, odd]) => broken(JSON.stringify(value), way, odd)),
    },
    { weight: 1, arbitrary: fc.constant(null) },
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
