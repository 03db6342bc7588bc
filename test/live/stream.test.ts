/** The live stream: every change, in order, from the first frame on. */
import { describe, expect } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld, type Control, type World } from '../support/client.js';
import { ManualHost } from '../support/manual-host.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';
import { LiveSocket } from './support.js';

const { sandbox, it } = useSandbox({ clock: frozen });
async function watch(world: World): Promise<LiveSocket> {
  const live = await LiveSocket.open(sandbox, `key=${world.key}`);
  closing(live);
  return live;
}

/** Makes a change that is told last, and waits until it was: everything before it has been told by then. */
async function settled(world: World, live: LiveSocket): Promise<void> {
  const { event_id: id } = await world.inbound('+12025550199', { text: 'settle' });
  await live.next('event.created', ({ data }) => data['id'] === id);
}

describe('what is told', () => {
  it('is a message from acceptance to read, with its events and deliveries, each as the control plane shows it', async ({
    world,
  }) => {
    await world.register('https://sink.sandbox/app');
    const live = await watch(world);
    const id = await world.text();
    await world.advance('1m');
    const minuteLater = '2026-03-01T09:01:00.000Z';
    const told = await live.next('clock.changed', ({ data }) => data['now'] === minuteLater);
    expect(told).toMatchObject({ at: minuteLater, data: { mode: 'frozen', pending: 0, next_due: null } });

    const states = live.of('message.created', 'message.status').map(({ data, at }) => [data['status'], at]);
    expect(states).toEqual([
      ['accepted', '2026-03-01T09:00:00.000Z'],
      ['sent', '2026-03-01T09:00:00.000Z'],
      ['delivered', expect.any(String)],
      ['read', expect.any(String)],
    ]);
    expect(live.of('message.status').at(-1)?.data).toEqual(await world.get(`/_sandbox/messages/${id}`));
    expect(live.of('event.created').map(({ data }) => data)).toEqual(await world.events());
    const deliveries = await Promise.all(
      (await world.deliveries()).map(({ id: each }) => world.get<Control['Delivery']>(`/_sandbox/deliveries/${each}`)),
    );
    const last = new Map(live.of('delivery.updated').map(({ data }) => [data['id'], data]));
    expect([...last.values()]).toEqual(deliveries);
    expect(deliveries).toHaveLength(3);
    expect(live.of('attempt.created').map(({ data }) => [data['delivery_id'], data['number'], data['status']])).toEqual(
      deliveries.map((delivery) => [delivery.id, 1, 200]),
    );
    const calls = await world.items<{ operation: string; id: string; request: object }>(
      '/_sandbox/requests?operation=sendMessage',
    );
    expect(live.of('request.created').map(({ data }) => [data['id'], data['request']])).toEqual(
      await Promise.all(
        calls.map(async ({ id: call }) => [
          call,
          (await world.get<{ request: object }>(`/_sandbox/requests/${call}`)).request,
        ]),
      ),
    );
    expect(live.of('sink.received')).toHaveLength(3);
  });

  it('has numbers that never fall, and each record once for each write', async ({ world }) => {
    await world.register('https://sink.sandbox/app');
    await world.template('news');
    const live = await watch(world);
    await world.send(['+12025550110', '+12025550111', '+12025550120'], 'news');
    await world.advance('1h');
    await settled(world, live);
    expect(live.frames.length).toBeGreaterThan(30);
    const seqs = live.frames.map(({ seq }) => seq ?? NaN);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    const created = live.frames.filter(({ kind }) => /\.(?:created|received)$/.test(kind));
    expect(new Set(created.map(({ kind, data }) => `${kind} ${String(data['id'] ?? data['seq'])}`)).size).toBe(
      created.length,
    );
  });

  it('names what happened', async ({ world }) => {
    const live = await watch(world);
    const template = await world.template('code', { category: 'authentication', body: undefined });
    const { otp_id } = await world.post<{ otp_id: string }>('/v1/otp/send', { to: '+12025550110' });
    await world.post('/v1/otp/verify', { otp_id, code: 'none' });
    const hook = await world.register('https://sink.sandbox/x');
    await world.put(`/_sandbox/webhooks/${hook.webhook_id}`, { status: 'paused' });
    await world.call('DELETE', `/v1/webhooks/${hook.webhook_id}`);
    await world.put('/_sandbox/customers/+12025550110/window', { open: true });
    await world.put('/_sandbox/customers/+12025550110/window', { open: false });
    await world.put('/_sandbox/scenario', { version: 1, name: 'plain' });
    await world.call('DELETE', '/_sandbox/scenario');
    const when = { when: 'template.get', then: { respond: { status: 503 } } };
    const { id: rule } = await world.post<{ id: string }>('/_sandbox/rules', when);
    await world.call('GET', `/v1/templates/${template}`);
    await world.call('DELETE', `/_sandbox/rules/${rule}`);
    await world.call('DELETE', '/_sandbox/requests');
    await live.next('request.cleared');
    const kinds = live.frames
      .map(({ kind }) => kind)
      .filter((kind) => !/^(?:reset|request\.created|customer|event|clock)/.test(kind));
    expect(kinds.filter((kind, index) => kind !== kinds[index - 1])).toEqual([
      'template.created',
      'template.status',
      'message.created',
      'otp.created',
      'message.status',
      'otp.updated',
      'webhook.created',
      'webhook.updated',
      'webhook.deleted',
      'scenario.changed',
      'rule.created',
      'rule.hit',
      'rule.deleted',
      'request.cleared',
    ]);
    const windows = live
      .of('customer.created', 'customer.updated')
      .filter(({ data }) => data['phone'] === '+12025550110');
    expect(windows.map(({ data }) => (data['window'] as { open: boolean }).open)).toEqual([false, true, false]);
    expect(live.of('scenario.changed').map(({ data }) => data['name'])).toEqual(['plain', null]);
    expect(live.of('rule.hit')[0]?.data).toMatchObject({ id: rule, hits: 1 });
  });

  it('is the own account alone', async () => {
    const [mine, other] = [newWorld(sandbox), newWorld(sandbox)];
    const live = await watch(mine);
    await other.inbound('+12025550110', { text: 'not yours' });
    await settled(mine, live);
    expect(JSON.stringify(live.frames)).not.toContain('not yours');
  });

  it('is the account of the Bearer key, or the default one', async () => {
    const byHeader = await LiveSocket.open(sandbox, '', { headers: { authorization: 'Bearer by-header' } });
    const byDefault = await LiveSocket.open(sandbox, '');
    closing(byHeader);
    closing(byDefault);
    await settled(newWorld(sandbox, 'by-header'), byHeader);
    await settled(newWorld(sandbox, 'test_default'), byDefault);
    expect(byHeader.of('message.created')).toHaveLength(1);
    expect(byDefault.of('message.created')).toHaveLength(1);
  });

  it('is nothing that the client says', async () => {
    const live = await watch(newWorld(sandbox));
    live.say('{"id":"ask_1","status":200}');
    expect((await live.next('error')).data).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('tunnel=1') as string,
    });
  });
});

describe('reading again', () => {
  it('is what the first frame says; what happens while nobody is there is not repeated', async ({ world }) => {
    await world.inbound('+12025550110', { text: 'before' });
    const { seq } = (await world.items<{ seq: number }>('/_sandbox/events'))[0]!;
    const live = await watch(world);
    expect(await live.next('reset')).toMatchObject({ data: { reason: 'connected' } });
    expect(live.frames[0]?.seq).toBeGreaterThanOrEqual(seq);
    await settled(world, live);
    expect(live.of('message.created').map(({ data }) => data['text'])).toEqual(['settle']);
  });

  it('follows a reset and a restored snapshot, after which changes go on', async ({ world }) => {
    await world.post('/_sandbox/snapshots', { name: 's' });
    const live = await watch(world);
    await world.call('POST', '/_sandbox/reset', {});
    await live.next('reset', ({ data }) => data['reason'] === 'reset');
    await world.call('POST', '/_sandbox/snapshots/s/restore');
    await live.next('reset', ({ data }) => data['reason'] === 'restored');
    await settled(world, live);
  });
});

describe('the end of a connection', () => {
  it('a dropped account sends its watchers away, to the account that takes its place', async ({ world }) => {
    await world.inbound('+12025550110');
    const live = await watch(world);
    await world.call('DELETE', `/_sandbox/accounts/${world.key}`);
    expect(await live.closed).toEqual({ code: 1001, reason: 'the account was deleted' });
  });

  it('is said at once when the sandbox stops', async () => {
    const own = await startTestSandbox();
    const live = await LiveSocket.open(own, 'key=k');
    await own.close();
    expect(await live.closed).toEqual({ code: 1001, reason: 'the sandbox stops' });
  });
});

it('counts changes for a client that asks for a summary, and sends the rest at once', async () => {
  const hostTime = new ManualHost();
  const own = closing(await startTestSandbox({ clock: frozen }, { hostTime }));
  const world = newWorld(own);
  const live = closing(await LiveSocket.open(own, `key=${world.key}&summary=1`));
  await live.next('reset');
  for (const text of ['one', 'two']) await world.inbound('+12025550110', { text });
  hostTime.tick(30);
  expect(await live.next('changes')).toMatchObject({
    at: '2026-03-01T09:00:00.000Z',
    data: { 'message.created': 2, 'customer.created': 1, 'event.created': 2 },
  });
  await world.inbound('+12025550110', { text: 'three' });
  await world.call('DELETE', '/_sandbox/requests');
  await live.next('request.cleared');
  hostTime.tick(249);
  await world.inbound('+12025550110', { text: 'four' });
  expect(live.of('changes')).toHaveLength(1);
  hostTime.tick(1);
  expect((await live.next('changes')).data).toMatchObject({ 'message.created': 2 });
});
