/** A failing disk, seen from outside: changing calls get 503, reading calls work, and nothing is half written. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Log } from '../../src/log.js';
import type { Fsync } from '../../src/store/account-disk.js';
import { World } from '../support/client.js';
import { ManualHost } from '../support/manual-host.js';
import { startTestSandbox } from '../support/sandbox.js';
import { CrashDisk } from './crash-disk.js';

const startMs = Date.UTC(2026, 2, 1, 9);
interface Scene {
  readonly disk: CrashDisk;
  readonly host: ManualHost;
  readonly world: World;
  readonly warnings: string[];
}

async function startOn(disk: CrashDisk, fsync: Fsync): Promise<Scene> {
  const host = new ManualHost(startMs);
  const warnings: string[] = [];
  const note = (text: string): void => void warnings.push(text);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const clock = { mode: 'frozen', scale: 1, startMs } as const;
  const sandbox = await startTestSandbox({ dataDir: '/data', fsync, clock }, { disk, hostTime: host, log });
  onTestFinished(() => sandbox.close().catch(() => undefined));
  return { disk, host, warnings, world: new World(sandbox.url, 'worker') };
}

function refuse(disk: CrashDisk, code: string, ...operations: string[]): void {
  disk.partial = 40;
  disk.before = (operation) => {
    if (!operations.includes(operation)) return;
    throw Object.assign(new Error(`${code}: no luck, ${operation}`), { code });
  };
}

/** Waits until all work in progress has ended. */
async function turns(most: number, until: () => boolean = () => false): Promise<void> {
  for (let turn = 0; turn < most && !until(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Writing is retried a second later; the log shows when it succeeds. */
async function mend({ disk, host, warnings }: Scene): Promise<void> {
  disk.before = () => undefined;
  host.tick(1000);
  await turns(2000, () => warnings.at(-1)?.includes('nothing was lost') ?? false);
  expect(warnings.at(-1)).toContain('can be written again; nothing was lost');
}

/** Returns what a restart on the same medium shows of an account. */
async function messagesAfterRestart(disk: CrashDisk): Promise<string[]> {
  const { world } = await startOn(disk.survivor(0), 'always');
  return (await world.items<{ message_id: string }>('/_sandbox/messages')).map(({ message_id: id }) => id);
}

const to = '+12025550173';
const order = { to, type: 'template', template: { name: 'order', language: 'en', variables: ['42'] } };

describe.each([
  ['full', 'ENOSPC', ['write']],
  ['broken', 'EIO', ['datasync']],
  ['broken for writing', 'EIO', ['write']],
  ['mounted read-only', 'EROFS', ['open', 'write', 'datasync', 'rename', 'unlink']],
] as const)('a disk that is %s', (_what, code, operations) => {
  it.each(['always', 'interval'] as const)('refuses changes, answers questions, and recovers (%s)', async (fsync) => {
    const at = await startOn(new CrashDisk(), fsync);
    const { disk, host, world, warnings } = at;
    await world.template('order');
    const { message_id: before } = await world.send(to, 'order');
    refuse(disk, code, ...operations);
    // The write that shows the failure: its response waits for the system, and with `always` also for the disk.
    const first = await world.call('POST', '/v1/messages', order);
    const shows = fsync === 'always' || (operations as readonly string[]).includes('write');
    // A client that sends again whatever says Retry-After would send a second message.
    expect([first.status, first.headers.get('retry-after')]).toEqual([shows ? 503 : 200, null]);
    if (shows)
      expect(first.body.error.message).toMatch(
        /^This call was applied, but is not on disk yet: .*do not send it again/,
      );
    host.tick(50);
    await turns(2000, () => warnings.length > 0);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('calls that would change more are rejected');

    expect((await fetch(`${world.url}/readyz`)).status).toBe(503);
    const stored = await world.items('/_sandbox/messages');
    for (const [method, path, body] of [
      ['POST', '/v1/messages', order],
      ['POST', '/v1/otp/send', { to }],
      ['POST', '/_sandbox/clock/advance', { by: '1h' }],
      ['POST', '/_sandbox/inbound', { from: to }],
      ['POST', '/_sandbox/snapshots', { name: 'full' }],
      ['DELETE', '/v1/webhooks/none', undefined],
    ] as const) {
      const { status, body: refusal, headers } = await world.call(method, path, body);
      expect([path, status, refusal.error.code]).toEqual([path, 503, 'store_unavailable']);
      expect(refusal.error.message).toMatch(
        /cannot be written: .*Nothing was changed\. Free disk space or repair the disk/,
      );
      expect(refusal.error.message).toContain(code);
      expect(headers.get('retry-after')).toBe('1');
    }
    expect(await world.items('/_sandbox/messages')).toEqual(stored);
    expect(await world.get(`/v1/messages/${before}`)).toMatchObject({ message_id: before });
    expect(await world.idle()).toBeDefined();

    await mend(at);
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
    const { message_id: after } = await world.send(to, 'order');
    host.tick(50);
    await turns(50);
    const known = await messagesAfterRestart(disk);
    expect(known).toContain(before);
    expect(known).toContain(after);
  });
});

it('that stays full does not fill the memory: lines are not kept, and the account is written completely', async () => {
  const at = await startOn(new CrashDisk(), 'interval');
  const { disk, host, world, warnings } = at;
  await world.template('order');
  refuse(disk, 'ENOSPC', 'write');
  expect((await world.call('POST', '/v1/messages', order)).status).toBe(503);
  await turns(2000, () => warnings.length > 0);
  // A rejected call is in the journal, with its body.
  expect((await world.call('POST', '/v1/messages', { ...order, padding: 'rejected' })).status).toBe(503);
  // Nothing is reported twice.
  host.tick(1000);
  await turns(50);
  expect(warnings).toHaveLength(1);
  expect(await messagesAfterRestart(disk)).toEqual([]);

  await mend(at);
  const sent = await world.send(to, 'order');
  await world.idle();
  host.tick(50);
  await turns(50);
  const own = (await world.items<{ message_id: string }>('/_sandbox/messages')).map(({ message_id: id }) => id);
  expect(own).toHaveLength(2);
  expect(own).toContain(sent.message_id);
  expect(await messagesAfterRestart(disk)).toEqual(own);
  expect(disk.durable('/data/worker.journal')).not.toContain('rejected');
  expect(disk.durable('/data/worker.json')).toContain('rejected');
});

it('can be made room on: an account and a snapshot are dropped although it is full', async () => {
  const { disk, world, warnings } = await startOn(new CrashDisk(), 'always');
  await world.template('order');
  await world.post('/_sandbox/snapshots', { name: 'old' });
  refuse(disk, 'ENOSPC', 'write');
  expect((await world.call('POST', '/v1/messages', order)).status).toBe(503);
  expect(warnings).toHaveLength(1);
  await world.delete('/_sandbox/accounts/worker');
  expect(disk.names).toEqual([]);
  disk.before = () => undefined;
  await world.template('order');
});

it('keeps the snapshot that was there when a new one cannot be written, and says so', async () => {
  const { disk, world } = await startOn(new CrashDisk(), 'interval');
  await world.template('order');
  await world.post('/_sandbox/snapshots', { name: 'good' });
  const good = await world.get<object>('/_sandbox/snapshots/good');
  disk.before = (operation, path) => {
    if (operation === 'write' && path.includes('snapshots'))
      throw Object.assign(new Error('ENOSPC: no luck'), { code: 'ENOSPC' });
  };
  const { status, body } = await world.call('PUT', '/_sandbox/snapshots/good', good);
  expect([status, body.error.code]).toEqual([503, 'store_unavailable']);
  expect(body.error.message).toBe(
    'The snapshot "good" could not be written: ENOSPC: no luck. Free disk space or repair the disk.',
  );
  expect(await world.get('/_sandbox/snapshots/good')).toEqual(good);
});

it('that loses what no sync has named keeps a snapshot that was answered', async () => {
  const { disk, world } = await startOn(new CrashDisk(), 'always');
  await world.template('order');
  await world.post('/_sandbox/snapshots', { name: 'good' });
  const { world: later } = await startOn(disk.survivor(0), 'always');
  expect(await later.items('/_sandbox/snapshots')).toMatchObject([{ name: 'good' }]);
});

it('refuses a fork that it cannot store, and there is no account then', async () => {
  const { disk, world } = await startOn(new CrashDisk(), 'interval');
  await world.template('order');
  refuse(disk, 'ENOSPC', 'write');
  const fork = () => world.call('POST', '/_sandbox/accounts/worker/fork', { to: 'copy' });
  for (let n = 0; n < 2; n += 1) {
    expect(await fork()).toMatchObject({ status: 503, body: { error: { code: 'store_unavailable' } } });
    expect(await world.items('/_sandbox/accounts')).toMatchObject([{ key: 'worker' }]);
  }
  disk.before = () => undefined;
});

it('that cannot read the file of one account sets it aside by name, and the others start', async () => {
  const disk = new CrashDisk();
  const { world } = await startOn(disk, 'always');
  await world.template('order');
  await new World(world.url, 'other').template('order');
  const next = disk.survivor(1);
  const parts = next.parts.bind(next);
  next.parts = async function* (path) {
    if (path === '/data/worker.json') throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    yield* parts(path);
  };
  const { world: again, warnings } = await startOn(next, 'always');
  expect(warnings.filter((text) => text.includes('worker.json.set-aside-1') && text.includes('EACCES'))).toHaveLength(
    1,
  );
  expect(next.names).toContain('worker.json.set-aside-1');
  expect(await new World(again.url, 'other').items('/_sandbox/templates')).toHaveLength(1);
  expect(await again.items('/_sandbox/templates')).toEqual([]);
});

it('that cannot move such a file away stops the start, and the error names file and reason', async () => {
  const disk = new CrashDisk();
  const { world } = await startOn(disk, 'always');
  await world.template('order');
  const next = disk.survivor(1);
  next.parts = () => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  };
  refuse(next, 'EPERM', 'rename');
  await expect(startOn(next, 'always')).rejects.toThrow(/worker\.json cannot be used.*EPERM/s);
});

it.each([['worker.json'], ['worker.journal'], ['worker.json', 'worker.journal']])(
  'whose %s %s somebody removes is noticed at the next write, and the account is written anew',
  async (...names) => {
    const at = await startOn(new CrashDisk(), 'interval');
    const { disk, world, warnings } = at;
    await world.template('order');
    await world.send(to, 'order');
    for (const name of names) await disk.unlink(`/data/${name}`);
    const { status, body } = await world.call('POST', '/v1/messages', order);
    expect(status).toBe(503);
    expect(body.error.message).toContain('its files were removed or changed by something else');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('leave its data directory to it');
    expect((await fetch(`${world.url}/readyz`)).status).toBe(503);
    await mend(at);
    expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
    expect(await messagesAfterRestart(disk)).toHaveLength(2);
  },
);
