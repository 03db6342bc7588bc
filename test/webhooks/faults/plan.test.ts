import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import type { Control, World } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { at, frozen, minutes, stage, startMs, trySend } from '../../support/scenes.js';
import { spoil } from '../../support/spoiled.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen });
});
afterAll(() => sandbox.close());

const to = '+12025550110';
const received = (world: World) => world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');

it('duplicate: so many more deliveries of one event, the same id and bytes, each with retries of its own', async () => {
  const { requests, deliveries, event } = await spoil(sandbox, { duplicate: 2 });
  expect(deliveries).toHaveLength(3);
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(3);
  expect(deliveries.every(({ event_id, state }) => event_id === event.id && state === 'delivered')).toBe(true);
  expect(requests.map(({ answered }) => answered)).toEqual([500, 200, 200, 200]);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect(deliveries[0]?.explain).toMatchObject({ by: 'rule', id: 'fault' });
});

it('delay: account time before the first attempt; the retry counts from there', async () => {
  const { world, requests, deliveries } = await spoil(sandbox, { delay: '5m' });
  expect(requests).toEqual([]);
  expect(deliveries).toMatchObject([{ state: 'pending', next_attempt_at: at(minutes(5)) }]);
  await world.advance('1h');
  expect((await received(world)).map(({ at: when }) => (Date.parse(when) - startMs) / 60_000)).toEqual([5, 6]);
});

it('drop: never made, but on record, with the reason', async () => {
  const { world, requests, deliveries } = await spoil(sandbox, { drop: true });
  await world.advance('48h');
  expect(requests).toEqual([]);
  expect(deliveries).toMatchObject([{ state: 'dropped', attempts: [], explain: { by: 'rule', id: 'fault' } }]);
  expect((await world.clock()).pending).toBe(0);
});

it('hold_until: goes out after the later event it waits for', async () => {
  const world = await stage(sandbox, [
    {
      id: 'late',
      when: 'webhook.deliver',
      match: { status: 'delivered' },
      then: { webhook: { hold_until: { status: 'read' } } },
    },
  ]);
  await trySend(world, to);
  await world.advance('999ms');
  expect(await world.deliveries()).toMatchObject([{ state: 'delivered' }, { state: 'pending', next_attempt_at: null }]);
  await world.advance('1ms');
  const told = (await received(world)).map(({ json, at: when }) => [
    (json as { data: { status: string } }).data.status,
    when,
  ]);
  expect(told).toEqual([
    ['sent', at(0)],
    ['read', at(1000)],
    ['delivered', at(1000)],
  ]);
});

it('hold_until a status that was reported already holds nothing', async () => {
  const world = await stage(sandbox, [
    { when: 'webhook.deliver', match: { status: 'read' }, then: { webhook: { hold_until: { status: 'sent' } } } },
  ]);
  await trySend(world, to);
  await world.advance('1s');
  expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
});

it('every attempt is decided anew', async () => {
  const world = await stage(sandbox, [
    { id: 'down', when: 'webhook.deliver', pick: { first: 3 }, then: { webhook: { receiver: { simulate: 503 } } } },
    { id: 'forged', when: 'webhook.deliver', match: { attempt: '4' }, then: { webhook: { signature: 'missing' } } },
  ]);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 401, times: 1 }, { status: 200 }] });
  await world.inbound(to);
  await world.advance('2h');
  const [delivery] = await world.deliveries();
  expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 503, 401, 200]);
  expect((await received(world)).map(({ signature_valid }) => signature_valid)).toEqual([false, true]);
});

it('an event on demand, and a redelivery, take the same slot for all of their attempts', async () => {
  const world = await stage(sandbox);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }, { status: 200 }] });
  const webhook = { signature: 'wrong_secret' };
  const { event } = await world.post<Control['EmitResult']>('/_sandbox/events', { type: 'otp.verified', webhook });
  await world.advance('1m');
  await world.post(`/_sandbox/events/${event.id}/redeliver`, { webhook: { body: 'truncate' } });
  await world.idle();
  await world.post(`/_sandbox/events/${event.id}/redeliver`);
  await world.idle();
  const requests = await received(world);
  expect(requests.map(({ signature_valid }) => signature_valid)).toEqual([false, false, true, true]);
  expect(requests.map((request) => 'json' in request)).toEqual([true, true, false, true]);
});
