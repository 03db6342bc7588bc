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

const some = [
  '*/503',
  '*/reset-taken',
  '*/twice',
  '*/out-of-order',
  '*/leading-zero',
  '*/throttled',
  '*/unknown-event',
];
const settings = (faults: readonly string[]): ExploreSettings =>
  isFull ? { budget: '30m' } : { budget: '5m', only: faults.map((one) => `*:1${one.slice(1)}`) };

it('finds nothing in the shop', async () => {
  const start = await shopOf('right');
  const report = await sandbox.explore((world) => shopStory(start, world), settings(some.slice(0, 4)));
  expect(report.breaks.map(({ kind, cell, sentence }) => [kind, cell.id, sentence])).toEqual([]);
  expect(report.cells.filter(({ state }) => state === 'fine').length).toBeGreaterThan(isFull ? 15 : 5);
}, 2_400_000);

it('finds four kinds of mistakes in the careless twin', async () => {
  const start = await shopOf('careless');
  const report = await sandbox.explore((world) => shopStory(start, world), settings(some));
  expect([...new Set(report.breaks.map(({ kind }) => kind))].sort()).toEqual(
    expect.arrayContaining(['duplicate', 'lost', 'state differs', 'useless calls']),
  );
}, 2_400_000);
