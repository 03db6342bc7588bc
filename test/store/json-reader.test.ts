/** A snapshot is read piece by piece, and is what it would be if it was read at once. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readJson, UnreadableJson } from '../../src/store/snapshots/json-reader.js';
import { machineTime } from '../../src/time/system-clock.js';
import { cases } from '../support/property.js';

/** Cuts the bytes of a text, also within a character. */
function sliced(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

const read = (text: string, size = 7) => readJson(sliced(text, size), machineTime);

/** Values with lists at all levels. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'large', withCrossShrink: true }, fc.jsonValue(), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'a"b\\')), tie('value'), { maxKeys: 4 }),
}));
const nested = value.map((inner) => ({ state: { tables: { messages: [inner, inner], jobs: inner }, meta: [inner] } }));

it('returns what JSON.parse returns, however the text is cut and spaced', async () => {
  const text = fc.tuple(nested, fc.constantFrom(undefined, 1)).map(([of, space]) => JSON.stringify(of, null, space));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 60 }), async (json, size) => {
      expect(await read(json, size)).toEqual(JSON.parse(json));
    }),
    { numRuns: cases(400) },
  );
});

it('rejects what JSON.parse rejects', async () => {
  const damaged = fc
    .tuple(nested, fc.nat(), fc.constantFrom('', ',', ']', '}', '[', '{', '"', '\\', ' ', '1', 'x'))
    .map(([of, place, text]) => {
      const json = JSON.stringify(of);
      const at = place % json.length;
      return json.slice(0, at) + text + json.slice(at + 1);
    });
  await fc.assert(
    fc.asyncProperty(damaged, fc.integer({ min: 1, max: 60 }), async (json, size) => {
      let expected: unknown;
      try {
        expected = JSON.parse(json);
      } catch {
        await expect(read(json, size)).rejects.toThrow(UnreadableJson);
        return;
      }
      expect(await read(json, size)).toEqual(expected);
    }),
    { numRuns: cases(1000) },
  );
});

const inList = (record: string) => `{"state":{"tables":{"messages":[${record}]}}}`;

it('keeps an own field named __proto__ away from the prototype', async () => {
  const read1 = (await read('{"a":{"__proto__":{"b":[1,2]},"c":{"d":[3]}}}')) as { a: object };
  expect(Object.keys(read1.a)).toEqual(['__proto__', 'c']);
  expect(Object.getPrototypeOf(read1.a)).toBe(Object.prototype);
});

it.each([
  ['one level too many', inList('['.repeat(197) + ']'.repeat(197)), 'depth'],
  ['many values outside of the lists', `{"state":[${'{},'.repeat(500_000)}{}]}`, 'size'],
  ['many values in one record', inList(`[${'{},'.repeat(500_000)}{}]`), 'size'],
  ['a long text in one record', inList(`"${'x'.repeat(33 * 1024 ** 2)}"`), 'size'],
  ['no text', '', 'syntax'],
  ['an end within a record', '{"state":{"tables":{"messages":[{"id":1}', 'syntax'],
  ['a second value', '{} {}', 'syntax'],
])('rejects %s', async (_what, text, why) => {
  await expect(read(text, 64 * 1024)).rejects.toMatchObject({ why });
});

it('rejects bytes that are not UTF-8, in a record and elsewhere', async () => {
  for (const text of [inList('"X"'), '{"a":"X"}']) {
    const bytes = Buffer.from(text);
    bytes[text.indexOf('X')] = 0xff;
    await expect(readJson([bytes], machineTime)).rejects.toMatchObject({ why: 'encoding' });
  }
});

it('reports the memory of the records so far, and stops when its caller throws', async () => {
  const held: number[] = [];
  const hold = (bytes: number): void => {
    held.push(bytes);
    if (bytes > 500) throw new Error('enough');
  };
  await expect(readJson([Buffer.from(inList(`${'{},'.repeat(100)}{}`))], machineTime, { hold })).rejects.toThrow(
    'enough',
  );
  expect(held.length).toBeLessThan(20);
});
