/** Steps of the timeline that reach the application: calls, waits, restarts, and checks of its own state. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenSandbox, Program } from '../../../src/sandbox.js';
import { newWorld, type Control } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, play, usual } from '../../support/scenes.js';

const to = '+12025550150';
let sandbox: OpenSandbox;
let server: Server;
const calls: string[] = [];
const headers: IncomingHttpHeaders[] = [];
let restarts = 0;
const shown: Record<string, unknown> = {};
let heard = (): void => undefined;
const timers: ServerResponse[] = [];
let sending: ReturnType<typeof newWorld>;
const hears = new Promise<void>((resolve) => (heard = resolve));

const buttons = [{ id: 'a', title: 'Tea' }];
const menu = { to, type: 'interactive', interactive: { body: 'Which?', buttons } };

const program = (origin: string): Program => ({
  origin,
  restart: () => {
    restarts += 1;
    return Promise.resolve(null);
  },
});

/** A new account, whose steps do not wait for the first call of the application. */
function newAccount() {
  const world = newWorld(sandbox);
  sandbox.stage(world.key).release();
  return world;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    headers.push(request.headers);
    request.on('end', () => {
      if (request.url === '/hook') heard();
      if (request.url === '/timer' && timers.push(response) === 1) void sending.send(to, 'order_shipped');
      if (request.url === '/timer' && timers.length === 2) for (const each of timers) each.end('{}');
      if (request.url === '/timer') return;
      if (request.url === '/menu') {
        response.end('{}');
        setImmediate(() => void sending.post('/v1/messages', menu));
        return;
      }
      if (request.url === '/slow') void hears.then(() => response.end('{}'));
      if (request.url === '/slow') return;
      calls.push(`${request.method} ${request.url} ${Buffer.concat(parts).toString()}`.trim());
      const body = shown[new URL(request.url ?? '', 'http://localhost').pathname];
      response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body ?? { error: 'not found' }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const own = program(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  sandbox = await startTestSandbox({ clock: frozen }, { programOf: () => own });
});
afterAll(async () => {
  await sandbox.close();
  server.close();
});

it('plays what users do, each step after the one before, and reads the state', async () => {
  const world = newAccount();
  shown['/orders'] = { id: 42 };
  shown['/orders/42'] = { status: 'paid', lines: [{ sku: 'a' }] };
  shown['/verify'] = {};
  await play(world, {
    given: usual,
    timeline: [
      { at: '+1m', http: { method: 'POST', url: '/orders', body: { to }, save: { order: 'id' } } },
      { at: '+1m', until: { '/orders/${order}#status': { not: ['open', 'pending'] }, '/orders/42#lines': '*' } },
      { at: '+2m', wait: { real: '10ms' } },
      { at: '+1m', restart: true },
      { at: '+3m', http: { url: '/verify?code=${code +12025550150}', status: '2xx' } },
      { at: '+4m', http: { url: '/gone', status: '2xx' } },
    ],
    expect: [
      { at: '+2m', state: { '/orders/42#lines.0.sku': 'a', '/orders/42#status': 'paid' } },
      { at: '+2m', id: 'any', state: { '/orders/42#status': '*' } },
      { at: '+2m', id: 'none', state: { '/orders/42#missing': '*', '/none': '*' } },
      { at: '+2m', state: { '/orders/42#status': { not: 'lost' }, '/orders/42#lines.0': { not: { sku: 'b' } } } },
      { at: '+2m', state: { '/orders/42#missing': { not: '*' }, '/none': { not: '*' } } },
      { at: '+2m', state: { '/orders/42#status': { not: '*' } } },
      { at: '+2m', state: { '/orders/42#status': { not: 'paid' }, '/orders/42#missing': { not: 'paid' } } },
      { at: 'finish', state: { '/orders/42': { status: 'lost' }, '/none': null }, because: 'It was paid.' },
      { at: '+2m', state: { '/orders/42#status': 'lost' }, max: 0 },
      { at: '+2m', state: { '/orders/42#status': 'paid' }, max: 0 },
    ],
  });
  await world.post('/v1/otp/send', { to });
  await world.advance('5m');
  const code = (await world.get<{ items: { code: string }[] }>('/_sandbox/otps')).items.at(-1)?.code ?? '';
  expect(calls.slice(0, 2)).toEqual([`POST /orders {"to":"${to}"}`, 'GET /orders/42']);
  expect(calls).toContain(`GET /verify?code=${code}`);
  expect(restarts).toBe(1);
  const { passed, checks } = await world.get<Control['Verdict']>('/_sandbox/verdict');
  expect(passed).toBe(false);
  expect(checks).toMatchObject([
    { passed: false, at: '+4m', that: 'GET /gone', expected: '2xx', found: '404 {"error":"not found"}' },
    {
      passed: true,
      at: '+2m',
      that: 'state of the application',
      expected: '/orders/42#lines.0.sku: "a", /orders/42#status: "paid"',
      found: 'all as expected',
    },
    { passed: true, found: 'all as expected' },
    { passed: false, found: '/orders/42#missing: null, /none: 404 {"error":"not found"}' },
    { passed: true, found: 'all as expected' },
    { passed: true, found: 'all as expected' },
    { passed: false, found: '/orders/42#status: "paid"' },
    { passed: false, found: '/orders/42#status: "paid", /orders/42#missing: null' },
    {
      passed: false,
      at: 'finish',
      that: 'state of the application',
      because: 'It was paid.',
      expected: '/orders/42: {"status":"lost"}, /none: null',
      found: '/orders/42: {"status":"paid","lines":[{"sku":"a"}]}',
    },
    { passed: true, expected: 'not /orders/42#status: "lost"', found: '/orders/42#status: "paid"' },
    { passed: false, expected: 'not /orders/42#status: "paid"', found: 'exactly that' },
  ]);
});

it('waits with its steps for an application that starts, which gets the time that it needs meanwhile', async () => {
  const world = newWorld(sandbox);
  const stage = sandbox.stage(world.key);
  await play(world, { timeline: [{ at: '+1s', emit: { type: 'message.status' } }] });
  await world.post('/v1/templates', { name: 'late', category: 'utility', language: 'en', body: 'Hello.' });
  await world.advance('2s');
  expect(await world.get('/v1/templates')).toMatchObject({ templates: [{ status: 'approved' }] });
  const played = () =>
    world
      .get<{ items: { type: string }[] }>('/_sandbox/events')
      .then(({ items }) => items.filter(({ type }) => type === 'message.status').length);
  expect(await played()).toBe(0);
  stage.release();
  await world.advance('1s');
  expect(await played()).toBe(1);
});

it('lets a customer write in a story that hurries while a user waits for a response', async () => {
  const world = newAccount();
  const { port } = server.address() as AddressInfo;
  await world.post('/v1/webhooks', { url: `https://127.0.0.1:${port}/hook`, events: ['message.received'] });
  const timeline = [
    // It responds when the customer has written.
    { at: '+1m', http: { url: '/slow' } },
    { at: '+1m1s', inbound: { phone: to, text: 'STOP' } },
  ];
  await play(world, { timeline });
  await sandbox.stage(world.key).play({ quietMs: 20, hurriesMs: 62_000 });
  expect(await world.get<Control['Verdict']>('/_sandbox/verdict')).toMatchObject({ checks: [] });
});

it.each([{}, { body: {} }])(
  'calls an application again, after a rule, while a call has no response yet: %j',
  async (more) => {
    timers.length = 0;
    const world = (sending = newAccount());
    // It responds to both when the second one has come.
    const http = { method: 'POST' as const, url: '/timer', ...more };
    await play(world, {
      given: usual,
      rules: [{ id: 'sent', when: 'message.send', then: { lifecycle: 'stuck' } }],
      timeline: [
        { at: '+1m', http },
        { at: { after: 'sent' }, http },
      ],
    });
    await sandbox.stage(world.key).play({ quietMs: 20 });
    expect(await world.get<Control['Verdict']>('/_sandbox/verdict')).toMatchObject({ checks: [] });
    expect(timers).toHaveLength(2);
  },
);

it('lets a customer tap buttons that the application sends a moment after its response', async () => {
  sending = newAccount();
  await play(sending, {
    defaults: { lifecycle: [{ sent: '0s' }, { delivered: '0s' }] },
    timeline: [
      { at: '+1m', inbound: { phone: to, text: 'Hello' } },
      { at: '+2m', http: { url: '/menu' } },
      { at: '+2m', inbound: { phone: to, button: 'Tea' } },
      { at: '+3m', inbound: { phone: to, button: 'Coffee' } },
    ],
    expect: [{ at: 'finish', that: 'messages', where: { direction: 'inbound', type: 'interactive' }, count: 1 }],
  });
  await sending.advance('5m');
  const { checks } = await sending.get<Control['Verdict']>('/_sandbox/verdict');
  expect(checks).toMatchObject([
    { passed: false, at: '+3m', that: `tap of ${to} on "Coffee"`, found: 'shown: "Tea"' },
    { passed: true },
  ]);
});

it('lets no customer tap long after the step, because the clock jumps only a little meanwhile', async () => {
  sending = newAccount();
  const scenario = {
    version: 1,
    defaults: { lifecycle: [{ sent: '0s' }, { delivered: '1h' }] },
    timeline: [
      { at: '+1m', inbound: { phone: to, text: 'Hello' } },
      { at: '+2m', http: { url: '/menu' } },
      { at: '+2m', inbound: { phone: to, button: 'Tea' } },
    ],
  };
  const played = await sending.post('/_sandbox/scenario/play', { scenario, pace: 'flow', quiet_real: '20ms' });
  expect(played).toMatchObject({ verdict: { checks: [{ passed: false, that: `tap of ${to} on "Tea"` }] } });
});

it('a check of a state that is read at the end is unmet only after it', async () => {
  const world = newAccount();
  shown['/paid'] = { times: 2 };
  const state = { '/paid#times': 2 };
  await play(world, { timeline: [], expect: [{ at: 'finish', state, max: 0, because: 'Nobody pays twice.' }] });
  const stage = sandbox.stage(world.key);
  expect(stage.unmet()).toEqual([]);
  await stage.play({ pace: 'frozen' });
  expect(stage.unmet()).toMatchObject([{ isForbidden: true, check: { because: 'Nobody pays twice.' } }]);
});

it('what a check forbids after a step may have been under way for a second', async () => {
  const phone = '+12025550113';
  const unmetAfter = async (by: string, allowed = 0) => {
    const world = newAccount();
    await play(world, {
      timeline: [{ at: '+1m', id: 'stop', inbound: { phone, text: 'STOP' } }],
      expect: [{ at: 'finish', that: 'sent', after: 'stop', max: allowed }],
    });
    await world.advance('1m');
    await world.advance(by);
    for (let sent = 0; sent <= allowed; sent += 1)
      await world.post('/v1/messages', { to: phone, type: 'text', text: 'One more.' });
    return sandbox.stage(world.key).unmet();
  };
  expect(await unmetAfter('900ms')).toMatchObject([
    { isForbidden: true, isLimit: false, isSoon: true, customers: [expect.stringMatching(/^\+/)] },
  ]);
  expect(await unmetAfter('1s')).toMatchObject([{ isForbidden: true, isSoon: false }]);
  expect(await unmetAfter('1s', 1)).toMatchObject([{ isForbidden: true, isLimit: true }]);
});

it('is red where nobody knows the address of the application, or a call of a user is still to come', async () => {
  const alone = await startTestSandbox({ clock: frozen });
  const world = newWorld(alone);
  await play(world, {
    timeline: [
      { at: '+1m', http: { url: '/orders' } },
      { at: '+2m', until: { '/orders#id': 42 } },
      { at: '+3m', wait: { real: '1ms' } },
      { at: '+4m', restart: true },
      { at: '+2h', http: { url: '/orders', body: {} } },
    ],
    expect: [{ at: 'finish', state: { '/orders': [] } }],
    expect_no_calls: true,
  });
  await world.advance('5m');
  const why = 'the address of the application is unknown; give it in SANDBOX_APPLICATION_URL';
  const verdict = await world.get<Control['Verdict']>('/_sandbox/verdict');
  expect(verdict.checks).toMatchObject([
    { passed: false, at: '+1m', that: 'GET /orders', found: `not played: ${why}` },
    { passed: false, at: '+2m', that: 'until /orders#id', found: `not played: ${why}` },
    { passed: false, that: 'state of the application', found: `not read: ${why}` },
    { passed: false, that: 'timeline', found: 'not played yet: POST /orders at +2h' },
  ]);
  expect(verdict.warnings).toEqual([expect.stringContaining('"restart"')]);
  await alone.close();
});

it('needs no play where the address of the application is given at the start', async () => {
  shown['/orders'] = { id: 42 };
  const applicationUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const beside = await startTestSandbox({ clock: frozen, applicationUrl });
  const world = newWorld(beside);
  await play(world, {
    timeline: [{ at: '+1m', http: { url: '/orders' } }],
    expect: [{ at: 'finish', state: { '/orders#id': 42 } }],
    expect_no_calls: true,
  });
  const verdict = () => world.get<Control['Verdict']>('/_sandbox/verdict');
  expect((await verdict()).checks.map(({ passed, that }) => [passed, that])).toEqual([
    [true, 'state of the application'],
    [false, 'timeline'],
  ]);
  await world.advance('2m');
  expect(await verdict()).toMatchObject({ passed: true });
  // It is read whenever somebody asks.
  shown['/orders'] = { id: 43 };
  expect(await verdict()).toMatchObject({ passed: false, checks: [{ found: '/orders#id: 43' }] });
  expect(await world.get<object>('/_sandbox/verdict?accounts=all')).toMatchObject({ passed: false });
  await beside.close();
});

it('writes the values that a step has saved into the text of a customer, and none that no step has', async () => {
  shown['/orders'] = { id: 42 };
  const applicationUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const beside = await startTestSandbox({ clock: frozen, applicationUrl });
  const world = newWorld(beside);
  const ordering = { url: '/orders', save: { order: 'id', paid: 'paid' } };
  await play(world, {
    timeline: [
      { at: '+1m', http: ordering },
      { at: '+2m', inbound: { phone: to, text: 'Yes, ${order} of ${order}.' } },
      { at: '+2m', inbound: { phone: to, text: 'Paid ${paid}.' } },
    ],
  });
  await world.advance('3m');
  const said = await world.get<{ items: { text: string }[] }>('/_sandbox/messages?direction=inbound');
  expect(said.items.map(({ text }) => text)).toEqual(['Yes, 42 of 42.']);
  const { checks } = await world.get<Control['Verdict']>('/_sandbox/verdict');
  expect(checks).toContainEqual(
    expect.objectContaining({
      that: `what ${to} writes`,
      expected: 'a value for ${paid}',
      found: 'no step before has saved one',
    }),
  );
  await beside.close();
});

it('types the code that was sent to a customer, and signs with a new secret', async () => {
  const world = newAccount();
  await play(world, {
    given: usual,
    timeline: [
      { at: '+1m', webhook: { alias: 'app', secret: 'whsec_rotated' } },
      { at: '+2m', inbound: { phone: to, text: 'It is ${code}' } },
      { at: '+3m', inbound: { phone: to, text: 'At ${now}' } },
      { at: '+2m', inbound: { phone: '+12025550151', text: '${code}' } },
    ],
  });
  await world.post('/v1/otp/send', { to });
  await world.advance('3m');
  const code = sandbox.accounts
    .of(world.key)
    .store.tables.otps.all()
    .findLast(({ to }) => to === to)?.code;
  const said = await world.get<{ items: { text: string }[] }>('/_sandbox/messages?direction=inbound');
  expect(said.items.map(({ text }) => text)).toEqual([`It is ${code}`, 'At 2026-03-01T09:03:00.000Z']);
  const { checks } = await world.get<Control['Verdict']>('/_sandbox/verdict');
  const lacked = {
    that: 'what +12025550151 writes',
    expected: 'a code that was sent to this number',
    found: 'no code',
  };
  expect(checks).toMatchObject([{ passed: false, at: '+2m', ...lacked }]);
  expect(
    sandbox.accounts
      .of(world.key)
      .store.tables.endpoints.all()
      .findLast(({ alias }) => alias === 'app')?.secret,
  ).toBe('whsec_rotated');
});

describe('a step that fails', () => {
  const steps = async (...timeline: NonNullable<Parameters<typeof play>[1]['timeline']>) => {
    const world = newAccount();
    const none = { at: 'finish', that: 'messages', count: 0 } as const;
    await play(world, { given: usual, timeline, expect: [none], expect_no_calls: true });
    await world.advance('5m');
    const { passed, checks } = await world.get<Control['Verdict']>('/_sandbox/verdict');
    expect(passed).toBe(checks.every((check) => check.passed));
    return checks.filter((check) => !check.passed).map(({ that, expected, found }) => ({ that, expected, found }));
  };
  const at = '+1m';

  it('gets an error, unless it names the status', async () => {
    const missing = { that: 'GET /typo', expected: 'a status below 400', found: '404 {"error":"not found"}' };
    expect(await steps({ at, http: { url: '/typo' } })).toEqual([missing]);
    expect(await steps({ at, http: { url: '/typo', status: '4xx' } })).toEqual([]);
    expect(await steps({ at, http: { url: '/typo', status: ['200', '404'] } })).toEqual([]);
    const wanted = { ...missing, expected: '201 or 5xx' };
    expect(await steps({ at, http: { url: '/typo', status: ['201', '5xx'] } })).toEqual([wanted]);
  });

  it('finds nothing to save in the response, or saves it after its use', async () => {
    shown['/orders'] = { id: 42 };
    const save = { order: 'order.id' };
    expect(await steps({ at, http: { url: '/orders', save } })).toEqual([
      {
        that: 'GET /orders',
        expected: 'a value at "order.id" in the JSON, to save as "order"',
        found: '200 {"id":42}',
      },
    ]);
    const used = { at, http: { url: '/orders?id=${order}' } };
    expect(await steps(used, { at: '+2m', http: { url: '/orders', save: { order: 'id' } } })).toEqual([
      {
        that: 'GET /orders?id=${order}',
        expected: 'a value for ${order}; no step before has saved one',
        found: 'not called',
      },
    ]);
  });

  it('fills texts, headers and bodies as they are', async () => {
    shown['/orders'] = { id: 'a "quoted" $& one' };
    const said = { url: '/orders', body: { of: ['${id}'], at: '${now}' }, headers: { 'X-Of': '${n}' } };
    shown['/numbers'] = { n: 5 };
    await steps(
      { at, http: { url: '/orders', save: { id: 'id' } } },
      { at, http: { url: '/numbers', save: { n: 'n' } } },
      { at: '+2m', http: said },
    );
    expect(calls).toContain(
      `POST /orders ${JSON.stringify({ of: ['a "quoted" $& one'], at: '2026-03-01T09:02:00.000Z' })}`,
    );
    expect(headers.at(-1)?.['x-of']).toBe('5');
  });
});

it('an application that shows nothing has not shown that it lacks a state', async () => {
  shown['/orders/7'] = { status: 'open' };
  const world = newAccount();
  await play(world, {
    expect: [
      { at: '+1m', state: { '/orders/7#status': 'paid' }, max: 0 },
      { at: '+1m', state: { '/ordres/7#status': 'paid' }, max: 0 },
      { at: '+1m', state: { '/ordres/7': null } },
    ],
    expect_no_calls: true,
  });
  await world.advance('2m');
  const { checks } = await world.get<Control['Verdict']>('/_sandbox/verdict');
  expect(checks.map(({ passed }) => passed)).toEqual([true, false, true]);
  expect(checks[1]?.found).toBe('/ordres/7#status: 404 {"error":"not found"}');
});

it.each([
  ['at once without a timeline', {}, 'auto'],
  ['from the first call with one', { timeline: [{ at: '+1s', emit: { type: 'message.status' as const } }] }, 'frozen'],
])('lets the time of a command pass %s', async (_, more, mode) => {
  const world = newWorld(sandbox);
  await play(world, { ...more, defaults: { review: { status: 'approved', after: '300ms' } } });
  sandbox.stage(world.key).passFromFirstCall({ quietMs: 150 });
  expect(await world.get('/_sandbox/clock')).toMatchObject({ mode });
});
