/** `--audit`: what the sandbox says is held against its own documents while in use (issue "under fire"). */
import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { newWorld, type Control, type World } from '../../support/client.js';
import { startReceiver } from '../../support/receivers.js';
import { startTestSandbox } from '../../support/sandbox.js';

type Report = Control['ContractReport'];
const frozen = { clock: { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } } as const;
const to = '+12025550110';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((thing) => thing.close()));
});

/** A sandbox whose violations are the test's own business. */
async function audited(config: Parameters<typeof startTestSandbox>[0] = {}): Promise<Sandbox> {
  const sandbox = await startTestSandbox({ ...frozen, ...config });
  opened.push({ close: () => sandbox.close().catch(() => undefined) });
  return sandbox;
}

const report = (world: World, query = '') => world.get<Report>(`/_sandbox/contract/violations${query}`);

/** Breaks a stored row as a bug would, below everything that checks. */
function breakMessage({ accounts }: Sandbox, world: World, id: string): void {
  const message = accounts.of(world.key).store.tables.messages.get(id);
  if (!message) throw new Error('no such message');
  Object.assign(message, { wamid: 'not a wamid' });
}

describe('an audit', () => {
  it('counts answers and events, and finds nothing in a sound run', async () => {
    const sandbox = await audited();
    const world = newWorld(sandbox);
    await world.register('https://sink.sandbox/app', ['message.status', 'message.received']);
    await world.inbound(to);
    await world.reply(to);
    await world.advance('1h');
    await world.call('GET', '/v1/messages/nope');
    await world.call('GET', '/v1/nowhere');
    await world.call('DELETE', '/v1/messages');
    await fetch(`${sandbox.url}/_sandbox/clock`, { method: 'HEAD' });
    const { checked, count, excused, items } = await report(world);
    expect({ count, excused, items }).toEqual({ count: 0, excused: 0, items: [] });
    expect(checked).toEqual({ api: 5, control: 3, event: 4 });
  });

  it('tells an answer that breaks the document, with place, wish, journal id and account', async () => {
    const sandbox = await audited();
    const world = newWorld(sandbox);
    const id = await world.text(to);
    breakMessage(sandbox, world, id);
    const answer = await world.call('GET', `/_sandbox/messages/${id}`);
    expect(answer.status).toBeLessThanOrEqual(500);
    const { items, count } = await report(world);
    expect(count).toBe(items.length);
    expect(items).toContainEqual(
      expect.objectContaining({
        of: 'control',
        operation: 'getStoredMessage',
        method: 'GET',
        where: expect.any(String) as string,
      }),
    );
    const refused = await world.call('GET', `/v1/messages/${id}`);
    const request = refused.headers.get('x-sandbox-request');
    expect((await report(world)).items).toContainEqual(
      expect.objectContaining({ of: 'api', operation: 'getMessage', request, account: world.key, where: 'status' }),
    );
  });

  it('tells an event that breaks the document, by its delivery', async () => {
    const sandbox = await audited();
    const world = newWorld(sandbox);
    await world.register('https://sink.sandbox/app');
    const id = await world.text(to);
    breakMessage(sandbox, world, id);
    await world.advance('1h');
    const [delivery] = (await world.deliveries()).filter(({ event_type: type }) => type === 'message.status').slice(-1);
    const { items } = await report(world);
    expect(items).toContainEqual(
      expect.objectContaining({
        of: 'event',
        operation: 'message.status',
        request: delivery?.id,
        path: 'https://sink.sandbox/app',
        where: 'body.data.wamid',
        expected: expect.stringContaining('wamid') as string,
        found: '"not a wamid"',
      }),
    );
  });

  it('excuses what a rule, a header or a caller bent on purpose', async () => {
    const sandbox = await audited();
    const world = newWorld(sandbox);
    const receiver = await startReceiver();
    opened.push(receiver);
    await world.register(receiver.url('/hook'));
    await world.post('/_sandbox/rules', {
      when: 'api.any',
      match: { path: '/v1/messages/*' },
      then: { respond: { status: 200, body: { nonsense: true } } },
    });
    expect((await world.call('GET', '/v1/messages/nope')).body).toEqual({ nonsense: true });
    expect((await world.call('GET', '/v1/templates', undefined, { 'x-sandbox-prefer': 'status=500' })).status).toBe(
      500,
    );
    await world.post('/_sandbox/events', { type: 'message.status', webhook: { body: 'unknown_type' } });
    await world.idle();
    expect(receiver.received).toHaveLength(1);
    const nonsense = { type: 'message.status', data: { status: 42 }, webhook: { body: 'unknown_type' } };
    const { event } = await world.post<Control['EmitResult']>('/_sandbox/events', nonsense);
    await world.idle();
    // What the fault hid the first time shows when it is sent again: data that no schema allows.
    await world.post(`/_sandbox/events/${event.id}/redeliver`);
    await world.post('/_sandbox/events', { type: 'message.status', data: { status: 'read' } });
    await world.idle();
    const { count, excused, checked } = await report(world);
    expect({ count, excused, event: checked.event }).toEqual({ count: 0, excused: 5, event: 1 });
  });

  it('judges a rate limit, which is refused in our own words', async () => {
    const sandbox = await audited();
    const world = newWorld(sandbox);
    await world.post('/_sandbox/rules', { when: 'api.any', then: { limit: { rate: '1/m', burst: 1 } } });
    await world.get('/v1/templates');
    expect((await world.call('GET', '/v1/templates')).status).toBe(429);
    const { checked, excused, count } = await report(world);
    expect({ api: checked.api, excused, count }).toEqual({ api: 2, excused: 0, count: 0 });
  });

  it('pages its list, keeps the latest 500 and counts them all', async () => {
    const sandbox = await audited();
    const world = newWorld(sandbox);
    const audited501 = {
      of: 'api',
      operation: 'getMessage',
      request: null,
      account: null,
      method: 'GET',
      path: '/v1/x',
      status: 200,
    } as const;
    for (let i = 1; i <= 501; i += 1) {
      sandbox.audit?.record(audited501, [{ where: 'body', expected: `number ${i}`, found: 'nothing' }]);
    }
    const first = await report(world, '?limit=2');
    expect(first.count).toBe(501);
    expect(first.items.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(first.next).toBe(3);
    expect((await report(world, '?after=499')).items.map(({ expected }) => expected)).toEqual([
      'number 500',
      'number 501',
    ]);
    const last = await report(world, '?order=desc&limit=1');
    expect([last.items.map(({ seq }) => seq), last.next]).toEqual([[501], 501]);
    expect((await report(world, '?order=desc&before=3')).items.map(({ seq }) => seq)).toEqual([2]);
  });

  it('shows in the metrics', async () => {
    const sandbox = await audited();
    sandbox.audit?.excuse();
    const metrics = await (await fetch(`${sandbox.url}/metrics`)).text();
    expect(metrics).toContain('messaging_sandbox_contract_checked_total{of="api"} 0');
    expect(metrics).toContain('messaging_sandbox_contract_excused_total 1');
    expect(metrics).toContain('messaging_sandbox_contract_violations_total 0');
  });

  it('fails the close of a test sandbox that broke a document', async () => {
    const sandbox = await startTestSandbox(frozen);
    const audit = {
      of: 'event',
      operation: 'message.status',
      request: null,
      account: null,
      method: 'POST',
      path: 'https://a.test',
      status: null,
    } as const;
    sandbox.audit?.record(audit, [{ where: 'body.id', expected: 'an id', found: 'nothing' }]);
    await expect(sandbox.close()).rejects.toThrow('event message.status  body.id: an id; found nothing');
  });
});

describe('without an audit', () => {
  it('there is no list, rather than an empty one, and no metric', async () => {
    const sandbox = await audited({ audit: false });
    const world = newWorld(sandbox);
    const answer = await world.call('GET', '/_sandbox/contract/violations');
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    expect(answer.body.error.message).toContain('--audit');
    expect(await (await fetch(`${sandbox.url}/metrics`)).text()).not.toContain('contract');
  });
});
