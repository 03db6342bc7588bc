/** What began before a reset, a restore or a deletion changes nothing after it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import { machineTime, type SystemClock } from '../../src/time/system-clock.js';
import { newWorld, type World } from '../support/client.js';
import { holdingReceiver, receiver } from '../support/receivers.js';
import { useSandbox } from '../support/sandbox.js';
import { inFlight } from '../support/scenes.js';

/** The waits of the server that a test ends by hand: a delayed response is such a wait. */
const delayed: (() => void)[] = [];
const hostTime: SystemClock = {
  ...machineTime,
  setTimer: (ms, fn, options) => {
    if (ms !== 7_777) return machineTime.setTimer(ms, fn, options);
    delayed.push(fn);
    return () => undefined;
  },
};
const { sandbox, it } = useSandbox({}, { hostTime });
const interrupted = { status: 409, body: { error: { code: 'wait_interrupted' } } };

const enders: readonly (readonly [string, (world: World) => Promise<unknown>])[] = [
  ['a reset', (world) => world.post('/_sandbox/reset')],
  ['a reset that begins the ids anew', (world) => world.post('/_sandbox/reset', { ids: 'restart' })],
  ['a deletion', (world) => world.delete(`/_sandbox/accounts/${world.key}`)],
  ['a restore', (world) => world.post('/_sandbox/snapshots/start/restore')],
];

/** Everything that a call, an event or an attempt could have left. */
async function traces(world: World): Promise<number[]> {
  const lists = ['requests', 'messages', 'events', 'deliveries', 'templates', 'webhooks'];
  return Promise.all(lists.map(async (list) => (await world.items(`/_sandbox/${list}?limit=1000`)).length));
}
const nothing = [0, 0, 0, 0, 0, 0];

describe.each(enders)('%s', (_, end) => {
  it('outlives a call whose response is delayed', async ({ world }) => {
    await world.post('/_sandbox/snapshots', { name: 'start' });
    const late = world.call('GET', '/v1/templates', undefined, { 'x-sandbox-prefer': 'latency_real=7777ms' });
    while (delayed.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await end(world);
    for (const release of delayed.splice(0)) release();
    expect((await late).status).toBe(200);
    expect(await traces(world)).toEqual(nothing);
    const id = await world.template('order_shipped');
    expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ id });
  });

  it('outlives a call whose body is still on its way', async ({ world }) => {
    await world.post('/_sandbox/snapshots', { name: 'start' });
    const body = JSON.stringify({ name: 'order_shipped', category: 'utility', language: 'en', body: 'Left' });
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    const lines = ['Host: localhost', `Authorization: Bearer ${world.key}`, 'Content-Type: application/json'];
    socket.write(
      `POST /v1/templates HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
    );
    // Calls on another connection do not overtake it: they come after it has entered its account.
    for (let i = 0; i < 5; i += 1) await world.clock();
    await end(world);
    socket.write(body.slice(9));
    await once(socket, 'data');
    socket.destroy();
    expect(received).toMatch(/^HTTP\/1\.1 409 .*wait_interrupted/s);
    expect(await traces(world)).toEqual(nothing);
  });

  it('ends a wait for a match, of no other account', async ({ world }) => {
    await world.post('/_sandbox/snapshots', { name: 'start' });
    const other = newWorld(sandbox);
    const elsewhere = other.call('GET', '/_sandbox/wait?for=event&timeout=60s');
    const waiting = world.call('GET', '/_sandbox/wait?for=event&timeout=60s');
    for (let i = 0; i < 5; i += 1) await world.clock();
    await end(world);
    expect(await waiting).toMatchObject(interrupted);
    await other.inbound('+12025550110');
    expect((await elsewhere).status).toBe(200);
  });

  it('ends a wait for idleness', async ({ world }) => {
    await world.post('/_sandbox/snapshots', { name: 'start' });
    await inFlight(world);
    const waiting = world.call('POST', '/_sandbox/idle?timeout=60s');
    for (let i = 0; i < 5; i += 1) await world.clock();
    await end(world);
    expect(await waiting).toMatchObject(interrupted);
  });

  it('outlives attempts in flight and those behind them', async ({ world }) => {
    await world.post('/_sandbox/snapshots', { name: 'start' });
    const { app, release } = await holdingReceiver();
    await world.register(app.url(), ['message.received']);
    const first = app.nextRequest();
    for (let i = 0; i < 15; i += 1) await world.inbound('+12025550110');
    await first;
    await end(world);
    const sent = app.received.length;
    release();
    const next = await receiver();
    await world.register(next.url(), ['message.received']);
    await world.inbound('+12025550111');
    await world.idle();
    expect(next.received).toHaveLength(1);
    expect(app.received.length - sent).toBeLessThanOrEqual(10);
    expect(await traces(world)).toEqual([1, 0, 1, 1, 0, 1]);
  });
});
