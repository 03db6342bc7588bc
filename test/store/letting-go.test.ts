/** Whatever goes wrong at a start or at a stop, the data directory is let go: the next sandbox of this process may have it (contract §7). */
import { expect, it, onTestFinished } from 'vitest';
import { World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';
import { CrashDisk } from './crash-disk.js';

const config = { dataDir: '/data', audit: false } as const;

function refusedBy(disk: CrashDisk, ...operations: string[]): void {
  disk.before = (operation, path) => {
    if (!path.endsWith('.lock') && operations.includes(operation))
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
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
  await disk.write(file, Buffer.from(`${later}\n`), 0);
  await disk.close(file);
  await expect(startTestSandbox(config, { disk })).rejects.toThrow(/version 99/);
  await disk.unlink('/data/worker.9.log');
  expect(await (await startsAgain(disk)).items('/_sandbox/messages')).toHaveLength(1);
});

it('a stop that cannot write what is left', async () => {
  const disk = new CrashDisk();
  const first = await startTestSandbox(config, { disk });
  await new World(first.url, 'worker').text();
  refusedBy(disk, 'write', 'datasync');
  await expect(first.close()).rejects.toThrow(/EIO/);
  await startsAgain(disk);
});
