import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { truncated } from '../../../src/webhooks/faults/truncate.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { spoil } from '../../support/spoiled.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen });
});
afterAll(() => sandbox.close());

it('half of the body, rightly signed, is no JSON; the retry is whole', async () => {
  const { requests, deliveries } = await spoil(sandbox, { body: 'truncate' });
  const [first, retry] = requests;
  const payload = deliveries[0]?.payload ?? '';
  expect(retry?.body).toBe(payload);
  expect(first?.body).toBe(payload.slice(0, Math.ceil(payload.length / 2)));
  expect(first).not.toHaveProperty('json');
  expect([first?.signature_valid, retry?.signature_valid]).toEqual([true, true]);
});

it.each(['{}', '{"a":1}', '{"a":"é"}'])('%s never stays whole', (body) => {
  expect(truncated(body).length).toBeLessThan(body.length);
  expect(() => JSON.parse(truncated(body)) as unknown).toThrow();
});
