import { describe, expect, it } from 'vitest';
import { channelErrors } from '../../../src/domain/channel-errors.js';
import type { Lifecycle } from '../../../src/scenario/language/lifecycles.js';
import type { Api } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, historyOf, latestMessage, ruleOf, stage, statusEvents, trySend } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: frozen });

const sending = (lifecycle: Lifecycle, seed = 1) =>
  stage(sandbox, [{ id: 'fate', when: 'message.send', then: { lifecycle } }], { seed });

it('offsets count from acceptance, each step fires its event at its instant', async () => {
  const world = await sending([{ sent: '1s' }, { delivered: '90s' }, { read: '1h30m' }]);
  const answer = await trySend<{ message_id: string }>(world, to);
  expect(ruleOf(answer)).toBe('fate');
  const lookup = () => world.get<Api['Message']>(`/v1/messages/${answer.body.message_id}`);
  expect((await lookup()).status).toBe('sent');
  await world.advance('89999ms');
  expect((await lookup()).status).toBe('sent');
  await world.advance('1ms');
  expect((await lookup()).status).toBe('delivered');
  await world.advance('2h');
  const message = await latestMessage(world, to);
  expect(historyOf(message)).toEqual([
    ['accepted', 0],
    ['sent', 1000],
    ['delivered', 90_000],
    ['read', 5_400_000],
  ]);
  expect(await statusEvents(world, to)).toEqual(historyOf(message).slice(1));
  expect(message.explain).toMatchObject({ by: 'rule', id: 'fate' });
});

describe('presets, by name', () => {
  it.each([
    ['happy', 'sent 0 delivered 300 read 1000', 'read'],
    ['unread', 'sent 0 delivered 300', 'delivered'],
    ['slow', 'sent 0 delivered 600000 read 660000', 'read'],
    ['next_day', 'sent 0 delivered 90000000', 'delivered'],
    ['delivered_only', 'delivered 300', 'delivered'],
    ['out_of_order', 'sent 0 read 1000 delivered 2000', 'read'],
    ['duplicate', 'sent 0 delivered 300 delivered 600 read 1000', 'read'],
    ['stuck', 'sent 0', 'sent'],
    ['silent', '', 'accepted'],
    ['blocked', 'sent 0 failed 3000', 'failed'],
    ['failed_after_delivery', 'sent 0 delivered 300 failed 10000', 'failed'],
  ])('%s: events %s, in the end %s', async (preset, events, status) => {
    const world = await sending(preset);
    await trySend(world, to);
    await world.advance('48h');
    expect((await statusEvents(world, to)).flat().join(' ')).toBe(events);
    const message = await latestMessage(world, to);
    expect(message.status).toBe(status);
    const climbed = historyOf(message).map(([state]) => state);
    expect(new Set(climbed).size).toBe(climbed.length);
  });
});

describe('a failure', () => {
  it.each(channelErrors.map(({ code, channelCode, message }) => [code, channelCode, message] as const))(
    '%s (%i) can be asked for by name and by number',
    async (code, channelCode, message) => {
      const byName = await sending([{ sent: '0s' }, { failed: '5s', error: code }]);
      const byNumber = await sending([{ failed: '5s', error: String(channelCode) }]);
      for (const world of [byName, byNumber]) {
        const { message_id: id } = await world.send(to, 'order_shipped');
        await world.advance('5s');
        const shown = await world.get<Api['Message']>(`/v1/messages/${id}`);
        expect(shown).toMatchObject({ status: 'failed', error: { code, message, channel_code: channelCode } });
        const event = (await world.events()).at(-1);
        expect(event?.data).toMatchObject({ status: 'failed', error: { channel_code: channelCode } });
      }
    },
  );
});

describe('orders that no channel should report', () => {
  it('fire their events, but the stored state never moves back', async () => {
    const world = await sending([{ read: '1s' }, { delivered: '2s' }, { sent: '3s' }, { failed: '4s' }]);
    await trySend(world, to);
    await world.advance('1m');
    expect((await statusEvents(world, to)).map(([status]) => status)).toEqual(['read', 'delivered', 'sent', 'failed']);
    const message = await latestMessage(world, to);
    expect(historyOf(message)).toEqual([
      ['accepted', 0],
      ['read', 1000],
    ]);
    expect(message).toMatchObject({ status: 'read', error: null });
  });

  it('are kept apart from reports that a manual one overtook: those are passed over', async () => {
    const world = await sending([{ sent: '1s' }, { delivered: '2s' }, { read: '3s' }]);
    const { message_id: id } = await world.send(to, 'order_shipped');
    await world.advance('1s');
    await world.post(`/_sandbox/messages/${id}/status`, { status: 'failed' });
    await world.advance('1m');
    expect((await statusEvents(world, to)).map(([status]) => status)).toEqual(['sent', 'failed']);
  });
});

it('ranges are drawn by the seed: the same for the same recipient, within their ends', async () => {
  const offsets: number[] = [];
  for (const seed of [1, 1, 2]) {
    const world = await sending([{ delivered: '2s..8s' }], seed);
    await trySend(world, to);
    await world.advance('1m');
    offsets.push((await statusEvents(world, to))[0]?.[1] ?? Number.NaN);
  }
  const [first, again, other] = offsets;
  expect(first).toBeGreaterThanOrEqual(2000);
  expect(first).toBeLessThanOrEqual(8000);
  expect([again, other === first]).toEqual([first, false]);
});
