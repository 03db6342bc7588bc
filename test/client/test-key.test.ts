import { expect, it } from 'vitest';
import { TestKeys } from '../../src/client/test-accounts.js';

it('gives readable keys that travel in a header', () => {
  const keys = new TestKeys();
  expect(keys.next(['test/orders.test.ts', 'an order', 'is sent → "once"'])).toBe(
    'test-orders.test.ts_an-order_is-sent-once',
  );
  expect(keys.next(['', '¡¿'])).toBe('test');
});

it('never gives a key twice', () => {
  const keys = new TestKeys();
  const given = [
    keys.next(['a']),
    keys.next(['a']),
    keys.next(['a.2']),
    keys.next(['a']),
    keys.next(['x'.repeat(300)]),
    keys.next(['x'.repeat(300)]),
  ];
  expect(new Set(given).size).toBe(given.length);
  expect(given.slice(0, 2)).toStrictEqual(['a', 'a.2']);
  expect(Math.max(...given.map((key) => key.length))).toBeLessThanOrEqual(130);
});
