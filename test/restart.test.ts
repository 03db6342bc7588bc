/** An acknowledged change survives a stop and `kill -9`, and pending jobs are still pending. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../src/config/index.js';
import type { Sandbox } from '../src/sandbox.js';
import { lists } from './support/lived.js';
import { World, type Control } from './support/client.js';
import { ManualHost } from './support/manual-host.js';
import { startTestSandbox } from './support/sandbox.js';

const startMs = Date.UTC(2026, 2, 1, 9);
const at = (offsetMs: number) => new Date(startMs + offsetMs).toISOString();
const minute = 60_000;
const hour = 60 * minute;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'restart-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Runs `before` and `after` on two sandboxes over one directory, the first one closed in between. */
async function overRestart<T>(
  config: Partial<Config>,
  before: (sandbox: Sandbox) => Promise<T>,
  after: (sandbox: Sandbox, told: T) => Promise<void>,
  host?: { first: ManualHost; second: ManualHost },
): Promise<void> {
  const first = await startTestSandbox({ dataDir, ...config }, host ? { hostTime: host.first } : {});
  let told: T;
  try {
    told = await before(first);
  } finally {
    await first.close();
  }
  const second = await startTestSandbox({ dataDir, ...config }, host ? { hostTime: host.second } : {});
  try {
    await after(second, told);
  } finally {
    await second.close();
  }
}

const frozen = { clock: { mode: 'frozen', scale: 1, startMs } } as const;

it.each([
  ['{"version":1,"na', /"torn" is damaged: its file is not JSON \(/],
  ['', /"torn" is damaged: its file is not JSON \(/],
  ['[1]', /"torn" is damaged: its file does not contain a JSON object\./],
])('a snapshot whose file holds %j is refused in words, kept as it is, and the others go on', async (text, words) => {
  await overRestart(
    frozen,
    async (sandbox) => {
      const world = new World(sandbox.url, 'shelf');
      for (const name of ['torn', 'whole']) await world.post('/_sandbox/snapshots', { name });
      await writeFile(join(dataDir, 'snapshots', 'shelf', '1.torn.json'), text);
    },
    async (sandbox) => {
      const world = new World(sandbox.url, 'shelf');
      const calls = [
        world.call('GET', '/_sandbox/snapshots/torn'),
        world.call('POST', '/_sandbox/snapshots/torn/restore'),
      ];
      for (const { status, body } of await Promise.all(calls)) {
        expect([status, body.error.code]).toEqual([400, 'validation_error']);
        expect(body.error.message).toMatch(words);
      }
      expect(await world.call('POST', '/_sandbox/snapshots', { name: 'torn' })).toMatchObject({ status: 409 });
      expect(await readFile(join(dataDir, 'snapshots', 'shelf', '1.torn.json'), 'utf8')).toBe(text);
      await world.post('/_sandbox/snapshots/whole/restore');
    },
  );
});

it('an account whose file is of a later version is refused, file and version named; others go on', async () => {
  const first = await startTestSandbox({ dataDir, ...frozen });
  await new World(first.url, 'later').text();
  await first.close();
  const path = join(dataDir, 'later.json');
  const newer = (await readFile(path, 'utf8')).replace(/"version":\d+/, '"version":99');
  await writeFile(path, newer);
  const second = await startTestSandbox({ dataDir, ...frozen });
  try {
    for (const [method, path] of [
      ['GET', '/v1/templates'],
      ['POST', '/v1/otp/send'],
      ['GET', '/_sandbox/clock'],
      ['POST', '/_sandbox/reset'],
    ] as const) {
      const body = path.endsWith('send') ? { to: '+12025550110' } : undefined;
      const { status, body: answer } = await new World(second.url, 'later').call(method, path, body);
      expect([status, answer.error.code], path).toEqual([503, 'store_unavailable']);
      expect(answer.error.message, path).toMatch(
        /later\.json contains the account "later", but it has format version 99, and this sandbox reads version 4/,
      );
    }
    await new World(second.url, 'other').text();
  } finally {
    await second.close();
  }
  expect(await readFile(path, 'utf8')).toBe(newer);
});

/** All lists of an account, its clock and its sink. */
async function contents(world: World): Promise<Record<string, unknown>> {
  const entries: [string, unknown][] = [];
  for (const path of [...lists, 'snapshots', 'clock', 'sink/app/received'])
    entries.push([path, await world.get(`/_sandbox/${path}`)]);
  return Object.fromEntries(entries);
}

describe('after a stop and a start', () => {
  it('an account on a frozen clock is what it was, and what lay ahead happens at its time', async () => {
    await overRestart(
      frozen,
      async ({ url }) => {
        const world = new World(url, 'worker');
        const endpoint = await world.register('https://sink.sandbox/app', ['message.status']);
        await world.put('/_sandbox/sink/app', { respond: [{ status: 503 }] });
        await world.template('order');
        await world.template('slow_one_slow', {}, false);
        await world.template('login', { category: 'authentication', body: undefined });
        await world.inbound('+12025550173', { profile_name: 'Ada', text: 'Hello' });
        await world.send('+12025550173', 'order');
        await world.advance('10m');
        const { otp_id: otpId } = await world.post<{ otp_id: string }>('/v1/otp/send', { to: '+12025550173' });
        await world.post('/v1/otp/verify', { otp_id: otpId, code: 'wrong' });
        await world.post('/v1/otp/verify', { otp_id: otpId, code: 'wrong' });
        await world.send('+12025550103', 'order');
        await world.post('/_sandbox/snapshots', { name: 'before' });
        await world.idle();
        return { lists: await contents(world), endpoint, otpId };
      },
      async ({ url }, told) => {
        const world = new World(url, 'worker');
        expect(await contents(world)).toEqual(told.lists);
        expect(await world.clock()).toMatchObject({ now: at(10 * minute), mode: 'frozen' });

        // The OTP has three attempts left, not five.
        const wrong = { otp_id: told.otpId, code: 'wrong' };
        expect(await world.post('/v1/otp/verify', wrong)).toEqual({ valid: false, attempts_remaining: 2 });

        // The first failing delivery: attempts at 0, 1, 6, 36, 96 minutes, of which three were made before the stop.
        await world.advance('50m');
        const [first] = await world.deliveries('?limit=1');
        expect(first?.attempts.map((attempt) => attempt.at)).toEqual([0, 1, 6, 36].map((n) => at(n * minute)));
        expect(first?.next_attempt_at).toBe(at(96 * minute));

        // The message whose number is delivered after 10 minutes was accepted 10 minutes in.
        const [late] = await world.items<Control['Message']>('/_sandbox/messages?to=%2B12025550103');
        expect(late?.history.map((entry) => [entry.status, entry.at])).toContainEqual(['delivered', at(20 * minute)]);

        // The window closes 24 h after the inbound message, and the endpoint pauses 24 h after its first failure.
        const statusOf = async () =>
          (await world.get<{ webhooks: { status: string }[] }>('/v1/webhooks')).webhooks[0]?.status;
        await world.put('/_sandbox/clock', { now: at(24 * hour - 1) });
        expect(await statusOf()).toBe('active');
        expect((await world.call('POST', '/v1/messages', { to: '+12025550173', type: 'text', text: 'a' })).status).toBe(
          200,
        );
        await world.advance('1ms');
        expect(await statusOf()).toBe('paused');
        expect((await world.call('POST', '/v1/messages', { to: '+12025550173', type: 'text', text: 'a' })).status).toBe(
          400,
        );

        // The slow review was asked for at the start and takes 24 h.
        const [slow] = await world.items<Control['Template']>('/_sandbox/templates?name=slow_one_slow');
        expect(slow?.status).toBe('approved');

        // New ids go on where the old ones stopped, and the endpoint kept its secret.
        const ids = new Set(JSON.stringify(told.lists).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g));
        const fresh = await world.register('https://sink.sandbox/other');
        expect(ids.has(fresh.webhook_id)).toBe(false);
        const stored = await world.items<{ id: string; secret: string }>('/_sandbox/webhooks');
        expect(stored.find(({ id }) => id === told.endpoint.webhook_id)?.secret).toBe(told.endpoint.secret);

        await world.post('/_sandbox/snapshots/before/restore');
        expect(await world.clock()).toMatchObject({ now: at(10 * minute) });
      },
    );
  });

  it('a real clock has gone on with the machine, its lead kept, and what fell due meanwhile has happened', async () => {
    const first = new ManualHost(startMs);
    const second = new ManualHost(startMs + 48 * hour);
    await overRestart(
      { clock: { mode: 'real', scale: 1, startMs: null } },
      async ({ url }) => {
        const world = new World(url, 'worker');
        await world.register('https://sink.sandbox/app');
        await world.put('/_sandbox/sink/app', { respond: [{ status: 503 }] });
        await world.template('order');
        await world.advance('2h');
        const { message_id: id } = await world.send('+12025550103', 'order');
        await world.idle();
        return id;
      },
      async ({ url }, id) => {
        const world = new World(url, 'worker');
        expect(await world.clock()).toMatchObject({ now: at(50 * hour), mode: 'real' });
        await world.idle();
        const message = await world.get<Control['Message']>(`/_sandbox/messages/${id}`);
        expect(message.history.map((entry) => [entry.status, entry.at]).slice(-2)).toEqual([
          ['delivered', at(2 * hour + 10 * minute)],
          ['read', at(2 * hour + 11 * minute)],
        ]);
        // The attempts of the downtime are made up for, each at its due time, as an advance would; then comes the pause.
        const [sent] = await world.deliveries('?limit=1');
        const attempts = sent?.attempts.map((attempt) => attempt.at) ?? [];
        expect([...attempts.slice(0, 4), attempts.at(-1)]).toEqual(
          [0, 1, 6, 36, 23 * 60 + 36].map((minutes) => at(2 * hour + minutes * minute)),
        );
        expect(sent).toMatchObject({ state: 'held', attempts: { length: 27 } });
        expect(await world.items('/_sandbox/webhooks')).toMatchObject([
          { status: 'paused', updated_at: at(26 * hour) },
        ]);
      },
      { first, second },
    );
  });

  it.each(['real', 'scaled'] as const)(
    'a %s clock never steps back, though the clock of the machine did',
    async (mode) => {
      const clock = { mode, scale: mode === 'scaled' ? 60 : 1, startMs: null } as const;
      const host = { first: new ManualHost(startMs), second: new ManualHost(startMs - hour) };
      let seen = '';
      await overRestart(
        { clock },
        async (sandbox) => {
          const world = new World(sandbox.url, 'worker');
          await world.inbound('+12025550110');
          host.first.tick(minute);
          await world.inbound('+12025550110');
          seen = (await world.clock()).now;
        },
        async (sandbox) => {
          const world = new World(sandbox.url, 'worker');
          const { now } = await world.clock();
          expect(now).toBe(seen);
          host.second.tick(1000);
          expect(Date.parse((await world.clock()).now)).toBe(Date.parse(seen) + 1000 * clock.scale);
        },
        host,
      );
    },
  );
});

it('after a crash what idle told of is still over, and the journal holds whole answers', async () => {
  const crashed = await mkdtemp(join(tmpdir(), 'crashed-'));
  const config = { ...frozen, fsync: 'always' } as const;
  const first = await startTestSandbox({ dataDir, ...config });
  try {
    const world = new World(first.url, 'shelf');
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound('+12025550110');
    await world.idle();
    // What lies on the disk now is what a crash would leave.
    await cp(dataDir, crashed, { recursive: true, filter: (path) => !path.endsWith('.lock') });
  } finally {
    await first.close();
  }
  const second = await startTestSandbox({ dataDir: crashed, ...config });
  try {
    const world = new World(second.url, 'shelf');
    expect(await world.deliveries()).toMatchObject([{ state: 'delivered', attempts: [{ number: 1, status: 200 }] }]);
    const [registered] = await world.items<Control['JournalRequest']>('/_sandbox/requests');
    expect(registered?.response?.headers).toHaveProperty('Content-Length');
  } finally {
    await second.close();
    await rm(crashed, { recursive: true, force: true });
  }
});

it('after a crash a real clock goes on from its last write or read, though the clock of the machine was set back', async () => {
  const crashed = await mkdtemp(join(tmpdir(), 'crashed-'));
  const clock = { mode: 'real', scale: 1, startMs: null } as const;
  const machine = new ManualHost(startMs);
  let seen = '';
  const first = await startTestSandbox({ dataDir, clock }, { hostTime: machine });
  try {
    const world = new World(first.url, 'worker');
    await world.inbound('+12025550110');
    machine.tick(minute);
    await world.inbound('+12025550110');
    seen = (await new World(first.url, 'reader').clock()).now;
    await cp(dataDir, crashed, { recursive: true, filter: (path) => !path.endsWith('.lock') });
  } finally {
    await first.close();
  }
  const second = await startTestSandbox({ dataDir: crashed, clock }, { hostTime: new ManualHost(startMs - hour) });
  try {
    expect((await new World(second.url, 'worker').clock()).now).toBe(at(minute));
    // This account was only read.
    expect((await new World(second.url, 'reader').clock()).now).toBe(seen);
  } finally {
    await second.close();
    await rm(crashed, { recursive: true });
  }
});
