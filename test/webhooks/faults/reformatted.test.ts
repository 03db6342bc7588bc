import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { reformatted } from '../../../src/webhooks/faults/reformatted.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { spoil } from '../../support/spoiled.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen });
});
afterAll(() => sandbox.close());

it('other bytes, the same meaning, rightly signed over these bytes', async () => {
  const { requests, deliveries } = await spoil(sandbox, { body: 'reformatted' });
  const [first, retry] = requests;
  expect(retry?.body).toBe(deliveries[0]?.payload);
  expect(first?.body).not.toBe(retry?.body);
  expect(first?.json).toEqual(retry?.json);
  expect(first?.signature_valid).toBe(true);
  // Whoever signs a re-serialised object signs other bytes.
  expect(JSON.stringify(first?.json)).not.toBe(first?.body);
  expect(first?.body).toContain('Gr\\u00f6\\u00dfe 42 \\/');
});

it('means the same whatever the body says', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (body) => {
      expect(JSON.parse(reformatted(body))).toEqual(JSON.parse(body));
    }),
    { numRuns: 200 },
  );
});
