import { describe, expect } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld, World, type Control } from '../support/client.js';
import { lists, lived, sizes } from '../support/lived.js';
import { startTestSandbox, useCheckedSandbox } from '../support/sandbox.js';
import { at, frozen, inFlight } from '../support/scenes.js';

const to = '+12025550110';

const { sandbox, it } = useCheckedSandbox({ clock: frozen });
const reset = (world: World, keep?: string[]) =>
  world.call('POST', '/_sandbox/reset', keep === undefined ? undefined : { keep });

describe('a reset', () => {
  it('drops everything, puts the clock back, and cancels what lay ahead', async ({ world }) => {
    await lived(world);
    expect(await reset(world)).toMatchObject({ status: 204, body: '' });
    expect(await sizes(world)).toEqual(Object.fromEntries(lists.map((name) => [name, 0])));
    expect(await world.clock()).toEqual({ now: at(0), mode: 'frozen', scale: 1, pending: 0, next_due: null });
    expect(await world.items('/_sandbox/sink/app/received')).toEqual([]);
    await world.advance('48h');
    expect(await world.items('/_sandbox/sink/app/received')).toEqual([]);
    expect(await world.events()).toEqual([]);
  });

  it.each([
    [['templates'], { templates: 2, webhooks: 0 }],
    [['webhooks'], { templates: 0, webhooks: 1 }],
    [['templates', 'webhooks'], { templates: 2, webhooks: 1 }],
    [[], { templates: 0, webhooks: 0 }],
  ])('keeps %j', async (keep, kept) => {
    const world = newWorld(sandbox);
    const { template, webhook_id, secret } = await lived(world);
    await reset(world, keep);
    expect(await sizes(world)).toEqual({ ...Object.fromEntries(lists.map((name) => [name, 0])), ...kept });
    if (keep.includes('templates')) {
      expect(await world.get(`/v1/templates/${template}`)).toMatchObject({ id: template, status: 'approved' });
      const { message_id } = await world.send(to, 'order_shipped');
      expect(message_id).toMatch(/^[0-9a-f-]{36}$/);
    }
    if (keep.includes('webhooks')) {
      expect(await world.items('/_sandbox/webhooks')).toMatchObject([
        { id: webhook_id, secret, status: 'active', failing_since: null },
      ]);
      await world.inbound(to);
      await world.idle();
      const requests = await world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');
      expect(requests.at(-1)).toMatchObject({ signature_valid: true, answered: 200 });
      expect(requests.at(-1)?.headers['x-service-event']).toBe('message.received');
    }
  });

  it('keeps the clock', async ({ world }) => {
    await lived(world);
    await reset(world, ['clock']);
    expect(await world.clock()).toMatchObject({ now: at(10_000), pending: 0 });
  });

  it.each([
    [['templates'], 0],
    [['templates', 'clock'], 10_000],
  ])('keeping %j it keeps their reviews: the same verdict, after the time that was left', async (keep, nowMs) => {
    const world = newWorld(sandbox);
    const id = await world.template('soon_reject', {}, false);
    await world.text();
    await world.advance('10s');
    await reset(world, keep);
    const planned = [{ status: 'rejected', at: at(nowMs + 7_190_000) }];
    expect(await world.get(`/_sandbox/templates/${id}`)).toMatchObject({ status: 'pending', planned });
    expect(await world.clock()).toMatchObject({ now: at(nowMs), pending: 1 });
    await world.advance('7189999ms');
    expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ status: 'pending' });
    await world.advance('1ms');
    expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ status: 'rejected' });
    expect((await world.events()).map(({ type }) => type)).toEqual(['template.status']);
  });

  it('keeps what a scenario has planned for a template later on', async ({ world }) => {
    const review = { status: 'rejected', after: '2h' };
    await world.post('/_sandbox/rules', { id: 'owner', when: 'template.review', then: { review } });
    const id = await world.template('promo', {}, false);
    await world.advance('1h');
    await reset(world, ['templates']);
    expect(await world.get(`/_sandbox/templates/${id}`)).toMatchObject({
      status: 'pending',
      planned: [{ status: 'rejected', at: at(60 * 60_000) }],
    });
    await world.advance('61m');
    expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ status: 'rejected' });
  });

  it('leaves nothing that is kept in the future', async ({ world }) => {
    await world.advance('1h');
    await world.template('promo');
    await world.register('https://sink.sandbox/app', ['message.received']);
    await reset(world, ['templates', 'webhooks']);
    expect(await world.items('/_sandbox/templates')).toMatchObject([
      { created_at: at(0), history: [{ at: at(0) }, { at: at(0) }] },
    ]);
    expect(await world.items('/_sandbox/webhooks')).toMatchObject([{ created_at: at(0), updated_at: at(0) }]);
  });

  it('keeping them with the clock leaves their instants alone', async ({ world }) => {
    await world.advance('1h');
    await world.register('https://sink.sandbox/app', ['message.received']);
    await reset(world, ['webhooks', 'clock']);
    expect(await world.items('/_sandbox/webhooks')).toMatchObject([{ created_at: at(3_600_000) }]);
  });

  it('forgets an attempt that is in flight', async ({ world }) => {
    const { app, release } = await inFlight(world);
    await reset(world, ['webhooks']);
    // Nobody waits for its answer any more.
    expect(await world.call('POST', '/_sandbox/idle?timeout=1s')).toMatchObject({ status: 200 });
    release();
    expect(await world.deliveries()).toEqual([]);
    await world.advance('48h');
    expect(app.received).toHaveLength(1);
  });

  it('never lets the cursor go back', async ({ world }) => {
    await lived(world);
    const last = (await world.events()).at(-1)?.seq ?? 0;
    await reset(world);
    await world.inbound(to);
    expect((await world.events())[0]?.seq).toBeGreaterThan(last);
  });
});

describe('accounts', () => {
  it('are worlds apart, made on first use, listed with what they hold, and dropped', async () => {
    const own = closing(await startTestSandbox({ clock: frozen }));
    const [one, two, three] = ['one', 'two', 'three'].map((key) => new World(own.url, key)) as [World, World, World];
    await lived(one);
    await two.inbound(to);
    await three.get('/v1/templates');
    const listed = () => one.items<Control['Account']>('/_sandbox/accounts');
    const before = await listed();
    expect(before.map(({ key }) => key)).toEqual(['one', 'two', 'three']);
    expect(before).toMatchObject([
      { now: at(10_000), clock_mode: 'frozen', counts: { messages: 1, templates: 2, webhooks: 1, events: 6 } },
      { now: at(0), created_at: at(0), counts: { messages: 0, events: 1, requests: 0 } },
      { counts: { requests: 1, events: 0 } },
    ]);
    expect((await two.call('DELETE', '/_sandbox/accounts/one')).status).toBe(204);
    const left = await two.items<Control['Account']>('/_sandbox/accounts');
    expect(left.map(({ key, seq }) => [key, seq])).toEqual(before.slice(1).map(({ key, seq }) => [key, seq]));
    expect(await two.call('DELETE', '/_sandbox/accounts/one')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    expect(await sizes(one)).toEqual(Object.fromEntries(lists.map((name) => [name, 0])));
    const again = await listed();
    expect(again.map(({ key }) => key)).toEqual(['two', 'three', 'one']);
    expect(again.at(-1)?.seq).toBeGreaterThan(before.at(-1)?.seq ?? 0);
  });

  it('without a key the control plane acts on the default account', async () => {
    const own = closing(await startTestSandbox({ clock: frozen }));
    await fetch(`${own.url}/_sandbox/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: to }),
    });
    expect(await new World(own.url, 'test_default').events()).toHaveLength(1);
    expect(await new World(own.url, 'other').events()).toEqual([]);
  });

  it('are not made by a read without a key', async () => {
    const own = closing(await startTestSandbox({ clock: frozen }));
    const read = (path: string) => fetch(`${own.url}/_sandbox/${path}`);
    for (const path of ['clock', 'messages', 'accounts', 'coverage', 'webhooks', 'rules']) {
      expect((await read(path)).status, path).toBe(200);
    }
    expect([...own.accounts.all()]).toEqual([]);
    const fork = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"to":"copy"}' };
    expect((await fetch(`${own.url}/_sandbox/accounts/nobody/fork`, fork)).status).toBe(404);
    expect([...own.accounts.all()]).toEqual([]);
  });

  it('have a limit, at which reading, deleting and a reset still work without a key', async () => {
    const own = closing(await startTestSandbox({ clock: frozen }));
    const call = async (method: string, path: string) =>
      (await fetch(`${own.url}/_sandbox/${path}`, { method })).status;
    for (let n = 0; n < 1000; n += 1) own.accounts.of(`key-${n}`);
    const refused = await new World(own.url, 'one-more').call('GET', '/v1/templates');
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'limit_reached' } } });
    expect(await call('GET', 'accounts')).toBe(200);
    expect(await call('GET', 'messages')).toBe(200);
    expect(await call('POST', 'reset')).toBe(204);
    expect(await call('DELETE', 'requests')).toBe(204);
    expect(await call('DELETE', 'accounts/key-7')).toBe(204);
    expect(await call('POST', 'reset')).toBe(204);
    expect(own.accounts.get('key-7')).toBeUndefined();
  });

  it('are those of --api-keys alone when it is given', async () => {
    const own = closing(await startTestSandbox({ clock: frozen, apiKeys: ['alpha', 'test_default'] }));
    expect((await new World(own.url, 'alpha').call('GET', '/v1/templates')).status).toBe(200);
    for (const path of ['/v1/templates', '/_sandbox/clock']) {
      const answer = await new World(own.url, 'beta').call('GET', path);
      expect(answer, path).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});
