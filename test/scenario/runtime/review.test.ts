import { expect, it } from 'vitest';
import type { ReviewSlot } from '../../../src/scenario/language/slots.js';
import type { Api, Control, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { frozen, hours, minutes, stage, startMs } from '../../support/scenes.js';

const { sandbox } = useSandbox({ clock: frozen });

async function submitted(review: ReviewSlot, when: 'template.review' | 'template.create' = 'template.review') {
  const world = await stage(sandbox, [{ id: 'owner', when, match: { name: 'promo_*' }, then: { review } }]);
  return { world, id: await world.template('promo_spring', {}, false) };
}

const lookup = (world: World, id: string) => world.get<Api['Template']>(`/v1/templates/${id}`);
const events = async (world: World) =>
  (await world.events('?type=template.status')).map(({ data, created_at }) => [
    (data as { status?: string }).status,
    Date.parse(created_at) - startMs,
  ]);

it.each(['template.review', 'template.create'] as const)(
  '%s: rejected with its reason after its time',
  async (when) => {
    const { world, id } = await submitted({ reject: true, after: '2h', reason: 'Reads like a prize.' }, when);
    await world.advance('7199999ms');
    expect(await lookup(world, id)).toMatchObject({ status: 'pending', rejection_reason: null });
    await world.advance('1ms');
    expect(await lookup(world, id)).toMatchObject({ status: 'rejected', rejection_reason: 'Reads like a prize.' });
    expect(await events(world)).toEqual([['rejected', hours(2)]]);
    const [template] = (await world.items<Control['Template']>('/_sandbox/templates')).filter((each) => each.id === id);
    expect(template?.explain).toMatchObject({ by: 'rule', id: 'owner' });
  },
);

it('approved, with an event that lags the decision', async () => {
  const { world, id } = await submitted({ approve: true, after: '20h', event_lag: '2h' });
  await world.advance('20h');
  expect(await lookup(world, id)).toMatchObject({ status: 'approved' });
  expect((await world.send('+12025550110', 'promo_spring')).status).toBe('accepted');
  await world.advance('119m');
  expect(await events(world)).toEqual([]);
  await world.advance('1m');
  expect(await events(world)).toEqual([['approved', hours(22)]]);
  const told = (await world.deliveries()).filter(({ event_type }) => event_type === 'template.status');
  expect(told).toMatchObject([{ state: 'delivered' }]);
});

it('paused, resumed and deleted later, counted from the decision; none of it fires an event', async () => {
  const later = [{ deleted: '3d' }, { paused: '10m' }, { approved: '1h' }];
  const { world, id } = await submitted({ approve: true, after: '1h', later });
  const states: string[] = [];
  for (const by of ['1h', '10m', '50m', '3d']) {
    await world.advance(by);
    states.push((await lookup(world, id)).status);
  }
  expect(states).toEqual(['approved', 'paused', 'approved', 'deleted']);
  expect(await events(world)).toEqual([['approved', hours(1)]]);
});

it('never decided, yet deleted later, counted from submission', async () => {
  const { world, id } = await submitted({ never: true, later: [{ deleted: '30d' }] });
  await world.advance('29d');
  expect((await lookup(world, id)).status).toBe('pending');
  await world.advance('1d');
  expect((await lookup(world, id)).status).toBe('deleted');
  expect(await events(world)).toEqual([]);
});

it('a review made by hand stands, and the planned one does not come any more', async () => {
  const { world, id } = await submitted({ reject: true, after: '2h' });
  await world.advance('5m');
  await world.post(`/_sandbox/templates/${id}/review`, { decision: 'approved' });
  await world.advance('1d');
  expect((await lookup(world, id)).status).toBe('approved');
  expect(await events(world)).toEqual([['approved', minutes(5)]]);
});

it('other templates are reviewed as ever', async () => {
  const { world } = await submitted({ never: true });
  const id = await world.template('order_late', {}, false);
  await world.advance('1s');
  expect((await lookup(world, id)).status).toBe('approved');
});

it.each(['template.review', 'template.create'] as const)(
  '%s: a submission that is refused has no review, and counts as none',
  async (when) => {
    const world = await stage(sandbox, [
      { id: 'down', when: 'template.create', pick: { first: 1 }, then: { respond: { status: 503 } } },
      { id: 'owner', when, pick: { first: 1 }, then: { review: { reject: true, after: '1m' } } },
    ]);
    const submit = async (name: string, body: string) => {
      const template = { name, category: 'utility', language: 'en', body };
      return (await world.call('POST', '/v1/templates', template)).status;
    };
    expect(await submit('promo_a', 'Hello')).toBe(503);
    expect(await submit('promo_a', 'A gap before {{2}}')).toBe(400);
    expect(await submit('promo_a', 'Hello')).toBe(200);
    expect(await submit('promo_a', 'Hello')).toBe(409);
    expect(await submit('promo_b', 'Hello')).toBe(200);
    await world.advance('1m');
    const templates = await world.items<Control['Template']>('/_sandbox/templates');
    expect(templates.filter(({ name }) => name.startsWith('promo_')).map(({ status }) => status)).toEqual([
      'rejected',
      'approved',
    ]);
  },
);
