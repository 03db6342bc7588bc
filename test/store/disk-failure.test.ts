import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountStore } from '../../src/store/account-store.js';
import { type DataDirectory, openDirectory } from '../../src/store/directory.js';
import type { Fsync } from '../../src/store/account-disk.js';
import { ManualHost } from '../support/manual-host.js';
import { cases } from '../support/property.js';
import { CrashDisk } from './crash-disk.js';
import { steps } from './steps.js';
import { contentOf, createIn, loadFrom, message, take } from './support.js';

interface Rig {
  readonly disk: CrashDisk;
  readonly host: ManualHost;
  readonly directory: DataDirectory;
  readonly warnings: string[];
  readonly store: AccountStore;
}

async function rig(fsync: Fsync): Promise<Rig> {
  const disk = new CrashDisk();
  const host = new ManualHost();
  const warnings: string[] = [];
  const directory = await openDirectory({ dir: '/data', host, fsync, warn: (text) => warnings.push(text), disk });
  return { disk, host, directory, warnings, store: createIn(directory, 'k') };
}

function insert(store: AccountStore, id: string, text?: string): void {
  store.update(() => store.tables.messages.insert(message(id, store.nextSeq(), text)));
}

async function contentAfterRestart(disk: CrashDisk): Promise<string> {
  const dir = '/data';
  const directory = await openDirectory({ dir, host: new ManualHost(), fsync: 'always', warn: () => undefined, disk });
  return contentOf(await loadFrom(directory, 'k'));
}

/** Waits until all work in progress has ended. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a sync', () => {
  it('happens every 50 ms; answers wait for the writing alone', async () => {
    const { disk, host, store } = await rig('interval');
    insert(store, 'm0');
    await store.answerable();
    insert(store, 'm1');
    await store.answerable();
    expect(disk.durable('/data/k.journal')).toBe('');
    host.tick(49);
    await quiet();
    expect(disk.durable('/data/k.journal')).toBe('');
    host.tick(1);
    await quiet();
    expect(disk.durable('/data/k.journal')).toContain('"m1"');
    expect(host.pending).toBe(0);
  });

  it('that fails is not believed afterwards: the account is written completely', async () => {
    const { disk, host, directory, store } = await rig('interval');
    insert(store, 'm0');
    await store.answerable();
    insert(store, 'm1');
    await store.answerable();
    disk.before = (operation) => {
      if (operation === 'datasync') throw Object.assign(new Error('EIO'), { code: 'EIO' });
    };
    host.tick(50);
    await quiet();
    expect(directory.isWritable).toBe(false);
    // What happens without a call meanwhile is in the file, too.
    insert(store, 'm2');
    const written: string[] = [];
    disk.before = (operation, path) => written.push(`${operation} ${path}`);
    host.tick(1000);
    await quiet();
    expect(written).toContain('write /data/k.json.tmp');
    expect(written).not.toContain('write /data/k.journal');
    expect(directory.isWritable).toBe(true);
    expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
  });
});

it('any failures at any moments lose nothing and tear nothing', async () => {
  const faults = fc.array(
    fc.record({
      at: fc.nat(60),
      code: fc.constantFrom('ENOSPC', 'EIO'),
      lasts: fc.integer({ min: 1, max: 6 }),
      partial: fc.nat(200),
    }),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(steps(15), faults, fc.constantFrom<Fsync[]>('always', 'interval'), async (list, broken, fsync) => {
      const { disk, host, store, directory, warnings } = await rig(fsync);
      disk.before = () => {
        const fault = broken.find(({ at, lasts }) => disk.operations >= at && disk.operations < at + lasts);
        if (!fault) return;
        disk.partial = fault.partial;
        throw Object.assign(new Error(fault.code), { code: fault.code });
      };
      const saved = { plain: null };
      for (const step of list) {
        take(store, step, saved);
        await store.answerable()?.catch(() => undefined);
        host.tick(50);
      }
      await quiet();
      disk.before = () => undefined;
      host.tick(1000);
      await quiet();
      await store.answerable();
      expect(directory.isWritable).toBe(true);
      // Called once when it began and once when it ended, each time.
      expect(warnings.map((text) => text.includes('can be written again'))).toEqual(
        warnings.map((_, i) => i % 2 === 1),
      );
      await directory.close();
      if (store.meta.seq > 0) expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
    }),
    { numRuns: cases(150) },
  );
});

it('changes that are made while an account is written after an error are written, too', async () => {
  const { disk, host, store } = await rig('always');
  insert(store, 'm0');
  disk.before = () => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  };
  await store.answerable()?.catch(() => undefined);
  let count = 0;
  disk.before = (operation) => {
    if (operation === 'datasync' && count < 3) insert(store, `during ${(count += 1)}`);
  };
  host.tick(1000);
  await quiet();
  await store.answerable();
  expect(count).toBe(3);
  expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
});

it('an account is written anew when its journal has outgrown the file, and not before', async () => {
  const { disk, store, warnings } = await rig('interval');
  insert(store, 'first');
  await store.answerable();
  const long = 'x'.repeat(100_000);
  for (let n = 0; n < 45; n += 1) insert(store, `m${n}`, long);
  await store.answerable();
  expect(disk.names).toEqual(['k.json']);
  expect(disk.durable('/data/k.json')).toContain('"m44"');
  // Half of the size of the file is not enough for the next one.
  for (let n = 0; n < 20; n += 1) insert(store, `n${n}`, long);
  await store.answerable();
  expect(disk.names).toEqual(['k.journal', 'k.json']);
  expect(disk.durable('/data/k.json')).not.toContain('"n19"');
  expect(warnings).toEqual([]);
  expect(await contentAfterRestart(disk.survivor(1))).toBe(contentOf(store));
});
