import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Customer, Job, Message } from '../../src/domain/rows.js';
import type { AccountStore } from '../../src/store/account-store.js';
import { type DataDirectory, openDirectory } from '../../src/store/directory.js';
import type { Fsync } from '../../src/store/account-disk.js';
import { ManualHost } from '../support/manual-host.js';
import { cases } from '../support/property.js';
import { CrashDisk } from './crash-disk.js';
import { steps } from './steps.js';
import { contentOf, createIn, customer, job, loadFrom, message, take } from './support.js';

interface Rig {
  readonly disk: CrashDisk;
  readonly host: ManualHost;
  readonly directory: DataDirectory;
  readonly warnings: string[];
  readonly store: AccountStore;
}

/** With files so short that a few writes outgrow them, written in parts of a record or so. */
async function rig(fsync: Fsync): Promise<Rig> {
  const disk = new CrashDisk();
  disk.partBytes = 300;
  const host = new ManualHost();
  const warnings: string[] = [];
  const warn = (text: string): number => warnings.push(text);
  const directory = await openDirectory({ dir: '/data', host, fsync, longJournal: 4000, warn, disk });
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

describe('a journal that has outgrown the file', () => {
  async function outgrown(): Promise<Rig> {
    const at = await rig('interval');
    insert(at.store, 'first');
    at.store.update(() => at.store.tables.jobs.insert(job('j1', at.store.nextSeq())));
    at.store.update(() => at.store.tables.customers.insert(customer('c1', at.store.nextSeq())));
    await at.store.answerable();
    for (let n = 0; n < 20; n += 1) insert(at.store, `m${n}`);
    at.disk.slow = '.tmp';
    await at.store.answerable();
    return at;
  }

  it('makes the account be written anew, and a shorter one does not', async () => {
    const { disk, store, warnings } = await outgrown();
    for (let turns = 0; turns < 10; turns += 1) await quiet();
    expect(disk.names).toEqual(['k.json']);
    expect(disk.durable('/data/k.json')).toContain('"m19"');
    // Half of the size of the file is not enough for the next one.
    for (let n = 0; n < 5; n += 1) insert(store, `n${n}`);
    await store.answerable();
    await quiet();
    expect(disk.names).toEqual(['k.journal', 'k.json']);
    expect(disk.durable('/data/k.json')).not.toContain('"n4"');
    expect(warnings).toEqual([]);
    expect(await contentAfterRestart(disk.survivor(1))).toBe(contentOf(store));
  });

  it('does not hold the calls that come meanwhile', async () => {
    const { disk, store } = await outgrown();
    const { messages, jobs, customers } = store.tables;
    // Two are changed, then gone before they would be written.
    store.update(() => messages.patch(messages.get('m0') as Message, { status: 'read' }));
    store.update(() => messages.delete(messages.get('m1') as Message));
    store.update(() => jobs.patch(jobs.get('j1') as Job, { dueMs: 0 }));
    store.update(() => jobs.delete(jobs.get('j1') as Job));
    store.update(() => customers.patch(customers.get('c1') as Customer, { profileName: 'Ada' }));
    store.update(() => customers.clear());
    insert(store, 'meanwhile');
    await store.answerable();
    expect(disk.names).toEqual(['k.journal', 'k.journal.previous', 'k.json', 'k.json.tmp']);
    expect(await contentAfterRestart(disk.survivor(1))).toBe(contentOf(store));
    for (let turns = 0; turns < 10; turns += 1) await quiet();
    expect(disk.names).toEqual(['k.journal', 'k.json']);
    expect(disk.durable('/data/k.json')).not.toMatch(/"j1"|"c1"/);
    expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
  });

  it('stays, with its file, when the disk fails before the new file is in place', async () => {
    const { disk, store, warnings } = await outgrown();
    const before = contentOf(store);
    disk.before = (operation, path) => {
      if (operation === 'write' && path === '/data/k.journal') throw new Error('EIO');
    };
    store.update(() => store.tables.messages.patch(store.tables.messages.get('m19') as Message, { status: 'read' }));
    await expect(store.answerable()).rejects.toThrow('EIO');
    for (let turns = 0; turns < 10; turns += 1) await quiet();
    expect(warnings).toHaveLength(1);
    expect(await contentAfterRestart(disk.survivor(1))).toBe(before);
  });

  it('is in the one file that a stop leaves, also in the middle', async () => {
    const { disk, directory, store } = await outgrown();
    insert(store, 'last');
    await directory.close();
    expect(disk.names).toEqual(['k.json']);
    expect(await contentAfterRestart(disk.survivor(0))).toBe(contentOf(store));
  });

  it('goes with its account, also in the middle', async () => {
    const { disk, directory } = await outgrown();
    await directory.remove('k');
    expect(disk.names).toEqual([]);
  });

  it('is continued after a start that follows a kill in the middle', async () => {
    const { disk, store } = await outgrown();
    insert(store, 'before the kill');
    await store.answerable();
    const after = disk.survivor(1);
    const directory = await openDirectory({
      dir: '/data',
      host: new ManualHost(),
      fsync: 'always',
      warn: () => undefined,
      disk: after,
    });
    const again = await loadFrom(directory, 'k');
    insert(again, 'after the kill');
    await again.answerable();
    expect(after.names).toEqual(['k.json']);
    expect(await contentAfterRestart(after.survivor(0))).toBe(contentOf(again));
  });
});
