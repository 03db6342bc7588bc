/** Calls of every operation with values of any kind in their fields and parameters: each gets a response that is no 5xx. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/sandbox.js';
import { fuzzSeed, cases } from '../support/property.js';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const { sandbox } = useSandbox({ logLevel: 'silent', clock: { mode: 'frozen', scale: 1, startMs: null } });

/** Names that every object has, and texts and numbers at the edges. */
const name = fc.constantFrom('toString', 'valueOf', '__proto__', 'constructor', 'length', 'id', '', '\u0000');
const scalar = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    '',
    '0',
    '+12025550110',
    'text',
    'https://a.test/',
    '{{1}}',
    '/(/',
    '7d',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const { value: strange } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));

function follow<T>(document: object, node: T & { readonly $ref?: string }): T {
  if (node.$ref === undefined) return node;
  const target = node.$ref
    .slice(2)
    .split('/')
    .reduce((at, part) => (at as Record<string, object>)[part.replaceAll('~1', '/')] ?? {}, document);
  return follow(document, target as T & { readonly $ref?: string });
}

/** Values of a schema in which a field, an entry or the whole may be anything. */
function likeness(document: object, reference: Schema, depth = 0): fc.Arbitrary<unknown> {
  const { properties, items, oneOf } = follow(document, reference);
  if (depth > 4) return strange;
  const within = (one: Schema) => likeness(document, one, depth + 1);
  if (oneOf !== undefined) return fc.oneof(...oneOf.map(within), strange);
  if (items !== undefined) return fc.oneof(fc.array(within(items), { maxLength: 3 }), strange);
  if (properties === undefined) return strange;
  const fields = Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, within(one)]));
  return fc.oneof({ weight: 4, arbitrary: fc.record(fields, { requiredKeys: [] }) }, { weight: 1, arbitrary: strange });
}

const operations = ['src/generated/api.json', 'src/generated/control.json'].flatMap((file) => {
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { operationId }]) => (operationId as string | undefined) !== undefined)
      .map(([method, operation]) => {
        const parameters = (operation.parameters ?? []).map((one) => follow(document, one));
        const query = parameters.filter((one) => one.in === 'query').map((one) => one.name ?? '');
        const schema = operation.requestBody?.content['application/json']?.schema;
        return { id: operation.operationId, method: method.toUpperCase(), path, query, document, schema };
      }),
  );
});

// A sink and a rule respond with any status, and these two hold a connection or read the network.
const left = ['receiveAtSink', 'openLiveStream', 'certifyEndpoint'];

describe(`strange values (FUZZ_SEED=${fuzzSeed})`, () => {
  it.each(operations.filter(({ id }) => !left.includes(id)))('$id', async ({ id, method, path, ...takes }) => {
    const body = takes.schema === undefined ? fc.constant(undefined) : likeness(takes.document, takes.schema);
    const query = takes.query.length === 0 ? fc.constant({}) : fc.dictionary(fc.constantFrom(...takes.query), scalar);
    const calls = fc.asyncProperty(
      body,
      query,
      fc.oneof(name, fc.constant('+12025550110')),
      async (given, asked, part) => {
        const search = new URLSearchParams(
          Object.entries(asked).map(([key, one]): [string, string] => [key, String(one)]),
        );
        if (id === 'waitForMatch' || id === 'waitForIdle') search.set('timeout', '1ms');
        const target = path.replace(/\{\w+\}/g, encodeURIComponent(part || 'x'));
        const response = await fetch(`${sandbox.url}${target}?${search.toString()}`, {
          method,
          headers: { authorization: `Bearer strange-${id}`, 'content-type': 'application/json' },
          ...(given !== undefined && { body: JSON.stringify(given) }),
          signal: AbortSignal.timeout(20_000),
        });
        const text = await response.text();
        if (response.headers.get('x-sandbox-rule') === null)
          expect([response.status < 500, text]).toEqual([true, text]);
      },
    );
    await fc.assert(calls, { seed: fuzzSeed, numRuns: cases(takes.schema === undefined ? 80 : 400) });
  });
});
