import { describe, expect } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld, type Control } from '../support/client.js';
import { holdingReceiver, receiver } from '../support/receivers.js';
import { machineTime } from '../../src/time/system-clock.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { at, frozen, startMs } from '../support/scenes.js';

const { sandbox, it } = useSandbox({ clock: frozen });

/** An account whose receiver has its first event, and holds every response until `release`. */
async function hanging() {
  const { app, release } = await holdingReceiver();
  const world = newWorld(sandbox);
  await world.register(app.url());
  const arrived = app.nextRequest();
  await world.text();
  await arrived;
  return { world, release };
}

describe('API calls while an advance is under way', () => {
  it('from inside a receiver are served at the held instant, and what they cause there runs before time moves', async ({
    world,
  }) => {
    const answers: string[] = [];
    const app = await receiver((response, { body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { from?: string } };
      if (type !== 'message.received') {
        response.end();
        return;
      }
      void world
        .reply(data.from ?? '', 'thanks')
        .then((id) => answers.push(id))
        .then(() => response.end());
    });
    await world.register(app.url(), ['message.received', 'message.status']);
    // Magic number 70 writes back 30 s after the template reached it.
    await world.template('hello');
    await world.send('+12025550170', 'hello');
    const moved = await world.advance('45s');
    const inbound = await world.events('?type=message.received');
    expect(inbound.map(({ created_at }) => created_at)).toEqual([at(30_000)]);
    expect(answers).toHaveLength(1);
    const reply = await world.get<Control['Message']>(`/_sandbox/messages/${answers[0] ?? ''}`);
    expect(reply.history.map(({ at }) => at)).toEqual([30_000, 30_000, 30_300, 31_000].map(at));
    expect(moved.now).toBe(at(45_000));
  });

  it('are not blocked while it waits for a receiver that hangs, and a second advance is refused', async () => {
    const { world, release } = await hanging();
    const moving = world.advance('10m');
    // The advance cannot end before the receiver answers; the API can be used all the same, at the held instant.
    const id = await world.text('+12025550118', 'meanwhile');
    expect(await world.get(`/v1/messages/${id}`)).toMatchObject({ status: 'sent', created_at: at(0) });
    expect((await world.clock()).now).toBe(at(0));
    for (const [method, path, body] of [
      ['POST', '/_sandbox/clock/advance', { by: '1s' }],
      ['PUT', '/_sandbox/clock', { mode: 'real' }],
      ['PUT', '/_sandbox/clock', { now: at(60_000) }],
    ] as const) {
      expect(await world.call(method, path, body)).toMatchObject({
        status: 409,
        body: { error: { code: 'clock_advancing' } },
      });
    }
    const other = newWorld(sandbox);
    expect(await other.advance('1h')).toMatchObject({ now: at(3_600_000) });
    release();
    expect((await moving).now).toBe(at(600_000));
    expect((await world.deliveries()).every(({ state }) => state === 'delivered')).toBe(true);
    expect(await world.advance('1s')).toMatchObject({ now: at(601_000) });
  });

  it.each([
    ['PUT', '/_sandbox/clock', { now: at(600_000) }, 'reset'],
    ['PUT', '/_sandbox/clock', { now: at(600_000) }, 'dropped'],
    ['POST', '/_sandbox/clock/advance', { to: at(600_000) }, 'dropped'],
  ])('%s %s %j has not arrived when the account was %s', async (method, path, body, end) => {
    const { world, release } = await hanging();
    const moving = world.call(method, path, body);
    await world.clock();
    if (end === 'reset') await world.post('/_sandbox/reset');
    else await world.call('DELETE', `/_sandbox/accounts/${world.key}`);
    release();
    expect(await moving).toMatchObject({ status: 409, body: { error: { code: 'clock_interrupted' } } });
    expect(await world.clock()).toMatchObject({ now: at(0), pending: 0 });
    expect(await world.events()).toEqual([]);
  });

  it('is stopped by a call: the instant it has reached is finished, and it says what ran', async () => {
    const { world, release } = await hanging();
    const moving = world.call<Control['AdvanceResult']>('POST', '/_sandbox/clock/advance', { by: '10m' });
    await world.clock();
    expect(await world.delete<Control['Clock']>('/_sandbox/clock/advance')).toMatchObject({ now: at(0) });
    release();
    expect((await moving).body).toMatchObject({ stopped: true, now: at(0), deliveries: 1 });
    expect(await world.advance('10m')).toMatchObject({ now: at(600_000) });
    expect(await world.delete('/_sandbox/clock/advance')).toMatchObject({ now: at(600_000), mode: 'frozen' });
  });

  it('a clock that is set ahead and stopped on the way keeps its mode', async () => {
    const { world, release } = await hanging();
    const moving = world.call('PUT', '/_sandbox/clock', { now: at(600_000), mode: 'real' });
    await world.clock();
    await world.delete('/_sandbox/clock/advance');
    release();
    expect(await moving).toMatchObject({ status: 409, body: { error: { code: 'clock_interrupted' } } });
    expect(await world.clock()).toMatchObject({ now: at(0), mode: 'frozen' });
  });

  it('a snapshot is not restored under it', async () => {
    const { world, release } = await hanging();
    await world.post('/_sandbox/snapshots', { name: 'empty' });
    const moving = world.call<Control['AdvanceResult']>('POST', '/_sandbox/clock/advance', { by: '10m' });
    await world.clock();
    expect(await world.call('POST', '/_sandbox/snapshots/empty/restore')).toMatchObject({
      status: 409,
      body: { error: { code: 'clock_advancing' } },
    });
    release();
    await moving;
  });
});

it('a flowing clock is frozen at exactly the instant that the call names, however slow the machine is', async () => {
  let reads = 0;
  const hostTime = { ...machineTime, now: () => machineTime.now() + (reads += 1) };
  const slow = closing(await startTestSandbox({ clock: { mode: 'real', scale: 1, startMs } }, { hostTime }));
  const world = newWorld(slow);
  await world.inbound('+12025550110');
  const now = at(86_400_000);
  expect(await world.put('/_sandbox/clock', { mode: 'frozen', now })).toMatchObject({ mode: 'frozen', now });
  expect((await world.clock()).now).toBe(now);
});
