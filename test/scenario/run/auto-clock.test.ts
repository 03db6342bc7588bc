import { expect, it } from 'vitest';
import type { Api, Control, World } from '../../support/client.js';
import { useSandbox } from '../../support/sandbox.js';
import { at, hours, minutes, stage, startMs, statusEvents, trySend } from '../../support/scenes.js';

const to = '+12025550110';

const { sandbox } = useSandbox({ clock: { mode: 'auto', scale: 1, startMs } });

/** Answers as soon as it has happened; no call of the clock is needed. */
const until = (world: World, what: string) => world.get<Control['WaitResult']>(`/_sandbox/wait?timeout=10s&${what}`);

it('jumps to the next progress: lifecycles of days are over at once, at their own instants', async () => {
  const world = await stage(sandbox, [{ when: 'message.send', then: { lifecycle: 'next_day' } }]);
  await trySend(world, to);
  await until(world, 'for=event&type=message.status&count=2');
  expect(await statusEvents(world, to)).toEqual([
    ['sent', 0],
    ['delivered', hours(25)],
  ]);
  expect(await world.clock()).toMatchObject({ mode: 'auto', now: at(hours(25)) });
  await until(world, 'for=delivery&state=delivered&count=2');
});

it('reviews and answers of customers are progress too', async () => {
  const world = await stage(sandbox, [
    {
      when: 'template.review',
      then: { review: { status: 'approved', after: '20h' } },
    },
    { when: 'message.send', then: { inbound: { after: '90s', text: 'OK' } } },
  ]);
  const id = await world.template('mine', {}, false);
  await until(world, 'for=event&type=template.status');
  await world.idle();
  expect(await world.get<Api['Template']>(`/v1/templates/${id}`)).toMatchObject({ status: 'approved' });
  expect((await world.clock()).now).toBe(at(hours(20)));
  await trySend(world, to);
  await until(world, 'for=event&type=message.received');
  expect((await world.clock()).now).toBe(at(hours(20) + 90_000));
});

it('deadlines never pull: the expiry of a code and the end of a window', async () => {
  // The ticks of the code's message would be progress.
  const world = await stage(sandbox, [{ when: 'otp.send', then: { lifecycle: [{ sent: '0s' }] } }]);
  await world.post('/v1/otp/send', { to });
  await world.inbound(to);
  await until(world, 'for=delivery&state=delivered');
  await world.idle();
  expect(await world.clock()).toMatchObject({ now: at(0) });
  expect((await world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' })).status).toBe(200);
  expect((await world.items<Control['Otp']>('/_sandbox/otps'))[0]?.state).toBe('active');
});

it('retries pull: what a receiver turned down arrives without a call of the clock', async () => {
  const world = await stage(sandbox, []);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 2 }, { status: 200 }] });
  await world.inbound(to);
  await until(world, 'for=delivery&state=delivered');
  expect(await world.clock()).toMatchObject({ now: at(minutes(6)) });
});

it('the steps of a timeline pull', async () => {
  const timeline = [
    { at: '+5m', inbound: { phone: to, text: 'Hello?' } },
    { at: '+6h', inbound: { phone: to, text: 'Still there?' } },
  ];
  const world = await stage(sandbox, [], { timeline });
  await until(world, 'for=event&type=message.received&count=2');
  expect(await world.clock()).toMatchObject({ now: at(hours(6)) });
});

it('what lies before the next progress happens on the way, retries included', async () => {
  const lifecycle = [{ sent: '0s' }, { delivered: '10m' }];
  const world = await stage(sandbox, [{ when: 'message.send', then: { lifecycle } }]);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }, { status: 200 }] });
  await trySend(world, to);
  await until(world, 'for=delivery&state=delivered&count=2');
  const requests = await world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');
  expect(requests.map(({ at: when, answered }) => [when, answered])).toEqual([
    [at(0), 500],
    [at(minutes(1)), 200],
    [at(minutes(10)), 200],
  ]);
});

it('a scenario sets its start', async () => {
  const world = await stage(sandbox, [], { clock: '2030-01-01T00:00:00Z' });
  await trySend(world, to);
  await until(world, 'for=event&type=message.status&count=3');
  expect((await world.clock()).now).toBe('2030-01-01T00:00:01.000Z');
});
