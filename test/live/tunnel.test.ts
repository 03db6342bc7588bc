/** Deliveries that go through a client's socket, whose response becomes the attempt's. */
import { describe, expect } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { closing } from '../support/closing.js';
import { sign } from '../../src/webhooks/sign.js';
import type { TunnelAsk, TunnelReady } from '../../src/live/tunnel.js';
import { newWorld, type Control, type World } from '../support/client.js';
import { ManualHost } from '../support/manual-host.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { frozen as clock } from '../support/scenes.js';
import { LiveSocket } from './support.js';

const frozen = { clock };
const { sandbox, it } = useSandbox(frozen);
const ownSandbox = async (...args: Parameters<typeof startTestSandbox>) => closing(await startTestSandbox(...args));

async function tunnel(
  world: World,
  more = '',
  at: Pick<Sandbox, 'url'> = sandbox,
): Promise<LiveSocket & { ready: TunnelReady }> {
  const live = await LiveSocket.open(at, `key=${world.key}&tunnel=1${more}`);
  closing(live);
  const { data } = await live.next('tunnel.ready');
  return Object.assign(live, { ready: data as unknown as TunnelReady });
}

const asked = async (live: LiveSocket): Promise<TunnelAsk> =>
  (await live.next('tunnel.request')).data as unknown as TunnelAsk;
/** Responds to the next request of the tunnel. */
async function respond(live: LiveSocket, response: object = { status: 200 }): Promise<TunnelAsk> {
  const ask = await asked(live);
  live.say({ id: ask.id, ...response });
  return ask;
}
const only = async (world: World): Promise<Control['Delivery']> => {
  await world.idle();
  expect(await world.deliveries()).toHaveLength(1);
  return world.firstDelivery();
};
const attemptOf = ({ attempts }: Control['Delivery']) => attempts.at(-1);
const webhooks = (world: World) => world.items<{ id: string; secret: string; url: string }>('/_sandbox/webhooks');

describe('a tunnel', () => {
  it('is an endpoint of the account for as long as its client is there', async ({ world }) => {
    const live = await tunnel(world, '&events=message.received,otp.verified');
    expect(live.ready).toEqual({
      webhook_id: expect.any(String) as string,
      url: `https://tunnel.sandbox/${live.ready.webhook_id}`,
      secret: expect.stringMatching(/^whsec_\w{32}$/) as string,
      events: ['message.received', 'otp.verified'],
      timeout_ms: 10_000,
    });
    const { webhook_id: id, url, secret, events } = live.ready;
    expect(await webhooks(world)).toMatchObject([{ id, url, secret, events, status: 'active' }]);
    expect(await world.get('/v1/webhooks')).toMatchObject({ webhooks: [{ id, url, events }] });
    await live.close();
    expect(await webhooks(world)).toEqual([]);
  });

  it('carries the signed bytes there and the answer back', async ({ world }) => {
    const live = await tunnel(world, '&secret=whsec_mine');
    const { event_id } = await world.inbound('+12025550110', { text: 'Grüße 👋 \u2028' });
    const ask = await asked(live);
    expect(ask).toMatchObject({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', host: 'tunnel.sandbox' },
    });
    expect(JSON.parse(ask.body)).toMatchObject({
      id: event_id,
      type: 'message.received',
      data: { text: 'Grüße 👋 \u2028' },
    });
    expect(ask.headers['X-Service-Signature']).toBe(sign('whsec_mine', ask.body));
    expect(ask.headers['content-length']).toBe(String(Buffer.byteLength(ask.body)));
    live.say({ id: ask.id, status: 201, headers: { 'X-App': 'mine' }, body: 'thanks' });
    const delivery = await only(world);
    expect(delivery).toMatchObject({ state: 'delivered', url: live.ready.url });
    expect(attemptOf(delivery)).toMatchObject({
      status: 201,
      sent_to: live.ready.url,
      request: { body: ask.body, headers: ask.headers },
      response: { headers: { 'x-app': 'mine' }, body: 'thanks' },
    });
  });

  it('takes several at a time, answered in any order, and is told nothing back', async ({ world }) => {
    const live = await tunnel(world);
    for (const text of ['one', 'two', 'three']) await world.inbound('+12025550110', { text });
    const asks = [await asked(live), await asked(live), await asked(live)];
    for (const { id, body } of asks.toReversed()) live.say({ id, status: body.includes('"text":"two"') ? 500 : 200 });
    await world.idle();
    const states = (await world.deliveries()).map(({ state, payload }) => [
      state,
      /"text":"(one|two|three)"/.exec(payload ?? '')?.[1],
    ]);
    expect(states).toEqual([
      ['delivered', 'one'],
      ['retrying', 'two'],
      ['delivered', 'three'],
    ]);
    expect(live.of('error')).toEqual([]);
  });

  it.each([
    [
      { status: 503, body: 'later' },
      { status: 503, error: 'non_2xx' },
    ],
    [
      { status: 302, headers: { location: '/there' } },
      { status: 302, error: 'redirect_not_followed' },
    ],
    [
      { error: { code: 'connection_refused', message: 'Nobody listens on port 3000.' } },
      { status: null, error: 'connection_refused', reason: 'Nobody listens on port 3000.' },
    ],
    [
      { error: { code: 'made_up', message: 'It rained.' } },
      { status: null, error: 'connection_failed', reason: 'The client could not pass the request on: It rained.' },
    ],
    [
      { status: 'ok' },
      { status: null, error: 'invalid_response', reason: expect.stringContaining('found {"status":"ok"') as string },
    ],
    [
      { status: 200, headers: { a: 1 } },
      { status: null, error: 'invalid_response' },
    ],
  ])('makes %j a failed attempt', async (answer, attempt) => {
    const world = newWorld(sandbox);
    const live = await tunnel(world);
    await world.inbound('+12025550110');
    await respond(live, answer);
    const delivery = await only(world);
    expect(delivery.state).toBe('retrying');
    expect(attemptOf(delivery)).toMatchObject(attempt);
  });

  it.each([
    ['no JSON', /No request waits for this response, which may be too late: no JSON\. Respond to/],
    ['[]', /too late: \[\]\./],
    ['{"id":"ask_9","status":200}', /too late: \{"id":"ask_9","status":200\}\./],
  ])('says what is wrong with %s, and goes on', async (text, message) => {
    const world = newWorld(sandbox);
    const live = await tunnel(world);
    live.say(text);
    expect((await live.next('error')).data['message']).toMatch(message);
    await world.inbound('+12025550110');
    await respond(live);
    expect((await only(world)).state).toBe('delivered');
  });

  it('is reached by no other account', async () => {
    const [mine, other] = [newWorld(sandbox), newWorld(sandbox)];
    const live = await tunnel(mine);
    await other.register(live.ready.url, ['message.received']);
    await other.inbound('+12025550110');
    const delivery = await only(other);
    expect(attemptOf(delivery)).toMatchObject({
      status: null,
      error: 'tunnel_closed',
      hint: expect.stringContaining('listen') as string,
    });
    expect(live.of('tunnel.request')).toEqual([]);
  });
});

describe('an answer that does not come', () => {
  it('fails the attempt after 10 s, and is no answer any more when it comes', async () => {
    const hostTime = new ManualHost();
    const own = await ownSandbox(frozen, { hostTime });
    const world = newWorld(own);
    const live = await tunnel(world, '', own);
    await world.inbound('+12025550110');
    const { id } = await asked(live);
    hostTime.tick(9_999);
    expect((await world.deliveries())[0]?.state).toBe('pending');
    hostTime.tick(1);
    const delivery = await only(world);
    expect(attemptOf(delivery)).toMatchObject({
      status: null,
      duration_ms: 10_000,
      error: 'timeout',
      reason: expect.stringContaining('client at the other end of the tunnel') as string,
    });
    live.say({ id, status: 200 });
    expect((await live.next('error')).data['message']).toContain(`too late: {"id":"${id}"`);
  });

  it('because the client went away drops the delivery, with the endpoint', async ({ world }) => {
    const live = await tunnel(world);
    await world.inbound('+12025550110');
    await asked(live);
    live.socket.terminate();
    expect((await only(world)).state).toBe('dropped');
    expect(await webhooks(world)).toEqual([]);
  });
});

describe('a listening client', () => {
  it('goes on listening when the account is reset or restored, at the same URL, with the same secret', async ({
    world,
  }) => {
    await world.post('/_sandbox/snapshots', { name: 'empty' });
    const live = await tunnel(world);
    for (const path of ['/_sandbox/reset', '/_sandbox/snapshots/empty/restore']) {
      await world.call('POST', path);
      const { webhook_id: id, secret } = live.ready;
      expect(await webhooks(world)).toMatchObject([{ id, secret, status: 'active' }]);
      await world.inbound('+12025550110');
      await respond(live);
      expect((await only(world)).state).toBe('delivered');
    }
    const second = await tunnel(world);
    expect(second.ready.webhook_id).not.toBe(live.ready.webhook_id);
    await world.post('/_sandbox/snapshots', { name: 'both' });
    await second.close();
    await world.call('POST', '/_sandbox/snapshots/both/restore');
    // A snapshot brings no tunnel back whose client is gone.
    expect((await webhooks(world)).map(({ id }) => id)).toEqual([live.ready.webhook_id]);
  });

  it('is sent away when its endpoint is removed', async ({ world }) => {
    const live = await tunnel(world);
    await world.call('DELETE', `/v1/webhooks/${live.ready.webhook_id}`);
    expect(await live.closed).toEqual({ code: 1000, reason: 'the endpoint was removed' });
  });

  it('shifts no id of the application', async () => {
    const [alone, watched] = [newWorld(await ownSandbox(frozen), 'same'), newWorld(await ownSandbox(frozen), 'same')];
    await tunnel(watched, '&events=otp.verified', watched);
    const ids = async (world: World) => [await world.text(), (await world.register('https://sink.sandbox/x')).secret];
    expect(await ids(watched)).toEqual(await ids(alone));
  });

  it('gets a moment to answer when the sandbox stops', async () => {
    const stopping = await ownSandbox(frozen);
    const world = newWorld(stopping);
    const [live, stream] = [await tunnel(world, '', stopping), await LiveSocket.open(stopping, `key=${world.key}`)];
    await world.inbound('+12025550110');
    const { id } = await asked(live);
    const closed = stopping.close();
    live.say({ id, status: 200 });
    expect((await stream.next('delivery.updated')).data['state']).toBe('delivered');
    await closed;
    expect((await live.closed).code).toBe(1001);
  });
});
