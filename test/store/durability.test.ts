import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AccountStore } from '../../src/store/tables/account-store.js';
import { openDirectory, type DataDirectory } from '../../src/store/disk/directory.js';
import { FilePersistence } from '../../src/store/disk/file-persistence.js';
import { AccountStore as Store } from '../../src/store/tables/account-store.js';
import type { Persistence } from '../../src/store/disk/persistence.js';
import { ManualHost } from '../support/manual-host.js';
import { CrashDisk } from './crash-disk.js';
import { steps } from './steps.js';
import { contentOf, createIn, emptyData, loadFrom, perform, type Step } from './support.js';
import { cases } from '../support/property.js';

const dir = '/data';

async function open(disk: CrashDisk): Promise<[DataDirectory, string[]]> {
  const warnings: string[] = [];
  const warn = (text: string): number => warnings.push(text);
  return [await openDirectory({ dir, host: new ManualHost(), fsync: 'always', warn, disk }), warnings];
}

function fileOf(persistence: Persistence): FilePersistence {
  if (persistence instanceof FilePersistence) return persistence;
  throw new Error('not on disk');
}

/** Rows so large that a slice of a checkpoint contains only a few of them. */
const wide = 'x'.repeat(60_000);

/** Calls `between` before each slice of a checkpoint is written. */
function onSlice(disk: CrashDisk, between: () => void): void {
  const { before } = disk;
  disk.before = (operation, path) => {
    before(operation, path);
    if (operation === 'write' && path.endsWith('k.json.tmp')) between();
  };
}

async function reloaded(disk: CrashDisk): Promise<{ content: string | null; warnings: string[] }> {
  const [directory, warnings] = await open(disk);
  const store: AccountStore | null = directory.keys().includes('k') ? await loadFrom(directory, 'k') : null;
  return { content: store && contentOf(store), warnings };
}

it('a log cut at any byte holds the account after some whole writes', async () => {
  await fc.assert(
    fc.asyncProperty(steps(25), fc.double({ min: 0, max: 1, noNaN: true }), async (list, cut) => {
      const disk = new CrashDisk();
      const [directory] = await open(disk);
      const store = createIn(directory, 'k');
      const states = [contentOf(store)];
      const saved = { plain: null };
      for (const step of list) {
        perform(store, step, saved);
        states.push(contentOf(store));
        // The checkpoint of a new account contains what happens before it is taken.
        if (states.length === 2) await store.flushed();
      }
      await store.flushed();
      if (!disk.names.includes('k.1.log')) return;
      const bytes = await disk.read(`${dir}/k.1.log`);
      const file = await disk.open(`${dir}/k.1.log`, 'r+');
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
      steps(12),
      steps(12),
      fc.integer({ min: 0, max: 160 }),
      fc.constantFrom(0, 0.3, 0.7, 1),
      fc.constantFrom('-', '.log', '.tmp'),
      async (first, during, crashAt, luck, slow) => {
        const disk = new CrashDisk();
        const saved = { plain: null };
        const data = emptyData();
        const [directory] = await open(disk);
        const persistence = fileOf(directory.create('k', data));
        const store = new Store(data, persistence);
        const states = [contentOf(store)];
        let answered = 0;
        const write = async (step: Step): Promise<void> => {
          perform(store, step, saved);
          const state = states.push(contentOf(store)) - 1;
          await store.flushed();
          answered = Math.max(answered, state);
        };
        let survivor: { disk: CrashDisk; answered: number } | null = null;
        disk.operations = 0;
        disk.slow = slow;
        disk.before = () => {
          if (disk.operations > crashAt) survivor ??= { disk: disk.survivor(luck), answered };
        };
        for (const step of first) await write({ ...step, text: step.text + wide });
        const left = [...during];
        const writes: Promise<void>[] = [];
        onSlice(disk, () => writes.push(...left.splice(0, 3).map(write)));
        await persistence.fold();
        await Promise.all([...writes, ...left.map(write)]);
        survivor ??= { disk: disk.survivor(luck), answered };
        const { content, warnings } = await reloaded(survivor.disk);
        expect(warnings.filter((text) => !text.includes('middle of a line') && !text.includes('not there'))).toEqual(
          [],
        );
        expect(states.slice(survivor.answered)).toContain(content ?? states[0]);
      },
    ),
    { numRuns: cases(120) },
  );
});

it('a checkpoint taken while writes go on, and the log begun with it, hold the account as it is', async () => {
  await fc.assert(
    fc.asyncProperty(steps(25), steps(40), fc.boolean(), async (first, during, lost) => {
      const disk = new CrashDisk();
      const saved = { plain: null };
      const [directory] = await open(disk);
      const data = emptyData();
      const persistence = fileOf(directory.create('k', data));
      const store = new Store(data, persistence);
      for (const step of first) perform(store, { ...step, text: step.text + wide }, saved);
      await store.flushed();
      const waiting = during.map((step) => () => perform(store, step, saved));
      onSlice(disk, () => {
        for (const write of waiting.splice(0, 4)) write();
      });
      await persistence.fold();
      for (const write of waiting.splice(0)) write();
      await store.flushed();
      const { content, warnings } = await reloaded(disk.survivor(lost ? 0 : 1));
      expect(warnings).toEqual([]);
      expect(content).toBe(contentOf(store));
    }),
    { numRuns: cases(40) },
  );
});

it('a checkpoint holds the account of one instant; changes since are in the log that begins with it', async () => {
  const disk = new CrashDisk();
  const [directory] = await open(disk);
  const data = emptyData();
  const persistence = fileOf(directory.create('k', data));
  const store = new Store(data, persistence);
  for (let slot = 0; slot < 12; slot += 1) {
    perform(store, { kind: 'insert', slot, text: wide }, { plain: null });
    await store.flushed();
  }
  let between = 0;
  onSlice(disk, () => {
    between += 1;
    perform(store, { kind: 'insert', slot: 100 + between, text: `between ${String(between)}` }, { plain: null });
  });
  await persistence.fold();
  await store.flushed();
  expect(between).toBeGreaterThan(2);
  expect(disk.durable(`${dir}/k.json`)).not.toContain('between');
  expect(disk.durable(`${dir}/k.2.log`)).toContain(`between ${String(between)}`);
  // The previous generation is no longer needed, and was removed.
  expect(disk.names).toEqual(['k.2.log', 'k.json']);
});
