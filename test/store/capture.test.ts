/** Saves an account as it was at one instant, while it changes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AccountStore } from '../../src/store/tables/account-store.js';
import { memoryPersistence } from '../../src/store/disk/persistence.js';
import { steps } from './steps.js';
import { contentOf, dataOf, emptyData, message, perform, plainOf } from './support.js';

function newStore(): AccountStore {
  return new AccountStore(emptyData(), memoryPersistence());
}

it('gives the account of the instant at which it was taken, whatever happens before it is read', () => {
  fc.assert(
    fc.property(steps(25), steps(25), (before, after) => {
      const store = newStore();
      const saved = { plain: null };
      for (const step of before) perform(store, step, saved);
      const expected = contentOf(store);
      const capture = store.capture();
      const slices = capture.slices();
      const pieces = [slices.next().value];
      for (const step of after) perform(store, step, saved);
      pieces.push(...slices);
      capture.release();
      const restored = newStore();
      restored.replace(dataOf(JSON.parse(`{${pieces.join('')}}`) as ReturnType<typeof plainOf>));
      expect(plainOf(restored).tables).toEqual((JSON.parse(expected) as ReturnType<typeof plainOf>).tables);
    }),
  );
});

it('becomes a copy of the account of that instant, which shares no row that changes', () => {
  fc.assert(
    fc.property(steps(25), steps(25), steps(25), (before, after, inCopy) => {
      const store = newStore();
      const saved = { plain: null };
      for (const step of before) perform(store, step, saved);
      const expected = contentOf(store);
      const capture = store.capture();
      for (const step of after) perform(store, step, saved);
      const copying = capture.copy({});
      let slice = copying.next();
      while (slice.done !== true) slice = copying.next();
      capture.release();
      const copy = new AccountStore(slice.value, memoryPersistence());
      expect(contentOf(copy)).toBe(expected);
      const source = contentOf(store);
      for (const step of inCopy) perform(copy, step, { plain: null });
      expect(contentOf(store)).toBe(source);
    }),
  );
});

it('is copied in slices', () => {
  const store = newStore();
  store.update(() => {
    for (let n = 0; n < 25_000; n += 1) store.tables.messages.insert(message(`m${n}`, store.nextSeq()));
  });
  const capture = store.capture();
  const slices = [...capture.copy({})];
  capture.release();
  expect(slices).toHaveLength(2);
});

it('comes in slices, of which none holds more than a few milliseconds of work', () => {
  const store = newStore();
  store.update(() => {
    for (let n = 0; n < 5000; n += 1) store.tables.messages.insert(message(`m${n}`, store.nextSeq()));
  });
  const capture = store.capture();
  const lengths = [...capture.slices()].map((slice) => slice.length);
  capture.release();
  expect(lengths.length).toBeGreaterThan(4);
  expect(Math.max(...lengths)).toBeLessThan(400_000);
});

it('leaves nothing behind when it is released', () => {
  const store = newStore();
  const row = store.update(() => store.tables.messages.insert(message('m1', store.nextSeq())));
  const capture = store.capture();
  capture.release();
  store.update(() => store.tables.messages.patch(row, { status: 'sent' }));
  // The capture no longer follows changes: the row is current.
  expect([...capture.slices()].join('')).toContain('"status":"sent"');
});
