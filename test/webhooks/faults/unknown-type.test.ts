import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { eventTypes } from '../../../src/domain/event.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen } from '../../support/scenes.js';
import { spoil } from '../../support/spoiled.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen });
});
afterAll(() => sandbox.close());

it('an event of a type nobody knows, rightly signed; the log keeps the real one, and so does the retry', async () => {
  const { requests, event } = await spoil(sandbox, { body: 'unknown_type' });
  const [first, retry] = requests;
  const { type } = first?.json as { type: string };
  expect(eventTypes).not.toContain(type);
  expect(first?.json).toEqual({ ...(retry?.json as object), type });
  expect([first?.signature_valid, retry?.signature_valid]).toEqual([true, true]);
  expect((retry?.json as { type: string }).type).toBe('message.received');
  expect(event.type).toBe('message.received');
});
