import { expect, it } from 'vitest';
import { huge } from '../../../src/webhooks/delivery/faults/huge.js';

it('is two megabytes of JSON around the unharmed event', () => {
  const event = { id: 'evt_1', type: 'message.status', data: { to: '+12025550110' } };
  const body = huge(JSON.stringify(event));
  expect(body.length).toBeGreaterThan(2 * 1024 * 1024);
  expect(JSON.parse(body)).toMatchObject(event);
});
