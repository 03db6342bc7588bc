/** How the time of a run follows what the application does. */
import { expect } from 'vitest';
import { Activity } from '../../src/runner/activity.js';
import { flow, freeze } from '../../src/runner/flow.js';
import type { Sender } from '../../src/webhooks/send.js';
import { receiver } from '../support/receivers.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen, play } from '../support/scenes.js';

const activity = new Activity();
const idleMs: number[] = [];
const noting = (sender: Sender): Sender => ({
  send: (request) => {
    idleMs.push(activity.idleMs);
    return sender.send(request);
  },
  close: () => sender.close(),
});
const { sandbox, it } = useSandbox({ clock: frozen }, { observer: { sender: noting } });

it('does not take the wait before a jump for a pause of the application that reacts to it', async ({ world }) => {
  const over = new AbortController();
  const app = await receiver((response) => {
    over.abort();
    response.end();
  });
  await world.register(app.url(), ['message.received']);
  await play(world, { timeline: [{ at: '+1h', inbound: { phone: '+12025550110', text: 'Hello?' } }] });
  const account = sandbox.accounts.of(world.key);
  freeze(account);
  const parts = { account, activity, signal: over.signal, pace: 'flow', toTheEnd: true } as const;
  await flow({ ...parts, awaitsState: () => false });
  expect(Math.max(...idleMs)).toBeLessThan(activity.patienceMs);
});
