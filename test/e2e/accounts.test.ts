import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { newWorld, World, type Control } from '../support/client.js';
import { startReceiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';

const start = Date.UTC(2026, 2, 1, 9);
const after = (ms: number): string => new Date(start + ms).toISOString();
const to = '+12025550110';
const frozen = { clock: { mode: 'frozen', scale: 1, startMs: start } } as const;

let sandbox: Sandbox;
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  sandbox = await startTestSandbox(frozen);
});
afterAll(() => sandbox.close());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()));
});

const reset = (world: World, keep?: string[]) =>
  world.call('POST', '/_sandbox/reset', keep === undefined ? undefined : { keep });

/** A bit of everything, with retries, reviews and lifecycles still to come. */
async function lived(world: World) {
  const template = await world.template('order_shipped');
  await world.template('pending_one', {}, false);
  const { webhook_id, secret } = await world.register('https://sink.sandbox/app', [
    'message.received',
    'message.status',
  ]);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500 }] });
  await world.inbound(to, { text: 'Hi' });
  const message = await world.reply(to);
  await world.idle();
  await world.advance('10s');
  return { template, webhook_id, secret, message };
}

const lists = ['messages', 'templates', 'customers', 'otps', 'events', 'deliveries', 'webhooks', 'requests'] as const;
const sizes = async (world: World): Promise<Record<string, number>> => {
  const size = async (name: string): Promise<[string, number]> => [
    name,
    (await world.items(`/_sandbox/${name}`)).length,
  ];
  return Object.fromEntries(await Promise.all(lists.map(size)));
};

describe('a reset', () => {
  it('drops everything, puts the clock back, and cancels what lay ahead', async () => {
    const world = newWorld(sandbox);
    await lived(world);
    expect(await reset(world)).toMatchObject({ status: 204, body: '' });
    expect(await sizes(world)).toEqual(Object.fromEntries(lists.map((name) => [name, 0])));
    expect(await world.clock()).toEqual({ now: after(0), mode: 'frozen', scale: 1, pending: 0, next_due: null });
    expect(await world.items('/_sandbox/sink/app/received')).toEqual([]);
    await world.advance('48h');
    expect(await world.items('/_sandbox/sink/app/received')).toEqual([]);
    expect(await world.events()).toEqual([]);
  });

  it('starts the random streams over: the same calls make the same ids, secrets and names again', async () => {
    const world = newWorld(sandbox);
    const told = async () => {
      const made = await lived(world);
      const facts = (await world.events()).map(({ id, data }) => [id, data.message_id, data.wamid, data.profile_name]);
      return { made, facts };
    };
    const first = await told();
    await reset(world);
    expect(await told()).toEqual(first);
    expect(first.facts.length).toBeGreaterThan(2);
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

  it('keeps the clock', async () => {
    const world = newWorld(sandbox);
    await lived(world);
    await reset(world, ['clock']);
    expect(await world.clock()).toMatchObject({ now: after(10_000), pending: 0 });
  });

  it('cancels the reviews of templates that are kept: they stay pending until someone reviews them', async () => {
    const world = newWorld(sandbox);
    const id = await world.template('soon', {}, false);
    await reset(world, ['templates']);
    await world.advance('25h');
    expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ status: 'pending' });
    await world.post(`/_sandbox/templates/${id}/review`, { decision: 'approved' });
    expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ status: 'approved' });
  });

  it('forgets an attempt that is in flight', async () => {
    const open: (() => void)[] = [];
    const app = await startReceiver((response) => open.push(() => response.end()));
    opened.push(app);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    const arrived = app.nextRequest();
    await world.inbound(to);
    await arrived;
    await reset(world, ['webhooks']);
    open.forEach((end) => end());
    await world.idle();
    expect(await world.deliveries()).toEqual([]);
    await world.advance('48h');
    expect(app.received).toHaveLength(1);
  });

  it('never lets the cursor go back', async () => {
    const world = newWorld(sandbox);
    await lived(world);
    const last = (await world.events()).at(-1)?.seq ?? 0;
    await reset(world);
    await world.inbound(to);
    expect((await world.events())[0]?.seq).toBeGreaterThan(last);
  });

  it('refuses what it does not know', async () => {
    const world = newWorld(sandbox);
    for (const body of [{ keep: ['events'] }, { keep: 'clock' }, { kept: [] }, { keep: ['clock', 'clock'] }]) {
      expect(await world.call('POST', '/_sandbox/reset', body), JSON.stringify(body)).toMatchObject({ status: 400 });
    }
  });
});

describe('accounts', () => {
  it('are worlds apart, made on first use, listed with what they hold, and dropped', async () => {
    const own = await startTestSandbox(frozen);
    opened.push(own);
    const [one, two, three] = ['one', 'two', 'three'].map((key) => new World(own.url, key)) as [World, World, World];
    await lived(one);
    await two.inbound(to);
    await three.get('/v1/templates');
    const listed = () => one.items<Control['Account']>('/_sandbox/accounts');
    const before = await listed();
    expect(before.map(({ key }) => key)).toEqual(['one', 'two', 'three']);
    expect(before).toMatchObject([
      { now: after(10_000), clock_mode: 'frozen', counts: { messages: 1, templates: 2, webhooks: 1, events: 6 } },
      { now: after(0), created_at: after(0), counts: { messages: 0, events: 1, requests: 0 } },
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

  it('may be dropped in the middle of an advance, which then ends', async () => {
    const open: (() => void)[] = [];
    const app = await startReceiver((response) => open.push(() => response.end()));
    opened.push(app);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    const arrived = app.nextRequest();
    await world.inbound(to);
    await arrived;
    const moving = world.call('POST', '/_sandbox/clock/advance', { by: '1h' });
    while ((await world.call('POST', '/_sandbox/clock/advance', { by: '0s' })).status !== 409) await world.clock();
    await newWorld(sandbox).delete(`/_sandbox/accounts/${world.key}`);
    expect((await moving).status).toBeLessThan(500);
    expect(await world.deliveries()).toEqual([]);
    open.forEach((end) => end());
    expect((await world.clock()).now).toBe(after(0));
  });

  it('without a key the control plane acts on the default account', async () => {
    const own = await startTestSandbox(frozen);
    opened.push(own);
    await fetch(`${own.url}/_sandbox/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: to }),
    });
    expect(await new World(own.url, 'test_default').events()).toHaveLength(1);
    expect(await new World(own.url, 'other').events()).toEqual([]);
  });

  it('are those of --api-keys alone when it is given', async () => {
    const own = await startTestSandbox({ ...frozen, apiKeys: ['alpha', 'test_default'] });
    opened.push(own);
    expect((await new World(own.url, 'alpha').call('GET', '/v1/templates')).status).toBe(200);
    for (const path of ['/v1/templates', '/_sandbox/clock']) {
      const answer = await new World(own.url, 'beta').call('GET', path);
      expect(answer, path).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe('a snapshot', () => {
  it('brings the account back as it was: records, clock, jobs and retries', async () => {
    const world = newWorld(sandbox);
    const { message, webhook_id, secret } = await lived(world);
    const before = { sizes: await sizes(world), clock: await world.clock(), deliveries: await world.deliveries() };
    expect(before.clock.pending).toBeGreaterThan(2);
    const taken = await world.post<Control['SnapshotInfo']>('/_sandbox/snapshots', { name: 'before' });
    expect(taken).toMatchObject({ name: 'before', taken_at: after(10_000) });

    await world.advance('48h');
    await world.text('+12025550112');
    await world.delete(`/v1/webhooks/${webhook_id}`);
    expect(await world.clock()).not.toEqual(before.clock);
    expect(await world.post('/_sandbox/snapshots/before/restore')).toEqual(taken);

    expect({ sizes: await sizes(world), clock: await world.clock(), deliveries: await world.deliveries() }).toEqual(
      before,
    );
    expect(await world.get(`/v1/messages/${message}`)).toMatchObject({ status: 'read' });
    expect(await world.items('/_sandbox/webhooks')).toMatchObject([
      { id: webhook_id, secret, failing_since: after(0) },
    ]);
    // The retries go on at the minutes they were planned for, and the deadline still stands.
    await world.post('/_sandbox/clock/advance', { to: after(36 * 60_000) });
    const [first] = await world.deliveries();
    expect(first?.attempts.map(({ at }) => at)).toEqual([0, 1, 6, 36].map((minutes) => after(minutes * 60_000)));
    await world.post('/_sandbox/clock/advance', { to: after(86_400_000) });
    expect(await world.items('/_sandbox/webhooks')).toMatchObject([{ status: 'paused' }]);
  });

  it('can be restored more than once, and runs the same each time', async () => {
    const world = newWorld(sandbox);
    await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'fork' });
    const run = async () => {
      await world.post('/_sandbox/snapshots/fork/restore');
      await world.inbound(to);
      const id = await world.reply(to);
      await world.advance('1h');
      return { id, events: (await world.events()).map(({ id: event, data }) => [event, data]) };
    };
    expect(await run()).toEqual(await run());
  });

  it('taken while an attempt is in flight makes that attempt again', async () => {
    const open: (() => void)[] = [];
    const app = await startReceiver((response) => open.push(() => response.end()));
    opened.push(app);
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    let arrived = app.nextRequest();
    await world.inbound(to);
    await arrived;
    await world.post('/_sandbox/snapshots', { name: 'mid-flight' });
    arrived = app.nextRequest();
    await world.post('/_sandbox/snapshots/mid-flight/restore');
    await arrived;
    open.forEach((end) => end());
    await world.idle();
    expect(app.received).toHaveLength(2);
    expect(app.received[1]?.body).toBe(app.received[0]?.body);
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{ number: 1 }] }]);
    expect((await world.deliveries())[0]?.attempts).toHaveLength(1);
  });

  it('is downloaded, and uploaded to another account and another sandbox', async () => {
    const world = newWorld(sandbox);
    const { template } = await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'mine' });
    const file = await world.get<Control['Snapshot']>('/_sandbox/snapshots/mine');
    expect(file).toMatchObject({ version: 1, name: 'mine', taken_at: after(10_000) });
    const other = await startTestSandbox();
    opened.push(other);
    for (const target of [newWorld(sandbox), newWorld(other)]) {
      expect(await target.put('/_sandbox/snapshots/theirs', file)).toMatchObject({
        name: 'theirs',
        taken_at: after(10_000),
      });
      expect(await target.items('/_sandbox/templates')).toEqual([]);
      await target.post('/_sandbox/snapshots/theirs/restore');
      expect(await target.get(`/v1/templates/${template}`)).toMatchObject({ name: 'order_shipped' });
      expect(await target.clock()).toMatchObject({ now: after(10_000), mode: 'frozen' });
      expect((await target.deliveries()).map(({ state }) => state)).toContain('retrying');
    }
  });

  it('that is damaged is refused whole, with every place that is wrong', async () => {
    const world = newWorld(sandbox);
    await lived(world);
    await world.post('/_sandbox/snapshots', { name: 'good' });
    const file = await world.get<{ version: number; state: { tables: Record<string, Record<string, unknown>[]> } }>(
      '/_sandbox/snapshots/good',
    );
    const damaged = structuredClone(file);
    damaged.state.tables.messages![0]!.status = 'lost';
    damaged.state.tables.endpoints![0]!.secret = 7;
    delete damaged.state.tables.events![0]!.body;
    for (const name of ['good', 'bad']) {
      const answer = await world.call('PUT', `/_sandbox/snapshots/${name}`, damaged);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
      const fields = answer.body.error.details?.map(({ field }) => field);
      expect(fields).toEqual(
        expect.arrayContaining([
          'state.tables.messages[0].status',
          'state.tables.endpoints[0].secret',
          'state.tables.events[0].body',
        ]),
      );
    }
    for (const body of [{ ...file, version: 99 }, { ...file, state: {} }, {}, [], { ...file, taken_at: 'once' }]) {
      expect(await world.call('PUT', '/_sandbox/snapshots/bad', body)).toMatchObject({
        status: 400,
        body: { error: { code: 'validation_error' } },
      });
    }
    expect((await world.items('/_sandbox/snapshots')).map(({ name }) => name)).toEqual(['good']);
    expect(await world.get('/_sandbox/snapshots/good')).toEqual(file);
  });

  it('has a name of its own', async () => {
    const world = newWorld(sandbox);
    await world.post('/_sandbox/snapshots', { name: 'v1.0_a-b' });
    expect(await world.call('POST', '/_sandbox/snapshots', { name: 'v1.0_a-b' })).toMatchObject({
      status: 409,
      body: { error: { code: 'name_taken' } },
    });
    for (const name of ['', '.hidden', 'a/b', '../up', 'a b', 'é', 'x'.repeat(65)]) {
      expect(await world.call('POST', '/_sandbox/snapshots', { name }), name).toMatchObject({ status: 400 });
      if (name !== '' && !name.includes('/')) {
        expect((await world.call('GET', `/_sandbox/snapshots/${encodeURIComponent(name)}`)).status, name).toBe(400);
      }
    }
    expect((await world.call('POST', '/_sandbox/snapshots', { name: 'x'.repeat(64) })).status).toBe(200);
  });

  it('is listed, forgotten, and belongs to its account', async () => {
    const [world, other] = [newWorld(sandbox), newWorld(sandbox)];
    await world.post('/_sandbox/snapshots', { name: 'one' });
    await world.post('/_sandbox/snapshots', { name: 'two' });
    const items = await world.items<Control['SnapshotInfo']>('/_sandbox/snapshots');
    expect(items.map(({ name }) => name)).toEqual(['one', 'two']);
    const first = await world.page<Control['SnapshotInfo']>('/_sandbox/snapshots?limit=1&order=desc');
    expect(first).toEqual({ items: [items[1]], next: items[1]?.seq });
    expect(await world.items(`/_sandbox/snapshots?before=${first.next ?? 0}&order=desc`)).toEqual([items[0]]);
    expect(await other.items('/_sandbox/snapshots')).toEqual([]);
    for (const [method, path] of [
      ['POST', '/_sandbox/snapshots/one/restore'],
      ['GET', '/_sandbox/snapshots/one'],
      ['DELETE', '/_sandbox/snapshots/one'],
    ] as const) {
      expect(await other.call(method, path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
    await reset(world);
    expect(await world.items('/_sandbox/snapshots')).toHaveLength(2);
    expect((await world.call('DELETE', '/_sandbox/snapshots/one')).status).toBe(204);
    expect((await world.items('/_sandbox/snapshots')).map(({ name }) => name)).toEqual(['two']);
  });
});
