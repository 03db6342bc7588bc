/** The client's methods. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectSandbox, type SandboxAccount, type SandboxClient } from '../../src/index.js';
import type { Sandbox } from '../../src/sandbox.js';
import { startTestSandbox } from '../support/sandbox.js';

const start = '2026-03-01T09:00:00.000Z';
const ada = '+12025550110';

const clock = { mode: 'frozen', scale: 1, startMs: Date.parse(start) } as const;

/** A remote sandbox, which every call needs a token for; the client of one in this process makes the same calls. */
describe('connectSandbox', () => {
  let distant: Sandbox;
  let client: SandboxClient;
  beforeAll(async () => {
    distant = await startTestSandbox({ clock, controlToken: 'sesame' });
    client = await connectSandbox({ url: `${distant.url}/`, key: 'tests', controlToken: 'sesame' });
  });
  afterAll(async () => {
    await client.close();
    await distant.close();
  });
  let accounts = 0;

  /** A new account. */
  const account = () => client.account(`own-${(accounts += 1)}`);
  const sendText = (own: SandboxAccount, text = 'Hello', to = ada) =>
    own.call<{ message_id: string }>('POST', '/v1/messages', { to, type: 'text', text });
  const createLogin = async (own: SandboxAccount) => {
    await own.templates.create({ name: 'login', category: 'authentication', language: 'en' });
    return own.templates.approve('login');
  };

  it('forks an account to another key, as it is', async () => {
    const own = account();
    await own.customer(ada).says('Hi');
    const copy = await own.fork(`${own.apiKey}-fork`);
    expect(copy.apiKey).toBe(`${own.apiKey}-fork`);
    expect(await copy.events()).toStrictEqual(await own.events());
    await copy.customer(ada).says('There');
    expect(await own.events()).toHaveLength(1);
    await expect(own.fork(copy.apiKey)).rejects.toMatchObject({ code: 'name_taken', status: 409 });
  });

  it('reads and moves the clock', async () => {
    const { clock } = account();
    const day = new Date('2026-03-02T00:00:00Z');
    expect(await clock.advance('1h30m')).toMatchObject({ now: '2026-03-01T10:30:00.000Z', pending: 0 });
    expect(await clock.advance({ by: '30m', settleReal: '1ms' })).toMatchObject({ now: '2026-03-01T11:00:00.000Z' });
    expect(await clock.advance({ to: day })).toMatchObject({ now: day.toISOString() });
    expect(await clock.advance({ until: 'next' })).toMatchObject({ now: day.toISOString() });
    expect(await clock.advance({ until: 'idle', max: '1m' })).toMatchObject({ ran: [] });
    expect(await clock.set('2026-03-05T00:00:00Z')).toMatchObject({ now: '2026-03-05T00:00:00.000Z', mode: 'frozen' });
    expect(await clock.run('x60')).toMatchObject({ mode: 'scaled', scale: 60 });
    expect(await clock.run('auto')).toMatchObject({ mode: 'auto' });
    expect(await clock.run()).toMatchObject({ mode: 'real' });
    expect(await clock.freeze(new Date('2026-04-01T00:00:00Z'))).toMatchObject({ now: '2026-04-01T00:00:00.000Z' });
    expect(await clock.now()).toBe('2026-04-01T00:00:00.000Z');
    expect(await clock.get()).toMatchObject({ mode: 'frozen', next_due: null });
  });

  it('plays a customer who writes, whose window opens and closes', async () => {
    const own = account();
    const customer = own.customer(ada);
    const { window } = customer;
    await customer.says('Where is it?');
    await customer.says({ media_url: 'https://example.com/photo.jpg', profile_name: 'Ada' });
    await customer.says();
    const [text, image, madeUp] = await own.events({ type: 'message.received' });
    expect(text?.data).toMatchObject({ from: ada, type: 'text', text: 'Where is it?' });
    expect(image?.data).toMatchObject({ type: 'image', profile_name: 'Ada' });
    expect(madeUp?.data.text).toMatch(/\w/);
    await sendText(own, 'On its way');
    expect(await customer.messages()).toHaveLength(4);
    expect(await customer.messages({ order: 'desc', limit: 1 })).toMatchObject([{ text: 'On its way' }]);
    expect(await customer.get()).toMatchObject({ profile_name: 'Ada', window: { open: true } });
    expect((await own.customers()).map(({ phone }) => phone)).toEqual([ada]);
    expect(await window.close()).toMatchObject({ window: { open: false } });
    await expect(sendText(own)).rejects.toMatchObject({ status: 400, code: 'send_failed' });
    expect(await window.open()).toMatchObject({ window: { closes_at: '2026-03-02T09:00:00.000Z' } });
    expect(await window.open('1h')).toMatchObject({ window: { open: true, closes_at: '2026-03-01T10:00:00.000Z' } });
    const soon = new Date('2026-03-01T09:05:00Z');
    expect(await window.closeAt(soon)).toMatchObject({ window: { open: true, closes_at: soon.toISOString() } });
  });

  it('taps buttons: by title, by id, or whole', async () => {
    const own = account();
    const customer = own.customer(ada);
    await customer.window.open();
    await expect(customer.taps('Yes')).rejects.toMatchObject({
      code: 'not_found',
      message: `${ada} has no button "Yes" to tap. Nothing with buttons was sent to this number.`,
    });
    const buttons = [
      { id: 'y', title: 'Yes' },
      { id: 'n', title: 'No' },
    ];
    const interactive = { body: 'Deliver today?', buttons };
    await own.call('POST', '/v1/messages', { to: ada, type: 'interactive', interactive });
    await sendText(own);
    await customer.taps('Yes');
    await customer.taps('n');
    await customer.taps({ id: 'x', title: 'Else' });
    const tapped = await own.events({ type: 'message.received' });
    expect(tapped.map(({ data }) => data.interactive?.id)).toStrictEqual(['y', 'n', 'x']);
    await expect(customer.taps('Maybe')).rejects.toThrow(
      `has no button "Maybe" to tap. There are: "Yes" (id y), "No" (id n).`,
    );
  });

  it('taps the quick replies of a template', async () => {
    const own = account();
    const buttons = [
      { type: 'url', text: 'Open', url: 'https://example.com' },
      { type: 'quick_reply', text: 'Stop' },
    ] as const;
    const news = { name: 'news', category: 'marketing', language: 'en', body: 'News' } as const;
    await own.templates.create({ ...news, buttons: [...buttons] });
    await own.templates.approve('news');
    const template = { name: 'news', language: 'en', variables: [] };
    await own.call('POST', '/v1/messages', { to: ada, type: 'template', template });
    await own.customer(ada).taps('Stop');
    expect(await own.events({ type: 'message.received' })).toMatchObject([
      { data: { interactive: { title: 'Stop' } } },
    ]);
    await expect(own.customer(ada).taps('Open')).rejects.toThrow('There are: "Stop" (id Stop).');
  });

  it('reviews templates by name', async () => {
    const { templates } = account();
    for (const name of ['one', 'two']) {
      const made = await templates.create({ name, category: 'utility', language: 'en', body: 'Order {{1}} left' });
      expect(made).toMatchObject({ name, status: 'pending' });
    }
    expect(await templates.approve('one')).toMatchObject({ name: 'one', status: 'approved' });
    expect(await templates.reject('two', 'Too vague')).toMatchObject({ rejection_reason: 'Too vague' });
    expect(await templates.pause('one')).toMatchObject({ status: 'paused' });
    expect(await templates.resume('one')).toMatchObject({ status: 'approved' });
    expect(await templates.remove('one')).toMatchObject({ status: 'deleted' });
    expect(await templates.list({ status: 'rejected' })).toMatchObject([{ name: 'two' }]);
    await expect(templates.get('tow')).rejects.toMatchObject({
      code: 'not_found',
      message: 'This account has no template "tow". It has: one, two.',
    });
  });

  it('gives out one-time codes', async () => {
    const own = account();
    await expect(own.otp(ada)).rejects.toThrow(`No one-time code was sent to ${ada}.`);
    await createLogin(own);
    await own.call('POST', '/v1/otp/send', { to: ada });
    const { otp_id: otpId } = await own.call<{ otp_id: string }>('POST', '/v1/otp/send', { to: ada });
    const { code, otp_id: latest } = await own.otp(ada);
    expect(latest).toBe(otpId);
    expect(await own.otps({ to: ada })).toHaveLength(2);
    expect(await own.waitFor.otp({ to: ada, count: 2 })).toHaveLength(2);
    expect(await own.call('POST', '/v1/otp/verify', { otp_id: otpId, code })).toStrictEqual({ valid: true });
  });

  it('receives in a sink, emits and redelivers events, and pauses endpoints', async () => {
    const own = account();
    const sink = own.sink('app');
    const { webhook_id: webhookId, secret } = await own.webhooks.register(sink.url);
    expect(await own.webhooks.list()).toMatchObject([{ id: webhookId, secret, status: 'active' }]);
    await sink.respond(503, { status: 500, times: 1 }, 200);
    const { event } = await own.emit('message.received', { text: 'hello' });
    expect(event).toMatchObject({ type: 'message.received', data: { text: 'hello' } });
    await own.clock.advance('10m');
    expect((await sink.received()).map(({ answered }) => answered)).toStrictEqual([503, 500, 200]);
    expect(await own.deliveries({ state: 'delivered' })).toMatchObject([{ attempts: [{}, {}, {}] }]);
    await own.redeliver(event.id, { webhookId });
    await own.emit('otp.verified', {}, { webhookId, webhook: { signature: 'wrong_secret' } });
    await own.idle();
    const valid = (await sink.received({ order: 'desc', limit: 2 })).map((one) => one.signature_valid);
    expect(valid).toStrictEqual([false, true]);
    expect(await own.webhooks.pause(webhookId)).toMatchObject({ status: 'paused' });
    expect(await own.webhooks.resume(webhookId)).toMatchObject({ status: 'active' });
    await own.webhooks.remove(webhookId);
    expect(await own.webhooks.list()).toStrictEqual([]);
  });

  it('keeps a journal of the application', async () => {
    const own = account();
    await own.customer(ada).window.open();
    await sendText(own);
    await expect(own.call('POST', '/v1/otp/send', { to: ada })).rejects.toMatchObject({
      code: 'no_default_otp_template',
    });
    expect(await own.requests({ operation: 'message.send' })).toMatchObject([{ path: '/v1/messages', status: 200 }]);
    expect(await own.requests({ status: '4xx' })).toMatchObject([{ error: 'no_default_otp_template' }]);
    expect(await own.waitFor.request({ path: '/v1/otp/*' })).toMatchObject({ method: 'POST' });
    expect(await own.coverage()).toMatchObject({ total: expect.any(Number) as number });
  });

  it('lists all there is, however many pages that takes', async () => {
    const own = account();
    await own.templates.create({ name: 'news', category: 'marketing', language: 'en', body: 'News' });
    await own.templates.approve('news');
    for (let batch = 0; batch < 11; batch += 1) {
      const to = Array.from({ length: 100 }, (_, n) => `+4915${batch + 10}0000${n + 10}`);
      await own.call('POST', '/v1/messages', { to, type: 'template', template: { name: 'news', language: 'en' } });
    }
    const all = await own.messages();
    expect(new Set(all.map(({ to }) => to)).size).toBe(1100);
    const newestFirst = await own.messages({ order: 'desc' });
    expect(newestFirst.map(({ seq }) => seq)).toStrictEqual(all.map(({ seq }) => seq).reverse());
    expect(await own.messages({ limit: 3 })).toStrictEqual(all.slice(0, 3));
  });

  it('takes scenarios by name, as an object and as text', async () => {
    const { scenario } = account();
    await expect(scenario.verdict()).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect((await scenario.list()).map(({ name }) => name)).toContain('flaky-api');
    expect(await scenario.use('happy-path')).toMatchObject({ name: 'happy-path' });
    expect(await scenario.use({ version: 1, name: 'mine' })).toMatchObject({ name: 'mine' });
    expect(await scenario.use('version: 1\nname: file')).toMatchObject({ name: 'file' });
    expect(await scenario.use('{ version: 1, name: flow }')).toMatchObject({ name: 'flow' });
    expect(await scenario.get()).toMatchObject({ name: 'flow' });
    expect(await scenario.verdict()).toMatchObject({ passed: false, reason: 'no_calls' });
    const all = await scenario.verdict({ accounts: 'all' });
    expect(all).toMatchObject({ passed: false, reason: 'no_part', accounts: [], apart: expect.any(Number) as number });
    expect(await scenario.check('version: 1')).toMatchObject({ valid: true });
    await expect(scenario.use('hapy-path')).rejects.toThrow('Did you mean "happy-path"?');
    const wrong = scenario.use('version: 1\nrule: []\ngiven: { customers: [{ phone: "+12025550113", windw: open }] }');
    await expect(wrong).rejects.toMatchObject({ status: 400, code: 'scenario_invalid', details: [{}, {}] });
    // A failed test shows only the message, so it contains every problem with its place and the corrected line.
    await expect(wrong).rejects.toThrow(
      /\n {2}2:1: .*\n {4}write: rules: \[\]\n {2}3:\d+: .*\n {4}write: given: .* window: open \}\] \}$/,
    );
    await expect(scenario.use('version: 1\nrule: []')).rejects.toThrow(/^[^\n]*:2:1 [^\n]*\n {4}write: rules: \[\]$/);
    await scenario.clear();
    expect(await scenario.get()).toMatchObject({ name: null });
  });

  it('adds, lists and removes rules', async () => {
    const own = account();
    await own.customer(ada).window.open();
    const { id } = await own.rules.add({ when: 'message.send', then: { respond: { status: 503 } } });
    await expect(sendText(own)).rejects.toMatchObject({ status: 503 });
    expect(await own.rules.list()).toMatchObject([{ id, hits: 1 }]);
    await own.rules.remove(id);
    await sendText(own);
    // @ts-expect-error no such hook
    await expect(own.rules.add({ when: 'message.sent', then: {} })).rejects.toMatchObject({ status: 400 });
  });

  it('takes and restores snapshots', async () => {
    const own = account();
    await own.customer(ada).says('before');
    await own.snapshot.take('one');
    await own.customer(ada).says('after');
    expect(await own.events()).toHaveLength(2);
    await own.snapshot.restore('one');
    expect(await own.events()).toHaveLength(1);
    await expect(own.snapshot.take('one')).rejects.toMatchObject({ status: 409, code: 'name_taken' });
    const other = account();
    await other.snapshot.upload('copied', await own.snapshot.download('one'));
    await other.snapshot.restore('copied');
    expect(await other.events()).toMatchObject([{ data: { text: 'before' } }]);
    await own.snapshot.remove('one');
    expect(await own.snapshot.list()).toStrictEqual([]);
  });

  it('resets, keeps what is named, starts at an instant with a scenario, and is removed', async () => {
    const own = account();
    await createLogin(own);
    await own.customer(ada).says('Hi');
    await own.reset(['templates']);
    expect([await own.events(), await own.templates.list()]).toMatchObject([[], [{ name: 'login' }]]);
    const now = new Date('2026-03-01T09:00:00Z');
    await own.reset({ clock: { mode: 'frozen', now }, scenario: 'flaky-api' });
    expect(await own.clock.get()).toMatchObject({ mode: 'frozen', now: '2026-03-01T09:00:00.000Z' });
    expect((await own.scenario.get()).name).toBe('flaky-api');
    await own.customer(ada).says('Hi');
    await own.remove();
    expect(await own.customers()).toEqual([]);
    await own.remove();
  });
});
