/** The sample shop breaks under no fault; its careless twin in many ways, each found without a written expectation. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox } from '../../src/client/create-sandbox.js';
import type { SandboxClient } from '../../src/client/client.js';
import type { ExploreSettings } from '../../src/client/explore.js';
import { isFull } from '../support/property.js';
import { shopOf, shopStory } from './shop-story.js';

let sandbox: SandboxClient;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'frozen:2026-03-02T09:00:00Z', logLevel: 'error' });
});
afterAll(() => sandbox.close());

/** Without FUZZ=full, faults of which each shows something that the others do not. */
const ofRight = [
  'message.send:*:1/503',
  '*:1/reset-taken',
  'message.received:*:1/twice',
  'message.status:delivered:*:1/twice',
  'otp.*:1/twice',
  'message.*:1/out-of-order',
];
const ofCareless = [
  '*:1/503',
  'message.send:*:1/reset-taken',
  '*:1/twice',
  '*:1/out-of-order',
  'template.create:*:1/throttled',
];
const settings = (only: readonly string[]): ExploreSettings => (isFull ? { budget: '30m' } : { budget: '5m', only });

it('finds nothing in the shop', async () => {
  const start = await shopOf('right');
  const report = await sandbox.explore((world) => shopStory(start, world), settings(ofRight));
  expect(report.breaks.map(({ kind, cell, sentence }) => [kind, cell.id, sentence])).toEqual([]);
  expect(report.cells.filter(({ state }) => state === 'fine').length).toBeGreaterThan(isFull ? 15 : 5);
}, 2_400_000);

it('finds four kinds of mistakes in the careless twin', async () => {
  const start = await shopOf('careless');
  const report = await sandbox.explore((world) => shopStory(start, world), settings(ofCareless));
  expect([...new Set(report.breaks.map(({ kind }) => kind))].sort()).toEqual(
    expect.arrayContaining(['duplicate', 'lost', 'state differs', 'useless calls']),
  );
}, 2_400_000);
