import { expect } from 'vitest';
import { trimEvents } from '../../src/webhooks/events.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const { sandbox, it } = useSandbox({ clock: frozen });

it('the event log drops the oldest events with their deliveries and attempts, but none that is still owed', async ({
  world,
}) => {
  const { store } = sandbox.accounts.of(world.key);
  const { events, deliveries, attempts } = store.tables;
  const sizes = () => [events.size, deliveries.size, attempts.size];
  await world.register('https://sink.sandbox/app', ['message.received']);
  for (let i = 0; i < 5; i += 1) await world.inbound('+12025550199');
  await world.advance('1s');
  expect(sizes()).toEqual([5, 5, 5]);
  store.update(() => trimEvents(store, 3));
  expect(sizes()).toEqual([3, 3, 3]);
  store.update(() => {
    deliveries.patch(deliveries.all().at(0)!, { state: 'retrying' });
    trimEvents(store, 1);
  });
  expect(events.size).toBe(3);
});
