import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OrderedList } from '../../src/store/tables/ordered-list.js';

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
      expect([...list].map(({ n }) => n)).toEqual(model);
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
