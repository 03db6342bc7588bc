import { expect, it } from 'vitest';
import { truncated } from '../../../src/webhooks/delivery/faults/truncate.js';

it.each(['{}', '{"a":1}', '{"id":"evt_1","data":{"text":"Größe"}}'])('of %s half is left, which is no JSON', (body) => {
  const half = truncated(body);
  expect(body.startsWith(half)).toBe(true);
  expect(half.length).toBe(Math.ceil(body.length / 2));
  expect(() => JSON.parse(half) as unknown).toThrow();
});
