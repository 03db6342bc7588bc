/** An account under another key as it is now: each test goes on from a beginning that is made once. */
import { describe, expect } from 'vitest';
import { freshDir } from '../store/support.js';
import { closing } from '../support/closing.js';
import { newWorld, World, type Control } from '../support/client.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { frozen, inFlight, startMs } from '../support/scenes.js';

const to = '+12025550110';

const { sandbox, it } = useSandbox({ clock: frozen });

let forks = 0;
/** The account of `world` under a new key. */
async function fork(world: World, key = `fork-${(forks += 1)}`): Promise<World> {
  await world.post(`/_sandbox/accounts/${world.key}/fork`, { to: key });
  return new World(world.url, key);
}

/** A bit of everything, with retries, reviews, replies and a scenario's steps still to come. */
async function lived(world: World): Promise<{ readonly message: string }> {
  await world.put('/_sandbox/scenario', {
    version: 1,
    rules: [{ id: 'second', when: 'message.send', pick: { calls: 3 }, then: { respond: { status: 503 } } }],
    timeline: [{ at: '+2h', inbound: { phone: '+12025550177', text: 'Late' } }],
  });
  await world.post('/_sandbox/rules', { id: 'added', when: 'otp.send', then: { otp: { attempts: 2 } } });
  await world.template('order_shipped');
  await world.template('pending_one', {}, false);
  await world.template('login', { category: 'authentication', body: undefined });
  await world.register('https://sink.sandbox/app', ['message.received', 'message.status']);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500 }] });
  await world.inbound(to, { text: 'Hi' });
  const message = await world.reply(to);
  await world.post('/v1/otp/send', { to });
  await world.idle();
  await world.advance('200ms');
  return { message };
}

const lists = [
  ...['messages', 'messages?direction=inbound', 'templates', 'customers', 'otps', 'events', 'deliveries', 'webhooks'],
  ...['requests', 'rules', 'sink/app/received', 'clock/jobs'],
];
/** Everything that the control plane shows of an account. */
async function shown(world: World): Promise<Record<string, unknown>> {
  const entries = await Promise.all(lists.map(async (path) => [path, await world.items(`/_sandbox/${path}`)] as const));
  return untimed({
    ...Object.fromEntries(entries),
    clock: await world.clock(),
    scenario: await world.get('/_sandbox/scenario'),
  });
}

/** The value without real time, without the port of the sandbox, and without the key. */
function untimed<T>(value: T): T {
  const own = ['duration_ms', 'host', 'authorization'];
  return JSON.parse(JSON.stringify(value, (name, inner: unknown) => (own.includes(name) ? undefined : inner))) as T;
}

/** What follows from the same calls, the random part of it above all. */
async function goOn(world: World) {
  const sent = await world.send(to, 'order_shipped');
  const refused = await world.call('POST', '/v1/messages', { to, type: 'text', text: 'the third' });
  const { otp_id: code } = await world.post<{ otp_id: string }>('/v1/otp/send', { to });
  await world.inbound('+12025550171');
  await world.register('https://sink.sandbox/late', ['otp.verified']);
  await world.advance('3h');
  return { sent, refused: refused.status, code, all: await shown(world) };
}

describe('a fork', () => {
  it('is the account as it is, and the same calls have the same outcome in both', async ({ world }) => {
    await lived(world);
    const before = await shown(world);
    const copy = await fork(world);
    expect(await shown(copy)).toEqual(before);
    expect((before['clock'] as Control['Clock']).pending).toBeGreaterThan(6);
    expect(await copy.get('/_sandbox/coverage')).toEqual(await world.get('/_sandbox/coverage'));

    const there = await goOn(copy);
    expect(there.refused).toBe(503);
    expect(await shown(world)).toEqual(before);
    expect(await goOn(world)).toEqual(there);
  });

  it('stands still at the instant of the call, whatever the clock of the source does', async () => {
    const running = closing(await startTestSandbox({ clock: { mode: 'scaled', scale: 100_000, startMs } }));
    const world = new World(running.url, 'fast');
    await world.inbound('+12025550170', { text: 'Hi' });
    const copy = await fork(world);
    const clock = await copy.clock();
    expect(clock).toMatchObject({ mode: 'frozen', scale: 1 });
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(startMs);
    await world.idle();
    expect(await copy.clock()).toEqual(clock);
    expect(Date.parse((await world.clock()).now)).toBeGreaterThan(Date.parse(clock.now));
    expect((await world.clock()).mode).toBe('scaled');
  });

  it('leaves attempts in flight where they are', async ({ world }) => {
    const { app, release } = await inFlight(world);
    const forks = [await fork(world), await fork(world), await fork(world)];
    release();
    await world.idle();
    for (const copy of forks) {
      await copy.idle();
      expect(await copy.deliveries()).toMatchObject([
        { state: 'dropped', attempts: [], explain: { text: expect.stringContaining('in flight') as string } },
      ]);
      expect(await copy.clock()).toMatchObject({ pending: 0 });
    }
    expect(app.received).toHaveLength(1);
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered' }]);
  });

  it('of a fork goes on with the same streams, after a reset as well', async ({ world }) => {
    const copy = await fork(await fork(world));
    expect(await copy.text()).toBe(await world.text());
    for (const account of [copy, world]) await account.post('/_sandbox/reset');
    expect(await copy.text()).toBe(await world.text());
  });

  it('lasts under --data like any account, with its streams', async () => {
    const dataDir = await freshDir();
    let running = await startTestSandbox({ clock: frozen, dataDir });
    closing({ close: () => running.close() });
    const world = new World(running.url, 'source');
    await lived(world);
    await fork(world, 'kept');
    await fork(world, 'changed');
    const [expected, changed] = [await goOn(world), new World(running.url, 'changed')];
    await goOn(changed);
    const before = await shown(changed);
    await running.close();
    running = await startTestSandbox({ clock: frozen, dataDir });
    expect(await goOn(new World(running.url, 'kept'))).toEqual(expected);
    expect(await shown(new World(running.url, 'changed'))).toEqual(before);
  });
});

describe('is refused', () => {
  const refused = async (world: World, key: string, body: unknown) => {
    const answer = await world.call('POST', `/_sandbox/accounts/${encodeURIComponent(key)}/fork`, body);
    return { status: answer.status, ...answer.body.error };
  };

  it('to a key in use, with a way out', async ({ world }) => {
    await world.text();
    await fork(world, 'taken');
    for (const key of ['taken', world.key]) {
      expect(await refused(world, world.key, { to: key })).toEqual({
        status: 409,
        code: 'name_taken',
        message: `Account ${key} already exists. Delete it with DELETE /_sandbox/accounts/${key}, or fork to another key.`,
      });
    }
    await world.delete('/_sandbox/accounts/taken');
    await fork(world, 'taken');
  });

  it('of two at once to one key, one', async ({ world }) => {
    await world.text();
    const path = `/_sandbox/accounts/${world.key}/fork`;
    const both = await Promise.all([1, 2].map(() => world.call('POST', path, { to: 'race' })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('from a key without an account', async () => {
    expect(await refused(newWorld(sandbox), 'nobody', { to: 'somebody' })).toMatchObject({
      status: 404,
      code: 'not_found',
      message:
        'There is no account nobody. An account is created by the first call with its key; GET /_sandbox/accounts lists them.',
    });
  });

  it('to a text that can be no key', async ({ world }) => {
    await world.clock();
    expect(await refused(world, world.key, { to: 'two words' })).toMatchObject({
      status: 400,
      message: expect.stringContaining(
        'an API key of visible ASCII characters without spaces, such as test-7',
      ) as string,
    });
  });

  it('to a key that --api-keys does not name', async () => {
    const strict = closing(await startTestSandbox({ clock: frozen, apiKeys: ['one', 'two'] }));
    const world = new World(strict.url, 'one');
    await world.clock();
    expect(await refused(world, 'one', { to: 'three' })).toMatchObject({
      status: 400,
      message: 'to is not among the keys that this sandbox accepts; add it to --api-keys.',
    });
    await fork(world, 'two');
  });
});
