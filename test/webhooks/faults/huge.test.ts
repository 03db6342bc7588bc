import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { spoil } from '../../support/spoiled.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen });
});
afterAll(() => sandbox.close());

it('two megabytes of it, rightly signed, the event itself unharmed', async () => {
  const { requests } = await spoil(sandbox, { body: 'huge' });
  const [first, retry] = requests;
  expect(first?.body.length).toBeGreaterThan(2 * 1024 * 1024);
  expect(first?.json).toMatchObject(retry?.json as object);
  expect([first?.signature_valid, retry?.signature_valid]).toEqual([true, true]);
  expect(retry?.body.length).toBeLessThan(2000);
});
