import { describe, expect } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld, type Control, type World } from '../support/client.js';
import { ManualHost } from '../support/manual-host.js';
import { rawRequest } from '../support/raw-http.js';
import { holdingReceiver, receiver } from '../support/receivers.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { at, frozen, startMs } from '../support/scenes.js';

const to = '+12025550110';

const { sandbox, it } = useSandbox({ clock: frozen });
type Entry = Control['JournalRequest'];
const journal = async (world: World, filter = '') =>
  Promise.all(
    (await world.items<Entry>(`/_sandbox/requests${filter}`)).map(({ id }) =>
      world.get<Entry>(`/_sandbox/requests/${id}`),
    ),
  );

describe('the journal', () => {
  it('holds each call to the API plane with its answer, and none to the control plane', async ({ world }) => {
    await world.put(`/_sandbox/customers/${to}/window`, { open: true });
    const body = { to, type: 'text', text: 'Hi', colour: 'red' };
    const answer = await world.call<{ message_id: string }>('POST', '/v1/messages?dry=1', body, { 'x-mine': 'yes' });
    const id = answer.headers.get('x-sandbox-request') ?? '';
    expect(answer.headers.get('x-sandbox')).toMatch(/^\d+\.\d+\.\d+/);
    const [entry, ...others] = await journal(world);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      id,
      at: at(0),
      operation: 'sendMessage',
      method: 'POST',
      path: '/v1/messages',
      status: 200,
      request: { query: 'dry=1', body, headers: { 'x-mine': 'yes', 'content-type': 'application/json' } },
      response: { body: answer.body },
      explain: { by: 'default' },
    });
    expect(entry?.warnings.join(' ')).toContain('"colour"');
    expect(entry?.warnings.join(' ')).toContain('"dry"');
    expect(entry).not.toHaveProperty('error');
    expect(await world.get(`/_sandbox/requests/${id}`)).toEqual(entry);
  });

  it('holds calls of any method', async ({ world }) => {
    const search = await rawRequest(sandbox.url, 'M-SEARCH', '/v1/templates', [
      ['Host', 'localhost'],
      ['Authorization', `Bearer ${world.key}`],
    ]);
    expect(search.status).toBe(405);
    expect(await journal(world)).toMatchObject([{ method: 'M-SEARCH', status: 405 }]);
  });

  it('holds the path of a call whose target is a whole URL', async ({ world }) => {
    const ask = (host: string) =>
      rawRequest(sandbox.url, 'GET', `${sandbox.url}/v1/templates?a=b`, [
        ['Host', host],
        ['Authorization', `Bearer ${world.key}`],
      ]);
    expect((await ask(new URL(sandbox.url).host)).status).toBe(200);
    expect(await journal(world)).toMatchObject([{ path: '/v1/templates', request: { query: 'a=b' } }]);
    // A call for another host belongs to no account.
    expect((await ask('localhost')).status).toBe(404);
  });

  it('keeps as many calls as --max-journal says, and how many went', async () => {
    const world = newWorld(closing(await startTestSandbox({ maxJournal: 3 })));
    for (let n = 1; n <= 5; n += 1) await world.call('GET', `/v1/messages/${n}`);
    expect(await world.page('/_sandbox/requests?limit=2')).toMatchObject({
      items: [{ path: '/v1/messages/3' }, { path: '/v1/messages/4' }],
      trimmed: 2,
    });
  });

  it('tells why a call was refused', async ({ world }) => {
    await world.call('POST', '/v1/messages', { to, type: 'text', text: 'Hi' });
    await world.call('POST', '/v1/messages', '{"to":');
    await world.call('GET', '/v1/nothing');
    await world.call('DELETE', '/v1/messages');
    expect((await journal(world)).map(({ operation, status, error }) => [operation, status, error])).toEqual([
      ['sendMessage', 400, 'send_failed'],
      ['sendMessage', 400, 'validation_error'],
      [null, 404, 'not_found'],
      [null, 405, 'method_not_allowed'],
    ]);
    expect((await journal(world))[1]?.request.body).toBe('{"to":');
  });
});

describe('waiting for a match', () => {
  const waitFor = (world: World, query: string) => world.call('GET', `/_sandbox/wait?${query}`);

  it('answers at once with what already happened', async ({ world }) => {
    const id = await world.text();
    await world.advance('1s');
    const answer = await world.get<{ for: string; items: Control['Event'][]; next: number }>(
      `/_sandbox/wait?for=event&type=message.status&message_id=${id}&count=3&timeout=0s`,
    );
    expect(answer.for).toBe('event');
    expect(answer.items.map(({ data }) => data.status)).toEqual(['sent', 'delivered', 'read']);
    expect(answer.next).toBe(answer.items.at(-1)?.seq);
    expect((await waitFor(world, `for=event&after=${answer.next}&timeout=0s`)).status).toBe(408);
  });

  it.each([
    ['event', 'type=message.received', (world: World) => world.inbound(to)],
    ['message', `to=${to}&type=text&status=accepted`, (world: World) => world.text()],
    ['request', 'operation=template.list&status=2xx&path=/v1/*', (world: World) => world.get('/v1/templates')],
    [
      'otp',
      `to=${to}`,
      async (world: World) => {
        await world.template('login', { category: 'authentication', body: '{{1}}' });
        return world.post('/v1/otp/send', { to });
      },
    ],
  ])('for a future %s answers as soon as it is there', async (subject, filter, cause) => {
    const world = newWorld(sandbox);
    const status = subject === 'message' ? filter.replace('accepted', 'sent') : filter;
    const waiting = world.get<{ items: unknown[] }>(`/_sandbox/wait?for=${subject}&${status}&timeout=20s`);
    await world.clock();
    await cause(world);
    expect((await waiting).items).toHaveLength(1);
  });

  it('for a delivery answers once its receiver has', async () => {
    const app = await receiver();
    const world = newWorld(sandbox);
    const { webhook_id } = await world.register(app.url(), ['message.received']);
    const filter = `webhook_id=${webhook_id}&event_type=message.received&state=delivered`;
    const waiting = world.get<{ items: Control['Delivery'][] }>(
      `/_sandbox/wait?for=delivery&${filter}&count=2&timeout=20s`,
    );
    await world.inbound(to);
    await world.inbound(to);
    const { items } = await waiting;
    expect(items).toHaveLength(2);
    expect(items.every(({ attempts }) => attempts[0]?.status === 200)).toBe(true);
  });

  it('gives up with the near misses, the closest first', async () => {
    const host = new ManualHost(startMs);
    const own = closing(await startTestSandbox({ clock: frozen }, { hostTime: host }));
    const world = newWorld(own);
    await world.text('+12025550111');
    const image = { to: '+12025550111', type: 'image', media_url: 'https://cdn.test/a.png' };
    await world.post('/v1/messages', image);
    const waiting = waitFor(world, `for=message&to=%2B12025550199&type=image&timeout=7s`);
    while (host.pending === 0 || (host.nextInMs ?? 0) < 6000) await world.clock();
    host.tick(7000);
    const { status, body } = await waiting;
    expect(status).toBe(408);
    expect(body.error).toMatchObject({ code: 'wait_timeout' });
    expect(body.error.message).toContain('type=image');
    expect(body.error.near_misses?.map(({ differs }) => differs)).toEqual([
      [{ field: 'to', expected: '+12025550199', found: '+12025550111' }],
      [
        { field: 'to', expected: '+12025550199', found: '+12025550111' },
        { field: 'type', expected: 'image', found: 'text' },
      ],
    ]);
  });

  it('does not count a class, a pattern or a hook name as a difference when it fits', async ({ world }) => {
    await world.call('GET', '/v1/messages/none');
    const query = 'for=request&operation=message.get&status=4xx&path=/v1/messages/*&method=POST&timeout=0s';
    const { body } = await waitFor(world, query);
    expect(body.error.near_misses).toMatchObject([{ differs: [{ field: 'method', expected: 'POST', found: 'GET' }] }]);
  });

  it('finds what differs in the data of an event, too', async ({ world }) => {
    const found = await world.text();
    const { body } = await waitFor(world, 'for=event&message_id=another&timeout=0s');
    expect(body.error.near_misses?.map(({ differs }) => differs)).toEqual([
      [{ field: 'message_id', expected: 'another', found }],
    ]);
  });

  it.each(['', 'for=event&state=delivered', 'for=message&status=5xx', 'for=event&timeout=1m1s', 'for=event&count=0'])(
    'refuses "%s"',
    async (query) => {
      const { status, body } = await waitFor(newWorld(sandbox), query);
      expect([status, body.error.code]).toEqual([400, 'validation_error']);
    },
  );

  it('counts too few as too few, and says how many', async ({ world }) => {
    await world.inbound(to);
    const { status, body } = await waitFor(world, 'for=event&count=2&timeout=0s');
    expect(status).toBe(408);
    expect(body.error.message).toMatch(/\b1 of 2\b/);
  });
});

describe('waiting for rest', () => {
  it('returns when nothing is in flight and nothing is due, whatever lies ahead', async () => {
    const app = await receiver();
    const world = newWorld(sandbox);
    await world.register(app.url());
    await world.text();
    expect(await world.idle()).toEqual({ idle: true, now: at(0), pending: 2 });
    expect(app.received).toHaveLength(1);
  });

  it('refuses to wait for more than a minute, rather than give up early', async () => {
    const message = 'must be at most 1m of real time; found "2m"';
    expect(await newWorld(sandbox).call('POST', '/_sandbox/idle?timeout=2m')).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'timeout', message }] } },
    });
  });

  it('gives up while a receiver hangs, and says how much is in flight', async () => {
    const { app, release } = await holdingReceiver();
    const world = newWorld(sandbox);
    await world.register(app.url());
    await world.text();
    expect(await world.call('POST', '/_sandbox/idle?timeout=0s')).toMatchObject({
      status: 408,
      body: { error: { code: 'idle_timeout', in_flight: 1, due: 0 } },
    });
    const resting = world.idle();
    await world.clock();
    release();
    expect(await resting).toMatchObject({ idle: true });
  });
});
