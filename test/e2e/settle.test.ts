/** On a frozen clock a control call that makes events answers when they have been delivered. */
import { describe, expect } from 'vitest';
import { newWorld, type Control, type World } from '../support/client.js';
import { receiver } from '../support/receivers.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const to = '+12025550110';

const { sandbox, it } = useSandbox({ clock: frozen });
const all = ['message.received', 'message.status', 'template.status', 'otp.verified'];
type Calls = Record<string, (world: World, more?: object) => Promise<unknown>>;

const calls: Calls = {
  inbound: (world, more) => world.inbound(to, { settle: true, ...more }),
  emit: (world, more) => world.post('/_sandbox/events', { type: 'otp.verified', ...more }),
  review: async (world, more) => {
    const id = await world.template('a', {}, false);
    await world.post(`/_sandbox/templates/${id}/review`, { decision: 'approved', ...more });
  },
  status: async (world, more) => {
    const id = await world.text();
    await world.idle();
    await world.post(`/_sandbox/messages/${id}/status`, { status: 'read', ...more });
  },
};

describe.each(Object.entries(calls))('%s', (_name, call) => {
  it('answers when its event has been delivered', async () => {
    const app = await receiver();
    const world = newWorld(sandbox);
    await world.register(app.url(), all);
    await call(world);
    const deliveries = await world.deliveries();
    expect(deliveries.length).toBeGreaterThan(0);
    expect(deliveries.map(({ state }) => state)).toEqual(deliveries.map(() => 'delivered'));
  });

  it('answers at once with settle: false', async () => {
    let hold: (release: () => void) => void = () => undefined;
    const held = new Promise<() => void>((resolve) => (hold = resolve));
    const app = await receiver((response, { body }) => {
      if ((JSON.parse(body) as { data: { status?: string } }).data.status === 'sent') response.end();
      else hold(() => response.end());
    });
    const world = newWorld(sandbox);
    await world.register(app.url(), all);
    await call(world, { settle: false });
    expect((await world.deliveries()).at(-1)?.state).toBe('pending');
    const idle = world.idle();
    (await held)();
    await idle;
  });
});

it('a redelivery shows its attempt, and ?settle=false does not wait for it', async () => {
  const app = await receiver();
  const world = newWorld(sandbox);
  await world.register(app.url(), all);
  await world.inbound(to, { settle: true });
  const [delivery] = await world.deliveries();
  const again = await world.post<Control['Delivery']>(`/_sandbox/deliveries/${delivery?.id ?? ''}/redeliver`);
  expect(again.attempts).toHaveLength(2);
  const path = `/_sandbox/events/${delivery?.event_id ?? ''}/redeliver`;
  const more = await world.post<Control['EmitResult']>(path);
  expect(more.deliveries[0]?.attempts).toHaveLength(3);
  const soon = await world.post<Control['EmitResult']>(`${path}?settle=false`);
  expect(soon.deliveries[0]?.attempts).toHaveLength(3);
  await world.idle();
});

it('a receiver may write back from inside its handler: the call does not wait for the attempt that it is part of', async ({
  world,
}) => {
  const app = await receiver((response, { body }) => {
    const { data } = JSON.parse(body) as { data: { text?: string } };
    if (data.text !== 'first') response.end();
    else void world.inbound(to, { text: 'second', settle: true }).then(() => response.end());
  });
  await world.register(app.url(), ['message.received']);
  await world.inbound(to, { text: 'first', settle: true });
  expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
});
