/** A scenario may set the start of the clock; the time of an account in which something happened never goes back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { newWorld, World, type Control } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { at, frozen, hours, play } from '../../support/scenes.js';

const to = '+12025550110';
const early = '2026-02-01T00:00:00.000Z';
const begun = '2026-02-20T00:00:00.000Z';

let folder: string;
let sandbox: Sandbox;
const start = () =>
  startTestSandbox({ clock: frozen, dataDir: join(folder, 'data'), scenarios: [join(folder, 'begun.json')] });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  writeFileSync(
    join(folder, 'begun.json'),
    JSON.stringify({
      version: 1,
      clock: begun,
      timeline: [{ at: '+1h', inbound: { phone: to } }],
    }),
  );
  sandbox = await start();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const startEarly = (world: World) => play(world, { clock: early });
const nowOf = async (world: World) => (await world.clock()).now;

async function keepsItsTime(world: World): Promise<void> {
  const before = await nowOf(world);
  const { warnings } = await startEarly(world);
  expect(warnings).toMatchObject([
    { code: 'clock_kept', message: expect.stringContaining('reset the account') as string },
  ]);
  expect(await nowOf(world)).toBe(before);
}

async function startsEarly(world: World): Promise<void> {
  expect((await startEarly(world)).warnings).toEqual([]);
  expect(await nowOf(world)).toBe(early);
}

describe('a start in the past', () => {
  it('is followed by an account whose first call is the activation, though it was born with another scenario', async () => {
    const world = newWorld(sandbox);
    expect(await nowOf(world)).toBe(begun);
    await startsEarly(world);
  });

  const setUps: Record<string, (world: World) => Promise<unknown>> = {
    'has journal entries alone': (world) => world.get('/v1/webhooks'),
    'has a rule added at run time': (world) =>
      world.post('/_sandbox/rules', { when: 'message.send', then: { lifecycle: 'blocked' } }),
    'has another scenario activated': (world) => play(world, { clock: '2026-02-25T00:00:00Z' }),
  };
  it.each(Object.entries(setUps))('is followed, as by PUT /_sandbox/clock, where the account %s', async (_how, use) => {
    const world = newWorld(sandbox);
    await use(world);
    await startsEarly(world);
  });

  const uses: Record<string, (world: World) => Promise<unknown>> = {
    'was advanced past a message': (world) => world.advance('1d'),
    'had its clock set past a message': (world) => world.put('/_sandbox/clock', { now: '2026-02-21T00:00:00Z' }),
    'has a message of a customer': (world) => world.post('/_sandbox/inbound', { from: to }),
  };
  it.each(Object.entries(uses))('is left out, with a warning, where the account %s', async (_how, use) => {
    const world = newWorld(sandbox);
    await use(world);
    await keepsItsTime(world);
  });

  it('is followed again after a reset, over a restart too, and where the reset kept the clock', async () => {
    const [fresh, kept] = [newWorld(sandbox), newWorld(sandbox)];
    for (const world of [fresh, kept]) await world.advance('1d');
    await fresh.post('/_sandbox/reset');
    await kept.post('/_sandbox/reset', { keep: ['clock'] });
    expect([await nowOf(fresh), await nowOf(kept)]).toEqual([begun, '2026-02-21T00:00:00.000Z']);
    await sandbox.close();
    sandbox = await start();
    await startsEarly(new World(sandbox.url, fresh.key));
    await startsEarly(new World(sandbox.url, kept.key));
  });

  it('is followed again after a reset by an account that is born with no scenario', async () => {
    const plain = await startTestSandbox({ clock: frozen });
    const world = newWorld(plain);
    await world.post('/_sandbox/inbound', { from: to });
    await keepsItsTime(world);
    await world.post('/_sandbox/reset');
    await startsEarly(world);
    await plain.close();
  });

  it('is followed by a reset that keeps the scenario, and by a key that carries one', async () => {
    const world = newWorld(sandbox);
    await startEarly(world);
    await world.advance('1d');
    await world.post('/_sandbox/reset', { keep: ['scenario'] });
    expect(await nowOf(world)).toBe(early);
    expect(await nowOf(newWorld(sandbox, 'worker~begun'))).toBe(begun);
  });
});

it('a start ahead is followed whatever was before', async () => {
  const world = newWorld(sandbox);
  await world.advance('1h');
  const shown: Control['ActiveScenario'] = await play(world, { clock: at(hours(1)) });
  expect([shown.warnings, await nowOf(world)]).toEqual([[], at(hours(1))]);
});
