import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../src/time/heap.js';
import { StrandHeap } from '../../src/time/strand-heap.js';

interface Item {
  readonly key: number;
  readonly seq: number;
}

const before = (a: Item, b: Item) => (a.key === b.key ? a.seq < b.seq : a.key < b.key);
const byOrder = (a: Item, b: Item) => a.key - b.key || a.seq - b.seq;

const kinds = [
  ['the heap', Heap],
  ['the heap of strands', StrandHeap],
] as const;

describe.each(kinds)('%s', (_name, Kind) => {
  it('is a sorted list to whoever uses it', () => {
    const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant('pop' as const)), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (sequence) => {
        const heap = new Kind<Item>(before);
        const model: Item[] = [];
        sequence.forEach((step, seq) => {
          if (step === 'pop') expect(heap.pop()).toEqual(model.shift());
          else {
            heap.push({ key: step, seq });
            model.push({ key: step, seq });
            model.sort(byOrder);
          }
          expect(heap.top()).toEqual(model[0]);
        });
        while (model.length > 0) expect(heap.pop()).toEqual(model.shift());
      }),
    );
  });

  it('holds nothing when new, and nothing after clear', () => {
    const heap = new Kind<number>((a, b) => a < b);
    expect([heap.top(), heap.pop()]).toEqual([undefined, undefined]);
    [3, 1, 2].forEach((n) => heap.push(n));
    heap.clear();
    expect([heap.top(), heap.pop()]).toEqual([undefined, undefined]);
    heap.push(7);
    expect(heap.pop()).toBe(7);
  });

  it('asks for the order a logarithmic number of times', () => {
    let asked = 0;
    const heap = new Kind<number>((a, b) => {
      asked += 1;
      return a < b;
    });
    const count = 20_000;
    // The worst order for pushing: each newcomer is the smallest.
    for (let n = count; n > 0; n -= 1) heap.push(n);
    for (let n = 1; n <= count; n += 1) if (heap.pop() !== n) throw new Error(`${n} came out of order`);
    // log2(20,000) is 14.3: at most so many to push, twice so many to pop, and a few to look for a strand.
    expect(asked).toBeLessThan(count * 60);
  });
});

describe('the heap of strands', () => {
  it('asks for the order a few times only, whatever waits, where items come in ascending strands', () => {
    let asked = 0;
    const heap = new StrandHeap<number>((a, b) => {
      asked += 1;
      return a < b;
    });
    const count = 20_000;
    const taken: (number | undefined)[] = [];
    for (let n = 0; n < count; n += 1) {
      for (const later of [0, 3_000.3, 10_000.7]) heap.push(n + later);
      taken.push(heap.pop());
      while ((heap.top() ?? Infinity) <= n) taken.push(heap.pop());
    }
    expect(taken).toEqual([...taken].sort((a = 0, b = 0) => a - b));
    expect(taken).toHaveLength(count + (count - 3_001) + (count - 10_001));
    // Three strands and the heap, for each of push, top and pop.
    expect(asked).toBeLessThan(count * 40);
  });
});
