/** The live stream: every change, in order, resumed without a gap. */
import { describe, expect } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld, type World } from '../support/client.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';
import { LiveSocket, type Told } from './support.js';

const { sandbox, it } = useSandbox({ clock: frozen });
async function watch(world: World, more = ''): Promise<LiveSocket> {
  const live = await LiveSocket.open(sandbox, `key=${world.key}${more}`);
  closing(live);
  return live;
}

/** Makes a change that is told last, and waits until it was: everything before it has been told by then. */
async function settled(world: World, live: LiveSocket): Promise<void> {
  const { event_id: id } = await world.inbound('+12025550199', { text: 'settle' });
  await live.next('event.created', ({ data }) => data['id'] === id);
}

const seqs = (told: readonly Told[]): number[] => told.map(({ seq }) => seq ?? NaN);
const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);
const placeOf = ({ kind, seq }: Told): string => `${kind} ${String(seq)}`;
const createdIn = (told: readonly Told[]): Told[] => told.filter(({ kind }) => /\.(?:created|received)$/.test(kind));

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
    const deliveries = await world.deliveries();
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
      calls.map((call) => [call.id, call.request]),
    );
    expect(live.of('sink.received')).toHaveLength(3);
  });

  it('stands in the order of the one sequence, so that any of its numbers is a cursor', async ({ world }) => {
    await world.register('https://sink.sandbox/app');
    await world.template('news');
    const live = await watch(world);
    await world.send(['+12025550110', '+12025550111', '+12025550120'], 'news');
    await world.advance('1h');
    await settled(world, live);
    expect(live.frames.length).toBeGreaterThan(30);
    expect(seqs(live.frames)).toEqual(ascending(seqs(live.frames)));
    const created = createdIn(live.frames);
    expect(new Set(created.map(placeOf)).size).toBe(created.length);
    for (const { seq, kind, data } of created) expect({ kind, seq }).toEqual({ kind, seq: data['seq'] });
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
      .filter((kind) => !/^(?:request\.created|customer|event|clock)/.test(kind));
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

  it('is a scenario in the place of another once, and that none is active only when none is', async ({ world }) => {
    const live = await watch(world);
    for (const name of ['first', 'second']) await world.put('/_sandbox/scenario', { version: 1, name });
    await world.call('DELETE', '/_sandbox/scenario');
    await settled(world, live);
    expect(live.of('scenario.changed').map(({ data }) => data['name'])).toEqual(['first', 'second', null]);
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

describe('resuming', () => {
  it('goes on behind the last number: nothing missed, nothing twice', async ({ world }) => {
    const before = await watch(world);
    await world.text('+12025550110');
    await settled(world, before);
    await before.close();
    await world.text('+12025550111', 'while away');
    await world.advance('1m');
    const after = await watch(world, `&after=${String(before.frames.at(-1)?.seq)}`);
    await settled(world, after);

    const whole = await watch(world, '&after=0');
    await settled(world, whole);
    const ids = createdIn([...before.frames, ...after.frames]).map(placeOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(createdIn(whole.frames).map(placeOf).slice(0, ids.length));
    expect(seqs(after.frames)).toEqual(ascending(seqs(after.frames)));
    expect(after.of('message.created')[0]).toMatchObject({ data: { text: 'while away', status: 'read' } });
  });

  it('shows each record of a long past once, in order, whatever goes on meanwhile', async ({ world }) => {
    await world.template('news');
    const many = (lot: number) =>
      Array.from({ length: 100 }, (_, n) => `+49151${lot}0000${String(n).padStart(2, '0')}`);
    for (const lot of [1, 2, 3]) await world.send(many(lot), 'news');
    const live = await watch(world, '&after=0');
    // The replay is under way: what happens now must neither overtake it nor be lost.
    await Promise.all([world.advance('1h'), world.inbound('+12025550110', { text: 'meanwhile' })]);
    await settled(world, live);
    const created = live.of('message.created');
    expect(seqs(created)).toEqual(ascending(seqs(created)));
    expect(new Set(seqs(created)).size).toBe(created.length);
    expect(created).toHaveLength(302);
    expect(seqs(live.frames)).toEqual(ascending(seqs(live.frames)));
    const latest = new Map(
      live.of('message.created', 'message.status').map(({ data }) => [data['id'], data['status']]),
    );
    for (const { id, status } of await world.items<{ id: string; status: string }>('/_sandbox/messages?limit=200')) {
      expect(latest.get(id)).toBe(status);
    }
  });

  it('tells of changes of older records that were made in the meantime, and of those alone', async ({ world }) => {
    const { webhook_id: paused } = await world.register('https://sink.sandbox/paused');
    const { webhook_id: removed } = await world.register('https://sink.sandbox/removed');
    const before = await watch(world);
    await world.put(`/_sandbox/webhooks/${paused}`, { status: 'paused' });
    const { seq } = await before.next('webhook.updated');
    await before.close();

    const quiet = await watch(world, `&after=${String(seq)}`);
    await settled(world, quiet);
    expect(quiet.of('webhook.updated')).toEqual([]);
    const last = quiet.frames.at(-1)?.seq;
    await quiet.close();

    await world.put(`/_sandbox/webhooks/${paused}`, { status: 'active' });
    await world.call('DELETE', `/v1/webhooks/${removed}`);
    const after = await watch(world, `&after=${String(last)}`);
    await settled(world, after);
    expect(after.frames.slice(0, 2)).toMatchObject([
      { seq: last, kind: 'webhook.updated', data: { id: paused, status: 'active' } },
      { seq: last, kind: 'webhook.deleted', data: { id: removed } },
    ]);
  });

  it('begins anew, and says so, when the number is of another life', async ({ world }) => {
    await world.inbound('+12025550110', { text: 'first' });
    const live = await watch(world, '&after=100000');
    await settled(world, live);
    expect(live.frames[0]).toMatchObject({
      seq: 0,
      kind: 'reset',
      data: { reason: expect.stringContaining('100000') as string },
    });
    expect(live.of('message.created')[0]).toMatchObject({ data: { text: 'first' } });
  });
});

describe('starting over', () => {
  it('a reset is told to who is there and to who comes back, with what is void', async ({ world }) => {
    await world.template('kept');
    await world.text();
    const away = await watch(world);
    await settled(world, away);
    const last = String(away.frames.at(-1)?.seq);
    await away.close();
    const live = await watch(world);
    await world.call('POST', '/_sandbox/reset', { keep: ['templates'] });
    const told = await live.next('reset');
    expect(told.data['cleared']).toEqual(expect.arrayContaining(['messages', 'events', 'webhooks', 'requests']));
    expect(told.data['cleared']).not.toContain('templates');
    await settled(world, live);

    const back = await watch(world, `&after=${last}`);
    await settled(world, back);
    expect(back.frames[0]).toMatchObject({ kind: 'reset', data: told.data });
    expect(back.of('template.created')).toEqual([]);
    expect(back.of('message.created').map(({ data }) => data['text'])).toEqual(['settle', 'settle']);
  });

  it('a restored snapshot is shown whole', async ({ world }) => {
    await world.inbound('+12025550110', { text: 'in the snapshot' });
    await world.post('/_sandbox/snapshots', { name: 's' });
    const live = await watch(world);
    await world.inbound('+12025550110', { text: 'later' });
    await live.next('event.created');
    const away = live.frames.at(-1)?.seq;
    await world.call('POST', '/_sandbox/snapshots/s/restore');
    await live.next('reset', ({ data }) => data['restored'] === true);
    const again = await live.next('message.created');
    expect(again.data['text']).toBe('in the snapshot');
    await settled(world, live);
    const back = await watch(world, `&after=${String(away)}`);
    await settled(world, back);
    expect(back.frames[0]).toMatchObject({ kind: 'reset', data: { restored: true } });
    expect(back.of('message.created').map(({ data }) => data['text'])).toEqual(['in the snapshot', 'settle', 'settle']);
  });

  it('a dropped account sends its watchers away, to the account that takes its place', async ({ world }) => {
    await world.inbound('+12025550110');
    const live = await watch(world);
    await world.call('DELETE', `/_sandbox/accounts/${world.key}`);
    expect(await live.closed).toEqual({ code: 1001, reason: 'the account was deleted' });
  });
});

it('the sandbox stops at once with sockets open, and says goodbye', async () => {
  const own = await startTestSandbox();
  const live = await LiveSocket.open(own, 'key=k');
  await own.close();
  expect(await live.closed).toEqual({ code: 1001, reason: 'the sandbox stops' });
});
