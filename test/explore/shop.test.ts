/** The sample shop breaks under no fault; its careless twin in many ways, each found without a written expectation. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox } from '../../src/client/create-sandbox.js';
import type { SandboxClient } from '../../src/client/client.js';
import type { ExploreSettings } from '../../src/client/explore.js';
import { fileNames, scenarioFile } from '../../src/explore/report-files.js';
import { runCli } from '../support/cli.js';
import { shopOf, shopStory } from './shop-story.js';

let sandbox: SandboxClient;
const dir = mkdtempSync(join(tmpdir(), 'explore-'));
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'frozen:2026-03-02T09:00:00Z', logLevel: 'error' });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(dir, { recursive: true });
});

const full = process.env['FUZZ'] === 'full';
const settings: ExploreSettings = full
  ? { budget: '30m', pairs: 100, parallel: 6 }
  : { budget: '5m', maxRuns: 40, pairs: 0, parallel: 6 };

it('finds nothing in the shop', async () => {
  const start = await shopOf('right');
  const report = await sandbox.explore((world) => shopStory(start, world), settings);
  const broken = report.breaks.map(({ kind, smallest, deviation }) => [kind, smallest.placed, deviation.sentence]);
  expect(broken).toEqual([]);
  expect(report.cells.filter(({ state }) => state === 'fine').length).toBeGreaterThan(15);
  // The panel Explore of this sandbox shows it.
  const shown = await sandbox.call<{ state: string; report: { tried: number } }>('GET', '/_sandbox/explore');
  expect(shown).toMatchObject({ state: 'done', progress: { broken: 0 }, report: { tried: report.tried, breaks: [] } });
}, 2_400_000);

it('finds at least five kinds of mistakes in the careless twin, each shrunk to one fault, with a file that shows it', async () => {
  const start = await shopOf('careless');
  const report = await sandbox.explore((world) => shopStory(start, world), settings);
  expect(report.breaks.length).toBeGreaterThanOrEqual(5);
  expect(report.breaks.every(({ smallest }) => smallest.placed.length === 1)).toBe(true);
  expect(new Set(report.breaks.map(({ kind }) => kind))).toEqual(
    new Set(
      ['duplicate', 'lost', 'endpoint lost', 'state differs', 'useless calls'].filter((kind) =>
        report.breaks.some((one) => one.kind === kind),
      ),
    ),
  );
  const names = fileNames(report.breaks);
  const i = report.breaks.findIndex(({ deviation }) => deviation.expect !== null);
  const [found, name] = [report.breaks[i], names[i]];
  if (!found || name === undefined) throw new Error('no break can be said as an expectation');
  const path = join(dir, name);
  writeFileSync(path, scenarioFile(found, name, { command: 'node shop', extends: null, quiet: null }));
  const story = (shop: string) =>
    // The story moves the clock itself, however long it takes to begin.
    runCli([
      'scenario',
      'run',
      '--clock',
      'frozen',
      path,
      '--',
      'node',
      '--import',
      'tsx',
      'test/explore/shop-command.ts',
      shop,
    ]);
  const [careless, right] = [await story('careless'), await story('right')];
  expect(careless.stdout).toContain(found.deviation.expect?.['that'] as string);
  expect(careless.code).toBe(1);
  expect({ code: right.code, stderr: right.stderr }).toMatchObject({ code: 0 });
}, 2_400_000);
