import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Fsync } from '../../src/store/account-disk.js';
import { type DataDirectory, openDirectory } from '../../src/store/directory.js';
import { ManualHost } from '../support/manual-host.js';
import { cases } from '../support/property.js';
import { CrashDisk } from './crash-disk.js';
import { steps } from './steps.js';
import { contentOf, createIn, loadAll, message, type Step, take } from './support.js';

const dir = '/data';

/** With files so short that a few writes outgrow them, written in parts of a record or so. */
async function open(
  disk: CrashDisk,
  fsync: Fsync = 'always',
  host = new ManualHost(),
): Promise<[DataDirectory, string[]]> {
  const warnings: string[] = [];
  const warn = (text: string): number => warnings.push(text);
  disk.partBytes = 300;
  return [await openDirectory({ dir, host, fsync, longJournal: 1500, warn, disk }), warnings];
}

async function reloaded(disk: CrashDisk): Promise<{ content: string | null; warnings: string[] }> {
  const [directory, warnings] = await open(disk);
  const store = (await loadAll(directory)).get('k');
  return { content: store ? contentOf(store) : null, warnings };
}

it('a journal cut at any byte holds the account after some whole writes', async () => {
  await fc.assert(
    fc.asyncProperty(steps(25), fc.double({ min: 0, max: 1, noNaN: true }), async (list, cut) => {
      const disk = new CrashDisk();
      const [directory] = await open(disk);
      const store = createIn(directory, 'k');
      const states = [contentOf(store)];
      const saved = { plain: null };
      for (const step of list) {
        take(store, step, saved);
        states.push(contentOf(store));
        // The file of a new account contains what happens before it is written.
        if (states.length === 2) await store.answerable();
      }
      await store.answerable();
      if (!disk.names.includes('k.journal')) return;
      const bytes = await disk.read(`${dir}/k.journal`);
      const file = await disk.open(`${dir}/k.journal`, 'r+');
      await file.truncate(Math.floor(bytes.length * cut));
      const { content, warnings } = await reloaded(disk.survivor(1));
      expect(states).toContain(content);
      expect(warnings.filter((text) => !text.includes('ends in the middle of a line'))).toEqual([]);
      if (cut === 1) expect(content).toBe(states.at(-1));
    }),
    { numRuns: cases(60) },
  );
});

it('after a power cut at any moment, the account is what it was after some write, no earlier than the last one answered', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps(40),
      fc.integer({ min: 0, max: 70 }),
      fc.constantFrom(0, 0.3, 0.7, 1),
      fc.constantFrom('-', '.journal', '.tmp'),
      fc.constantFrom<Fsync[]>('always', 'interval'),
      async (list, crashAt, luck, slow, fsync) => {
        const disk = new CrashDisk();
        const host = new ManualHost();
        const [directory] = await open(disk, fsync, host);
        const store = createIn(directory, 'k');
        const saved = { plain: null };
        const states = [contentOf(store)];
        let answered = 0;
        const write = async (step: Step): Promise<void> => {
          take(store, step, saved);
          const state = states.push(contentOf(store)) - 1;
          await store.answerable();
          // With `interval`, a power cut may take back what was answered.
          if (fsync === 'always' || luck === 1) answered = Math.max(answered, state);
        };
        let survivor: { disk: CrashDisk; answered: number } | null = null;
        disk.slow = slow;
        disk.before = () => {
          if (disk.operations > crashAt) survivor ??= { disk: disk.survivor(luck), answered };
        };
        // Every third write waits for those before it, so that some are made while files are written.
        let writes: Promise<void>[] = [];
        for (const [at, step] of list.entries()) {
          writes.push(write(step));
          if (at % 3 !== 2) continue;
          await Promise.all(writes);
          writes = [];
          host.tick(20);
        }
        await Promise.all(writes);
        survivor ??= { disk: disk.survivor(luck), answered };
        const { content, warnings } = await reloaded(survivor.disk);
        expect(warnings.filter((text) => !text.includes('middle of a line'))).toEqual([]);
        expect(states.slice(survivor.answered)).toContain(content ?? states[0]);
      },
    ),
    { numRuns: cases(80) },
  );
});

it.each([0, 1])(
  'an account whose removal is cut short anywhere is whole or gone, without a warning (luck %d)',
  async (luck) => {
    const disk = new CrashDisk();
    const [directory] = await open(disk);
    const store = createIn(directory, 'k');
    const insert = (id: string): unknown =>
      store.update(() => store.tables.messages.insert(message(id, store.nextSeq())));
    insert('m1');
    await store.answerable();
    insert('m2');
    await store.answerable();
    await directory.snapshots.put('k', 'one', 0, '{}');
    const survivors: CrashDisk[] = [];
    disk.before = () => survivors.push(disk.survivor(luck));
    const before = contentOf(store);
    await directory.remove('k');
    expect(survivors.length).toBeGreaterThan(4);
    for (const survivor of survivors) {
      const { content, warnings } = await reloaded(survivor);
      expect(warnings).toEqual([]);
      expect([before, null]).toContain(content);
      if (content === null) expect(survivor.names).toEqual([]);
    }
    const after = disk.survivor(luck);
    expect(await reloaded(after)).toEqual({ content: null, warnings: [] });
    expect(await (await open(after.survivor(0)))[0].snapshots.list('k')).toEqual([]);
  },
);

it('a snapshot that was deleted does not come back after a power cut', async () => {
  const disk = new CrashDisk();
  const [directory] = await open(disk);
  await directory.snapshots.put('k', 'one', 0, '{}');
  await directory.snapshots.remove('k', 'one');
  const [later] = await open(disk.survivor(0));
  expect(await later.snapshots.list('k')).toEqual([]);
});

it('an account is written and read in parts, since its file may be larger than a string can be', async () => {
  const disk = new CrashDisk();
  const [directory] = await open(disk);
  const store = createIn(directory, 'k');
  for (let n = 0; n < 6; n += 1)
    store.update(() => store.tables.messages.insert(message(`m${n}`, store.nextSeq(), 'x'.repeat(600))));
  const sizes: number[] = [];
  const opened = disk.open.bind(disk);
  disk.open = async (path, flags) => {
    const file = await opened(path, flags);
    return { ...file, appendFile: (data) => (sizes.push(data.length), file.appendFile(data)) };
  };
  await directory.close();
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThan(2_500);
  const parts: number[] = [];
  const next = disk.survivor(0);
  const read = next.parts.bind(next);
  next.parts = async function* (path) {
    for await (const part of read(path)) {
      parts.push(part.length);
      yield part;
    }
  };
  expect((await reloaded(next)).content).toBe(contentOf(store));
  expect(parts.length).toBeGreaterThan(2);
});

it('a journal of an earlier build, whose changed rows are whole, loads', async () => {
  const disk = new CrashDisk();
  const [directory] = await open(disk);
  const store = createIn(directory, 'k');
  for (const id of ['m1', 'm2']) {
    store.update(() => store.tables.messages.insert(message(id, store.nextSeq())));
    await store.answerable();
  }
  const row = { ...message('m1', 1), status: 'sent' };
  const line = JSON.stringify({ changes: [{ put: 'messages', row }], meta: store.meta });
  await (await disk.open(`${dir}/k.journal`, 'a')).appendFile(`${line}\n`);
  const [again] = await open(disk.survivor(1));
  expect((await loadAll(again)).get('k')?.tables.messages.get('m1')?.status).toBe('sent');
});
