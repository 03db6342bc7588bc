/** Scenario, counters and rules survive snapshots, restarts, and the resets that keep them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import type { Rule } from '../../../src/language/rule.js';
import { World, type Control } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { at, frozen, latestCall, minutes, stage, statusEvents, trySend } from '../../support/scenes.js';

const to = '+12025550110';

let folder: string;
let sandbox: Sandbox;
const start = () => startTestSandbox({ clock: frozen, dataDir: folder });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  sandbox = await start();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const status = async (world: World) => (await trySend(world, to)).status;

const rules: Rule[] = [
  { id: 'third', when: 'message.send', pick: { calls: 3 }, then: { respond: { status: 503 } } },
  { id: 'limit', when: 'message.send', then: { limit: '5/h' } },
];

/** Two of three sends are made, a run-time rule is half spent, a timeline and a judgement lie ahead. */
async function midway(): Promise<World> {
  const world = await stage(sandbox, rules, {
    timeline: [{ at: '+1h', inbound: { phone: to, text: 'later' } }],
    expect: [
      { at: '+10m', that: 'messages', count: 2 },
      { at: '+2h', that: 'messages', where: { direction: 'inbound' }, count: 1 },
    ],
  });
  const rule = { id: 'second', when: 'message.send', pick: { calls: 2 }, then: { lifecycle: 'blocked' } };
  await world.post('/_sandbox/rules', rule);
  expect([await status(world)]).toEqual([200]);
  expect([await status(world)]).toEqual([200]);
  await world.advance('10m');
  return world;
}

/** What has to be true of it afterwards. */
async function goesOn(world: World): Promise<void> {
  expect((await world.get<Control['Verdict']>('/_sandbox/verdict')).checks[0]).toMatchObject({ passed: true });
  const [third] = (await world.get<Control['ActiveScenario']>('/_sandbox/scenario')).rules;
  expect(third).toMatchObject({ id: 'third', hits: 0 });
  expect(await world.items('/_sandbox/rules')).toMatchObject([{ id: 'second', hits: 1, last_hit: { at: at(0) } }]);
  expect((await statusEvents(world, to)).map(([each]) => each)).toContain('failed');
  // Ten minutes have given nothing back of five an hour: the third is struck, two more pass, the sixth is too much.
  expect([await status(world), await status(world), await status(world), await status(world)]).toEqual([
    503, 200, 200, 429,
  ]);
  await world.advance('2h');
  expect((await world.events('?type=message.received')).map(({ created_at }) => created_at)).toEqual([at(minutes(60))]);
  expect((await world.get<Control['Verdict']>('/_sandbox/verdict')).passed).toBe(true);
}

it('a restart goes on where it stopped', async () => {
  const { key } = await midway();
  await sandbox.close();
  sandbox = await start();
  await goesOn(new World(sandbox.url, key));
});

it('a snapshot brings back what was active, with its counts, wherever the account has gone since', async () => {
  const world = await midway();
  await world.post('/_sandbox/snapshots', { name: 'midway' });
  await goesOn(world);
  await world.put('/_sandbox/scenario', { name: 'flaky-api' });
  await world.delete('/_sandbox/rules/second');
  await world.post('/_sandbox/snapshots/midway/restore');
  await goesOn(world);
});

describe('a reset', () => {
  it('takes scenario, counts, rules and timeline away', async () => {
    const world = await midway();
    await world.post('/_sandbox/reset');
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: null });
    expect(await world.items('/_sandbox/rules')).toEqual([]);
    await world.advance('3h');
    expect(await world.events()).toEqual([]);
  });

  it('that keeps the scenario starts it from its beginning, with what it gives', async () => {
    const world = await midway();
    await world.post('/_sandbox/reset', { keep: ['scenario'] });
    const shown = await world.get<Control['ActiveScenario']>('/_sandbox/scenario');
    expect(shown).toMatchObject({ activated_at: at(0), rules: [{ id: 'third', hits: 0 }, { id: 'limit' }] });
    expect(await world.items('/_sandbox/rules')).toEqual([]);
    expect([await status(world), await status(world), await status(world)]).toEqual([200, 200, 503]);
    await world.advance('1h');
    expect(await world.events('?type=message.received')).toMatchObject([{ data: { text: 'later' } }]);
  });
});

it('a key whose scenario nobody knows is told so after a restart as well, until it has one', async () => {
  const key = 'worker3~nosuch';
  const warnings = async () => {
    const world = new World(sandbox.url, key);
    expect((await world.call('GET', '/v1/webhooks')).status).toBe(200);
    return (await latestCall(world)).warnings;
  };
  const told = [expect.stringMatching(/"nosuch".* Known: .*\bflaky-api\b/)];
  expect(await warnings()).toEqual(told);
  await sandbox.close();
  sandbox = await start();
  expect(await warnings()).toEqual(told);
  await new World(sandbox.url, key).put('/_sandbox/scenario', { name: 'flaky-api' });
  expect(await warnings()).toEqual([]);
  await sandbox.close();
  sandbox = await start();
  expect(await warnings()).toEqual([]);
});
