/** Resources are free at once: the data directory after a failed start or stop, the key of a deleted account. */
import { expect, it, onTestFinished } from 'vitest';
import { World } from '../support/client.js';
import { ManualHost } from '../support/manual-host.js';
import { startTestSandbox } from '../support/sandbox.js';
import { CrashDisk } from './crash-disk.js';

const config = { dataDir: '/data' } as const;

function refusedBy(disk: CrashDisk, ...operations: string[]): void {
  disk.before = (operation) => {
    if (operations.includes(operation)) throw Object.assign(new Error('EIO'), { code: 'EIO' });
  };
}

async function startsAgain(disk: CrashDisk): Promise<World> {
  disk.before = () => undefined;
  const sandbox = await startTestSandbox(config, { disk });
  onTestFinished(() => sandbox.close());
  return new World(sandbox.url, 'worker');
}

it('a start with a scenario that nobody knows', async () => {
  const disk = new CrashDisk();
  await expect(startTestSandbox({ ...config, scenarios: ['nowhere'] }, { disk })).rejects.toThrow(
    /no scenario "nowhere"/,
  );
  await startsAgain(disk);
});

it('a start that cannot read an account', async () => {
  const disk = new CrashDisk();
  const first = await startTestSandbox(config, { disk });
  await new World(first.url, 'worker').text();
  await first.close();
  const later = JSON.stringify({ format: 'messaging-sandbox/log', version: 99, key: 'worker', generation: 9 });
  const file = await disk.open('/data/worker.9.log', 'w');
  await file.appendFile(`${later}\n`);
  await file.close();
  await expect(startTestSandbox(config, { disk })).rejects.toThrow(/version 99/);
  await disk.unlink('/data/worker.9.log');
  expect(await (await startsAgain(disk)).items('/_sandbox/messages')).toHaveLength(1);
});

it('a stop that cannot write what is left', async () => {
  const disk = new CrashDisk();
  // On a machine whose time stands still, written data is not yet synced when the disk begins to fail.
  const first = await startTestSandbox(config, { disk, hostTime: new ManualHost() });
  await new World(first.url, 'worker').text();
  refusedBy(disk, 'write', 'datasync');
  await expect(first.close()).rejects.toThrow(/EIO/);
  await startsAgain(disk);
});

it('an account whose application goes on calling while it is dropped begins anew, and lasts', async () => {
  const disk = new CrashDisk();
  const first = await startTestSandbox(config, { disk });
  const worker = new World(first.url, 'worker');
  await worker.text('+12025550110', 'old');
  await worker.post('/_sandbox/snapshots', { name: 'old' });
  disk.slow = 'worker';
  const dropped = first.accounts.drop('worker');
  await worker.text('+12025550111', 'new');
  await worker.post('/_sandbox/snapshots', { name: 'new' });
  expect(await dropped).toBe(true);
  const shown = async (world: World) => ({
    texts: (await world.items<{ text: string }>('/_sandbox/messages')).map(({ text }) => text),
    snapshots: (await world.items<{ name: string }>('/_sandbox/snapshots')).map(({ name }) => name),
  });
  expect(await shown(worker)).toEqual({ texts: ['new'], snapshots: ['new'] });
  await first.close();
  expect(await shown(await startsAgain(disk))).toEqual({ texts: ['new'], snapshots: ['new'] });
});

it('files that cannot be removed at first are gone before the account that begins under their key is written', async () => {
  const disk = new CrashDisk();
  const host = new ManualHost(0);
  const first = await startTestSandbox({ ...config, fsync: 'always' }, { disk, hostTime: host });
  onTestFinished(() => first.close());
  const worker = new World(first.url, 'worker');
  const write = () => worker.call('POST', '/_sandbox/inbound', { from: '+12025550111', text: 'new' });
  await worker.text('+12025550110', 'old');
  refusedBy(disk, 'unlink');
  await expect(first.accounts.drop('worker')).rejects.toThrow('EIO');
  expect(await write()).toMatchObject({ status: 503, body: { error: { code: 'store_unavailable' } } });
  disk.before = () => undefined;
  host.tick(1000);
  let answer = await write();
  while (answer.status === 503) answer = await write();
  expect(answer.status).toBe(200);
  expect(disk.durable('/data/worker.1.log')).toContain('new');
  expect(disk.durable('/data/worker.1.log')).not.toContain('old');
});
