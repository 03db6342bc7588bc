import { expect } from 'vitest';
import { maxDeliveries } from '../../src/domain/limits.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';
import type { Control } from '../support/client.js';

const { sandbox, it } = useSandbox({ clock: frozen });

it('an account keeps 20,000 settled deliveries with their events and attempts, and every one with an attempt to come', async ({
  world,
}) => {
  await world.register('https://sink.sandbox/app', ['message.received']);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }, { status: 200 }] });
  // The first is retried, the second is delivered.
  for (let n = 0; n < 2; n += 1) {
    await world.inbound('+12025550110');
    await world.idle();
  }
  const { store } = sandbox.accounts.of(world.key);
  const { deliveries, events, attempts } = store.tables;
  const [retried, delivered] = deliveries.all();
  const sample = delivered && events.get(delivered.eventId);
  if (!retried || !delivered || !sample) throw new Error('two deliveries are missing');
  store.update(() => {
    for (let n = 1; n < maxDeliveries; n += 1) {
      const eventId = `evt_${n}`;
      events.insert({ ...sample, id: eventId, seq: store.nextSeq() });
      deliveries.insert({ ...delivered, id: `delivery-${n}`, seq: store.nextSeq(), eventId });
    }
  });
  const page = () => world.get<Control['DeliveryList']>('/_sandbox/deliveries?limit=3');
  expect((await page()).items.map(({ id }) => id)).toEqual([retried.id, delivered.id, 'delivery-1']);
  // The next event finds one settled delivery too many.
  for (let n = 0; n < 2; n += 1) {
    await world.inbound('+12025550110');
    await world.idle();
  }
  expect(await page()).toMatchObject({
    trimmed: 1,
    items: [{ id: retried.id }, { id: 'delivery-1' }, { id: 'delivery-2' }],
  });
  expect(events.get(sample.id)).toBeUndefined();
  expect(attempts.list('delivery', delivered.id)).toEqual([]);
  expect(attempts.list('delivery', retried.id)).toHaveLength(1);
  expect(deliveries.size).toBe(maxDeliveries + 2);
});
