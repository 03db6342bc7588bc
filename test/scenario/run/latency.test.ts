import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { ManualHost } from '../../support/manual-host.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, latestCall, ruleOf, stage, trySend } from '../../support/scenes.js';

const to = '+12025550110';
const host = new ManualHost();

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen }, { hostTime: host });
});
afterAll(async () => {
  const closed = sandbox.close();
  host.tick(10_000);
  await closed;
});

it('holds the answer back in real time, while the operation has happened and the account goes on', async () => {
  const world = await stage(sandbox, [
    { id: 'slow', when: 'message.send', pick: { calls: 1 }, then: { respond: { latency_real: '2s' } } },
  ]);
  let answered = false;
  const slow = trySend(world, to).finally(() => (answered = true));
  await host.armed();
  expect(host.nextInMs).toBe(2000);
  expect(await world.items('/_sandbox/messages')).toHaveLength(1);
  expect((await trySend(world, to)).status).toBe(200);
  host.tick(1999);
  await world.clock();
  expect(answered).toBe(false);
  expect(await world.items('/_sandbox/requests')).toHaveLength(1);
  host.tick(1);
  const answer = await slow;
  expect([answer.status, ruleOf(answer)]).toEqual([200, 'slow']);
  expect(await latestCall(world)).toMatchObject({ status: 200, duration_ms: 2000, fault: 'respond' });
});

it('holds a refusal back as well, and then nothing was sent', async () => {
  const world = await stage(sandbox, [
    { when: 'message.send', then: { respond: { status: 503, latency_real: '1500ms' } } },
  ]);
  const slow = trySend(world, to);
  await host.armed();
  host.tick(1500);
  expect((await slow).status).toBe(503);
  expect(await world.items('/_sandbox/messages')).toEqual([]);
  expect(await latestCall(world)).toMatchObject({ status: 503, duration_ms: 1500 });
});

it('draws from a range by the seed: the same time for the same recipient and count', async () => {
  const drawn: (number | null)[] = [];
  for (const seed of [1, 1, 2]) {
    const rules = [{ when: 'message.send' as const, then: { respond: { latency_real: '1s..9s' } } }];
    const world = await stage(sandbox, rules, { seed });
    const slow = trySend(world, to);
    await host.armed();
    drawn.push(host.nextInMs);
    host.tick(9000);
    await slow;
  }
  const [first, again, other] = drawn;
  expect(first).toBeGreaterThanOrEqual(1000);
  expect(first).toBeLessThanOrEqual(9000);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});
