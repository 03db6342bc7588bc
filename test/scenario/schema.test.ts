/** The JSON Schema that editors get and the loader come from one source: what the loader takes, no editor underlines. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadScenario } from '../../src/reader/load.js';
import { scenarioJsonSchema } from '../../src/language/scenario.js';
import { examplesOf } from '../support/markdown.js';
import { messageStatuses } from '../../src/domain/words.js';
import { cases } from '../support/property.js';

const schema = scenarioJsonSchema();
const fits = new Ajv({ strict: false, allErrors: true }).compile(schema);

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const documented = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => examplesOf(name, readFileSync(`docs/${name}`, 'utf8')))
  .filter(
    ({ language, note, body }) =>
      language === 'yaml' && note !== 'invalid' && /^version: 1$/m.test(body) && !/^extends:/m.test(body),
  )
  .map(({ body }) => body);
const shipped = readdirSync('scenarios')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(`scenarios/${name}`, 'utf8'));
const sources = [...shipped, ...documented];
const known = sources.map((text) => parse(text) as Json);

/** All of a tree's places, the root first. */
function placesOf(node: Json, path: readonly string[] = []): (readonly string[])[] {
  const inside = typeof node === 'object' && node !== null ? Object.entries(node as Record<string, Json>) : [];
  return [path, ...inside.flatMap(([key, child]) => placesOf(child, [...path, key]))];
}

function replaced(node: Json, [key, ...rest]: readonly string[], value: Json | undefined): Json | undefined {
  if (key === undefined) return value;
  if (Array.isArray(node)) {
    return node.flatMap((child: Json, i) => {
      const now = String(i) === key ? replaced(child, rest, value) : child;
      return now === undefined ? [] : [now];
    });
  }
  const { [key]: child, ...others } = node as Record<string, Json>;
  const now = replaced(child as Json, rest, value);
  return now === undefined ? others : { ...others, [key]: now };
}

const texts =
  ' 1 500 503 0 3s 2s..8s 1h30m -5m +5m 10% 80/s 100% 0% finish true no null * /a/i +12025550150 +1202* ' +
  'undeliverable happy approved open message.send message.status 2026-03-01T09:00:00Z 042042';
const value: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<(Json | undefined)[]>(undefined, null, true, false, 0, 1, 3, 200, 503, 1.5, -1, 12025550123, 131026),
  fc.constantFrom<Json[]>(...texts.split(' ')),
  fc.constantFrom<Json[]>(
    [],
    {},
    ['+12025550150'],
    [1, 2],
    [{}],
    { nth: 3 },
    { contains: 'a' },
    { id: 'b1', title: 'B' },
  ),
  fc.integer({ min: -10, max: 700 }),
);

/** Every schema inside, with its path. */
function walk(node: unknown, path: string, visit: (node: Record<string, unknown>, path: string) => void): void {
  if (Array.isArray(node)) node.forEach((item, index) => walk(item, `${path}[${index}]`, visit));
  else if (typeof node === 'object' && node !== null) {
    visit(node as Record<string, unknown>, path);
    for (const [key, value] of Object.entries(node)) walk(value, `${path}.${key}`, visit);
  }
}

describe('the JSON Schema', () => {
  it('describes every property in a sentence', () => {
    const silent: string[] = [];
    walk(schema, '', ({ properties, additionalProperties }, path) => {
      if (additionalProperties !== false) return;
      for (const [key, property] of Object.entries(properties as Record<string, { description?: string }>)) {
        if (!/\S.*[.:?]$|…$/.test(property.description ?? '')) silent.push(`${path}.${key}`);
      }
    });
    expect(silent).toEqual([]);
  });

  /**
   * Each key of a mapping counts once, wherever it is allowed and whatever it means there. Values do not count, and so
   * the statuses of the service do not, which are keys in the steps of a lifecycle.
   */
  it('has at most 95 words', () => {
    const words = new Set<string>();
    walk(schema, '', ({ properties, additionalProperties }) => {
      if (additionalProperties === false) for (const key of Object.keys(properties as object)) words.add(key);
    });
    for (const status of messageStatuses) words.delete(status);
    expect(words.size).toBeLessThanOrEqual(95);
  });
});

describe('the JSON Schema and the loader', () => {
  it('take the shipped scenarios, and those of the documentation', () => {
    for (const text of sources) {
      expect(loadScenario(text, { file: 'known.yaml' })).toHaveProperty('scenario');
      expect(fits(parse(text)), JSON.stringify(fits.errors)).toBe(true);
    }
  });

  it.each([
    { expect: [{ at: 'soon', that: 'messages', count: 1 }] },
    { expect: [{ at: '+', that: 'messages', count: 1 }] },
    { rules: [{ when: 'message.send', then: { lifecycle: 'happyy' } }] },
    { rules: [{ when: 'message.send', then: { lifecycle: 131_027 } }] },
    { defaults: { lifecycle: [{ failed: '3s', error: 'undeliverabel' }] } },
    { timeline: [{ at: 'noon', restart: true }] },
    { timeline: [{ at: '+1m', http: { url: '/a', status: '6xx' } }] },
    { clock: '09:00' },
  ])('reject %j', (parts) => {
    const scenario = { version: 1, ...parts };
    expect(loadScenario(JSON.stringify(scenario), { file: 'wrong.yaml' })).toHaveProperty('problems');
    expect(fits(scenario)).toBe(false);
  });

  it.each(['YAML', 'JSON'])(
    'agree: what the loader takes of a changed scenario, written as %s, the schema takes',
    (form) => {
      fc.assert(
        fc.property(fc.constantFrom(...known), fc.nat(), value, (scenario, n, put) => {
          const places = placesOf(scenario);
          const changed = replaced(scenario, places[n % places.length] ?? [], put);
          const text = form === 'YAML' ? stringify(changed ?? null) : JSON.stringify(changed ?? null);
          const result = loadScenario(text, { file: 'changed.yaml' });
          if (!('scenario' in result)) return;
          expect(fits(parse(text)), `${text}\n${JSON.stringify(fits.errors, null, 1)}`).toBe(true);
        }),
        { numRuns: cases(320) },
      );
    },
  );
});
