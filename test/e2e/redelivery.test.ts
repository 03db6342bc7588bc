import { describe, expect, it } from 'vitest';
import { maxAttemptsKept, maxCopies } from '../../src/domain/limits.js';
import type { Control } from '../support/client.js';
import { answering, at, useFrozenReceivers } from '../support/frozen-receivers.js';
import { receiver } from '../support/receivers.js';

const { newWorld, written } = useFrozenReceivers();

describe('redelivery', () => {
  it('of a retrying delivery makes its next attempt now and restarts the retry schedule', async () => {
    const { world } = await written(() => 500);
    await world.advance('10m');
    const [{ id } = { id: '' }] = await world.deliveries();
    expect(await world.post(`/_sandbox/deliveries/${id}/redeliver?settle=false`)).toMatchObject({
      id,
      state: 'pending',
      next_attempt_at: at(10),
    });
    await world.advance('36m');
    const { attempts } = await world.get<Control['Delivery']>(`/_sandbox/deliveries/${id}`);
    expect(attempts.map((attempt) => attempt.at)).toEqual([0, 1, 6, 10, 11, 16, 46].map(at));
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(attempts.flatMap(({ number, trigger }) => (trigger === 'redelivery' ? number : []))).toEqual([4]);
  });

  it('while an attempt is in flight makes one more, shown in order whichever is answered first, and one retry schedule goes on', async () => {
    const open: (() => void)[] = [];
    const app = await receiver((response) => open.push(() => response.writeHead(500).end()));
    const world = newWorld();
    await world.register(app.url(), ['message.received']);
    let arrived = app.nextRequest();
    await world.inbound('+12025550110');
    await arrived;
    const [{ id } = { id: '' }] = await world.deliveries();
    arrived = app.nextRequest();
    await world.post(`/_sandbox/deliveries/${id}/redeliver?settle=false`);
    await arrived;
    open[1]?.();
    await world.get('/_sandbox/wait?for=delivery&state=retrying');
    open[0]?.();
    await world.idle();
    const { attempts, next_attempt_at } = await world.get<Control['Delivery']>(`/_sandbox/deliveries/${id}`);
    expect(attempts.map(({ number, trigger }) => [number, trigger])).toEqual([
      [1, 'schedule'],
      [2, 'redelivery'],
    ]);
    expect(next_attempt_at).toBe(at(1));
    expect(app.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
    // The retry and the pause deadline; a second retry would be wrong.
    expect((await world.clock()).pending).toBe(2);
  });

  it('while a retry is in flight that then succeeds ends the failures, whatever comes of the redelivery', async () => {
    const open: (() => void)[] = [];
    const statuses = [500, 200, 500];
    const app = await receiver((response) => {
      const status = statuses[open.length] ?? 0;
      open.push(() => response.writeHead(status).end());
      if (open.length === 1) open[0]?.();
    });
    const world = newWorld();
    await world.register(app.url(), ['message.received']);
    await world.inbound('+12025550110');
    await world.idle();
    let arrived = app.nextRequest();
    const moving = world.advance('1m');
    await arrived;
    const [{ id } = { id: '' }] = await world.deliveries();
    arrived = app.nextRequest();
    await world.post(`/_sandbox/deliveries/${id}/redeliver?settle=false`);
    await arrived;
    for (const release of open.slice(1)) release();
    await moving;
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', next_attempt_at: null }]);
    expect(await world.items('/_sandbox/webhooks')).toMatchObject([{ failing_since: null }]);
    expect((await world.clock()).pending).toBe(0);
  });

  it('goes to every endpoint that is subscribed now, or to the one that is named', async () => {
    const [early, late, other] = [await answering(() => 200), await answering(() => 200), await answering(() => 200)];
    const world = newWorld();
    await world.register(early.url(), ['message.received']);
    const { event_id } = await world.inbound('+12025550110');
    await world.idle();
    await world.register(late.url(), ['message.received']);
    const { webhook_id } = await world.register(other.url(), ['otp.verified']);
    await world.post(`/_sandbox/events/${event_id}/redeliver?settle=false`);
    await world.idle();
    expect([early, late, other].map(({ received }) => received.length)).toEqual([2, 1, 0]);
    await world.post(`/_sandbox/events/${event_id}/redeliver?settle=false`, { webhook_id });
    await world.idle();
    expect([early, late, other].map(({ received }) => received.length)).toEqual([2, 1, 1]);
    expect(new Set([early, late, other].flatMap(({ received }) => received.map(({ body }) => body))).size).toBe(1);
  });

  it('of what does not exist is 404', async () => {
    const world = newWorld();
    for (const path of ['/_sandbox/events/evt_none/redeliver', '/_sandbox/deliveries/none/redeliver']) {
      expect(await world.call('POST', path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
    const { event_id } = await world.inbound('+12025550110');
    const unknown = await world.call('POST', `/_sandbox/events/${event_id}/redeliver?settle=false`, {
      webhook_id: 'none',
    });
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it('again and again keeps the latest attempts, and goes on counting', async () => {
    const world = newWorld();
    await world.register('https://sink.sandbox/often', ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('1s');
    const [{ id } = { id: '' }] = await world.deliveries();
    for (let n = 0; n < maxAttemptsKept + 1; n += 1) {
      await world.post(`/_sandbox/deliveries/${id}/redeliver?settle=false`);
      await world.post('/_sandbox/idle');
    }
    const { attempts } = await world.get<Control['Delivery']>(`/_sandbox/deliveries/${id}`);
    expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: maxAttemptsKept }, (_, n) => n + 3));
  });

  it('makes no more than so many copies of an event for one endpoint, and says so before it does anything', async () => {
    const world = newWorld();
    await world.register('https://sink.sandbox/copies', ['message.received']);
    await world.inbound('+12025550110');
    await world.advance('1s');
    const [{ id, event_id } = { id: '', event_id: '' }] = await world.deliveries();
    for (let n = 0; n * 10 + 1 < maxCopies; n += 1) {
      await world.post(`/_sandbox/deliveries/${id}/redeliver?settle=false`, { webhook: { duplicate: 10 } });
      await world.post('/_sandbox/idle');
    }
    for (const path of [`deliveries/${id}`, `events/${event_id}`]) {
      const answer = await world.call('POST', `/_sandbox/${path}/redeliver?settle=false`, {
        webhook: { duplicate: 1 },
      });
      expect(answer.status).toBe(429);
      expect(answer.body).toMatchObject({
        error: {
          code: 'limit_reached',
          message: expect.stringContaining(`101 deliveries of event ${event_id}`) as unknown,
        },
      });
    }
    expect(await world.get(`/_sandbox/deliveries/${id}`)).toMatchObject({ state: 'delivered' });
    expect(await world.post(`/_sandbox/deliveries/${id}/redeliver?settle=false`)).toMatchObject({ state: 'pending' });
  });
});
