import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OrderedList } from '../../src/store/ordered-list.js';

interface Numbered {
  readonly n: number;
}

const operation = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'remove', 'removeFirst', 'removeLast'),
  n: fc.integer({ min: 0, max: 60 }),
});

it('holds what a sorted array would, after any additions and removals', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), fc.integer({ min: -1, max: 61 }), (operations, from) => {
      const list = new OrderedList<Numbered>((row) => row.n);
      let model: number[] = [];
      for (const { kind, n } of operations) {
        if (kind === 'add') {
          if (model.includes(n)) continue;
          list.add({ n });
          model = [...model, n].sort((a, b) => a - b);
          continue;
        }
        const target = kind === 'remove' ? n : kind === 'removeFirst' ? model[0] : model.at(-1);
        if (target === undefined) continue;
        list.remove(target);
        model = model.filter((other) => other !== target);
      }
      expect([...list].map((row) => row.n)).toEqual(model);
      expect(list.size).toBe(model.length);
      expect(list.last()?.n).toBe(model.at(-1));
      expect(list.firstFrom(from)).toBe(model.filter((n) => n < from).length);
    }),
  );
});

it('keeps its order through thousands of removals at the head', () => {
  const list = new OrderedList<Numbered>((row) => row.n);
  for (let n = 0; n < 5000; n += 1) list.add({ n });
  for (let n = 0; n < 4000; n += 1) list.remove(n);
  expect(list.size).toBe(1000);
  expect(list.at(0)).toEqual({ n: 4000 });
  expect(list.firstFrom(4500)).toBe(500);
});

it('holds what a sorted array would, though it lies in pieces', () => {
  const size = 5000;
  const operations = fc.array(fc.record({ isAdd: fc.boolean(), n: fc.integer({ min: 0, max: 2 * size }) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(operations, fc.integer({ min: 0, max: 9 }), (steps, burst) => {
      const list = new OrderedList<Numbered>((row) => row.n);
      const model = Array.from({ length: size }, (_, n) => 2 * n);
      for (const n of model) list.add({ n });
      for (const { isAdd, n } of steps) {
        for (let next = n; next <= n + burst; next += 1) {
          const at = model.findIndex((other) => other >= next);
          const place = at === -1 ? model.length : at;
          const isThere = model[place] === next;
          if (isAdd && !isThere) {
            list.add({ n: next });
            model.splice(place, 0, next);
          }
          if (!isAdd) list.remove(next);
          if (!isAdd && isThere) model.splice(place, 1);
        }
        expect(list.size).toBe(model.length);
        expect(list.orderAt(n)).toBe(model[n]);
        expect(list.firstFrom(n)).toBe(model.filter((other) => other < n).length);
      }
      expect([...list].map((row) => row.n)).toEqual(model);
      expect(list.at(-1)).toBeUndefined();
      expect(list.at(model.length)).toBeUndefined();
    }),
    { numRuns: 25 },
  );
});

it('splits where thousands come in between', () => {
  const list = new OrderedList<Numbered>((row) => row.n);
  for (const n of [0, 10_000]) list.add({ n });
  for (let n = 9_999; n > 0; n -= 1) list.add({ n });
  expect(Array.from(list, (row) => row.n)).toEqual(Array.from({ length: 10_001 }, (_, n) => n));
  const other = { n: 5_000 };
  list.swap(other);
  expect(list.at(5_000)).toBe(other);
});
