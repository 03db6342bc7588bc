import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountStore } from '../../src/store/tables/account-store.js';
import type { Fsync } from '../../src/store/disk/persistence.js';
import { type DataDirectory, openDirectory } from '../../src/store/disk/directory.js';
import { ManualHost } from '../support/manual-host.js';
import { CrashDisk } from './crash-disk.js';
import { steps } from './steps.js';
import { contentOf, createIn, loadFrom, message, perform } from './support.js';
import { cases } from '../support/property.js';

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

function insert(store: AccountStore, id: string): void {
  store.update(() => store.tables.messages.insert(message(id, store.nextSeq())));
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

function fail(code: string, ...operations: string[]): (operation: string, path: string) => void {
  return (operation) => {
    if (!operations.includes(operation)) return;
    throw Object.assign(new Error(`${code}: no luck, ${operation}`), { code });
  };
}

describe('a sync', () => {
  it('happens every 50 ms; answers wait for the writing alone', async () => {
    const { disk, host, store } = await rig('interval');
    insert(store, 'm0');
    // The first response of an account waits for its checkpoint; later ones for the log.
    await store.answerable();
    insert(store, 'm0b');
    await store.answerable();
    insert(store, 'm1');
    await store.answerable();
    expect(disk.durable('/data/k.1.log')).toBe('');
    host.tick(49);
    await quiet();
    expect(disk.durable('/data/k.1.log')).toBe('');
    host.tick(1);
    await quiet();
    expect(disk.durable('/data/k.1.log')).toContain('"m1"');
    expect(host.nextInMs).toBeGreaterThan(100);
  });

  it('that fails is not believed afterwards: the account is written completely', async () => {
    const { disk, host, directory, store } = await rig('interval');
    insert(store, 'm0');
    await store.flushed();
    insert(store, 'm1');
    await store.flushed();
    disk.before = fail('EIO', 'datasync');
    host.tick(50);
    await quiet();
    expect(directory.health()).toMatchObject({ ok: false });
    const written: string[] = [];
    disk.before = (operation, path) => written.push(`${operation} ${path}`);
    host.tick(1000);
    await quiet();
    expect(written).toContain('write /data/k.json.tmp');
    expect(written).not.toContain('write /data/k.1.log');
    host.tick(50);
    await quiet();
    expect(directory.health()).toEqual({ ok: true });
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
      const start = disk.operations;
      disk.before = () => {
        const now = disk.operations - start;
        const fault = broken.find(({ at, lasts }) => now >= at && now < at + lasts);
        if (!fault) return;
        disk.partial = fault.partial;
        throw Object.assign(new Error(fault.code), { code: fault.code });
      };
      const saved = { plain: null };
      for (const step of list) {
        perform(store, step, saved);
        await store.flushed().catch(() => undefined);
        host.tick(50);
      }
      await quiet();
      disk.before = () => undefined;
      host.tick(1000);
      await quiet();
      await store.flushed();
      expect(directory.health()).toEqual({ ok: true });
      // Called once when it began and once when it ended, each time.
      expect(warnings.map((text) => text.includes('can be written again'))).toEqual(
        warnings.map((_, i) => i % 2 === 1),
      );
      await directory.close();
      if (directory.keys().length > 0 && store.meta.seq > 0) {
        expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
      }
    }),
    { numRuns: cases(150) },
  );
});

describe('a checkpoint', () => {
  /** Waits until the disk shows it, for at most as many turns as any checkpoint here can take. */
  async function until(shown: () => boolean): Promise<void> {
    for (let turn = 0; turn < 5000 && !shown(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(shown()).toBe(true);
  }

  /** More than 4 MiB of log. */
  function fill(store: AccountStore, from: number): void {
    for (let n = from; n < from + 45; n += 1) {
      store.update(() => store.tables.messages.insert(message(`m${String(n)}`, store.nextSeq(), 'x'.repeat(100_000))));
    }
  }

  it('begins by itself when the log has outgrown it, and the log before it goes', async () => {
    const { disk, store, warnings } = await rig('interval');
    insert(store, 'first');
    await store.flushed();
    fill(store, 0);
    await store.flushed();
    await until(() => !disk.names.includes('k.1.log') && !disk.names.includes('k.json.tmp'));
    expect(disk.names).toContain('k.json');
    expect(disk.durable('/data/k.json')).toContain('"m44"');
    // Half of the checkpoint's size is not enough for the next one.
    fill(store, 100);
    await store.flushed();
    await quiet();
    expect(disk.names).toContain('k.2.log');
    expect(disk.names).not.toContain('k.3.log');
    expect(warnings).toEqual([]);
    expect(await contentAfterRestart(disk.survivor(1))).toBe(contentOf(store));
  });

  it('that cannot be written costs nothing but a warning, and is tried again', async () => {
    const { disk, store, warnings, directory } = await rig('interval');
    insert(store, 'first');
    await store.flushed();
    disk.before = (operation, path) => {
      if (operation === 'write' && path.endsWith('.tmp')) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    fill(store, 0);
    await store.flushed();
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([
      'k.json could not be written: ENOSPC. Nothing is lost: the changes are in its log, and writing is retried when the log ' +
        'has grown.',
    ]);
    expect(directory.health()).toEqual({ ok: true });
    expect(disk.names).not.toContain('k.json.tmp');
    expect(await contentAfterRestart(disk.survivor(1))).toBe(contentOf(store));
    disk.before = () => undefined;
    fill(store, 100);
    await store.flushed();
    await until(() => disk.names.length === 1);
    expect(disk.names).toEqual(['k.json']);
    expect(await contentAfterRestart(disk.survivor(1))).toBe(contentOf(store));
  });
});

it('a log that rests lets its file go, and takes it up again', async () => {
  const { disk, host, store } = await rig('always');
  insert(store, 'm0');
  await store.flushed();
  insert(store, 'm1');
  await store.flushed();
  const open = disk.openFiles;
  host.tick(2000);
  await quiet();
  expect(disk.openFiles).toBe(open - 1);
  insert(store, 'm2');
  await store.flushed();
  expect(disk.openFiles).toBe(open);
  expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
});

it('a write is not confirmed before the checkpoint that contains it, whenever it is asked for', async () => {
  for (let turns = 0; turns < 12; turns += 1) {
    const { disk, store } = await rig('always');
    insert(store, 'm1');
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    await store.flushed();
    expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
  }
});

it('a write is not confirmed before the log that ends with it, whenever it is asked for', async () => {
  for (let turns = 0; turns < 12; turns += 1) {
    const { disk, store } = await rig('always');
    insert(store, 'm0');
    await store.flushed();
    const long = 'x'.repeat(5_000_000);
    store.update(() => store.tables.messages.insert(message('m1', store.nextSeq(), long)));
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    await store.flushed();
    expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
  }
});

it('a generation of the log begins when the one before it is on the medium', async () => {
  const { disk, store } = await rig('interval');
  insert(store, 'm0');
  await store.flushed();
  disk.slow = '.tmp';
  const known: boolean[] = [];
  disk.before = (operation, path) => {
    if (operation === 'open' && path.endsWith('k.2.log')) known.push(disk.durable('/data/k.1.log').includes('"m1"'));
  };
  store.update(() => store.tables.messages.insert(message('m1', store.nextSeq(), 'x'.repeat(5_000_000))));
  await store.flushed();
  insert(store, 'm2');
  await store.flushed();
  expect(known).toEqual([true]);
});
