import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedList } from '../../src/store/keyed-list.js';

interface Named {
  readonly name: string;
  readonly n: number;
}

const listOfNamed = (): KeyedList<Named> => new KeyedList(({ name }) => name);
/** A prefix makes keys that differ at their end, at their beginning, or by their length alone. */
const nameOf = (n: number): string =>
  n % 3 === 0 ? `id_${n}` : n % 3 === 1 ? `${n}_with-an-end-that-many-have` : 'x'.repeat(n % 97);

describe('a keyed list', () => {
  it('holds what a map would, in its order, with few keys and with many', () => {
    const operation = fc.record({
      kind: fc.constantFrom('add', 'add', 'replace', 'delete', 'deleteOldest'),
      n: fc.integer({ min: 0, max: 400 }),
    });
    for (const before of [0, 20_000]) {
      fc.assert(
        fc.property(fc.array(operation, { maxLength: 300 }), (operations) => {
          const list = listOfNamed();
          const model = new Map<string, Named>();
          const add = (name: string, n: number): void => {
            if (model.has(name)) return;
            model.set(name, { name, n });
            list.add(name, { name, n });
          };
          for (let n = 0; n < before; n += 1) add(`before_${n}`, n);
          for (const { kind, n } of operations) {
            const name = nameOf(n);
            const oldest = model.keys().next().value ?? name;
            if (kind === 'add') add(name, n);
            if (kind === 'replace' && model.has(name)) model.set(name, { name, n: -n });
            if (kind === 'replace') list.replace(name, { name, n: -n });
            if (kind === 'delete') list.delete(name);
            if (kind === 'delete') model.delete(name);
            if (kind === 'deleteOldest') list.delete(oldest);
            if (kind === 'deleteOldest') model.delete(oldest);
          }
          expect([...list]).toEqual([...model.values()]);
          expect(list.size).toBe(model.size);
          for (let n = 0; n <= 400; n += 1) expect(list.get(nameOf(n))).toEqual(model.get(nameOf(n)));
        }),
        { numRuns: before === 0 ? 100 : 5 },
      );
    }
  });

  it('finds each of a hundred thousand, and none that has gone', () => {
    const list = listOfNamed();
    const count = 100_000;
    for (let n = 0; n < count; n += 1) list.add(`job_${n}`, { name: `job_${n}`, n });
    for (let n = 0; n < count; n += 2) list.delete(`job_${n}`);
    const wrong = Array.from({ length: count }, (_, n) => n).filter(
      (n) => list.get(`job_${n}`)?.n !== (n % 2 === 0 ? undefined : n),
    );
    expect(wrong).toEqual([]);
    expect(list.size).toBe(count / 2);
    expect(list.add('job_1', { name: 'job_1', n: 0 })).toBe(false);
    expect(list.get('job_1')?.n).toBe(1);
  });

  it('never gives a place twice, and knows what stands there', () => {
    const list = listOfNamed();
    for (let n = 0; n < 2000; n += 1) list.add(nameOf(3 * n), { name: nameOf(3 * n), n });
    for (let n = 0; n < 1500; n += 1) list.delete(nameOf(3 * n));
    list.add('again', { name: 'again', n: -1 });
    expect(list.end).toBe(2001);
    expect(list.placeOf('again')).toBe(2000);
    expect(list.at(0)).toBeUndefined();
    expect(list.at(1500)?.n).toBe(1500);
    expect(list.at(2000)?.n).toBe(-1);
  });

  it('shows at the end of a walk what came meanwhile, and not what went', () => {
    const list = listOfNamed();
    for (let n = 0; n < 600; n += 1) list.add(`k${n}`, { name: `k${n}`, n });
    const met: number[] = [];
    for (const { n } of list) {
      met.push(n);
      if (n === 10) for (let gone = 0; gone < 300; gone += 1) list.delete(`k${gone}`);
      if (n === 400) list.add('late', { name: 'late', n: 600 });
    }
    expect(met).toEqual([
      ...Array.from({ length: 11 }, (_, n) => n),
      ...Array.from({ length: 301 }, (_, n) => n + 300),
    ]);
  });
});
