import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../src/time/heap.js';

interface Item {
  readonly key: number;
  readonly seq: number;
}

const before = (a: Item, b: Item) => (a.key === b.key ? a.seq < b.seq : a.key < b.key);
const byOrder = (a: Item, b: Item) => a.key - b.key || a.seq - b.seq;

describe('the heap', () => {
  it('is a sorted list to whoever uses it', () => {
    const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant('pop' as const)), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (sequence) => {
        const heap = new Heap<Item>(before);
        const model: Item[] = [];
        sequence.forEach((step, seq) => {
          if (step === 'pop') expect(heap.pop()).toEqual(model.shift());
          else {
            heap.push({ key: step, seq });
            model.push({ key: step, seq });
            model.sort(byOrder);
          }
          expect(heap.size).toBe(model.length);
          expect(heap.top()).toEqual(model[0]);
        });
        while (model.length > 0) expect(heap.pop()).toEqual(model.shift());
      }),
    );
  });

  it('holds nothing when new, and nothing after clear', () => {
    const heap = new Heap<number>((a, b) => a < b);
    expect([heap.size, heap.top(), heap.pop()]).toEqual([0, undefined, undefined]);
    [3, 1, 2].forEach((n) => heap.push(n));
    heap.clear();
    expect([heap.size, heap.top(), heap.pop()]).toEqual([0, undefined, undefined]);
    heap.push(7);
    expect(heap.pop()).toBe(7);
  });

  it('asks for the order a logarithmic number of times', () => {
    let asked = 0;
    const heap = new Heap<number>((a, b) => {
      asked += 1;
      return a < b;
    });
    const count = 20_000;
    // The worst order for pushing: each newcomer is the smallest.
    for (let n = count; n > 0; n -= 1) heap.push(n);
    for (let n = 1; n <= count; n += 1) if (heap.pop() !== n) throw new Error(`${n} came out of order`);
    // log2(20,000) is 14.3: at most so many to push, twice so many to pop.
    expect(asked).toBeLessThan(count * 45);
  });
});
