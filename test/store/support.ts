import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Customer, Job, Message } from '../../src/domain/rows.js';
import { type AccountData, createTables, type PlainAccountData } from '../../src/store/account-data.js';
import type { Fsync } from '../../src/store/account-disk.js';
import { AccountStore } from '../../src/store/account-store.js';
import { type DataDirectory, type DirectoryOptions, openDirectory } from '../../src/store/directory.js';
import { machineTime } from '../../src/time/system-clock.js';

/** The start of all test clocks: any instant would do. */
const startMs = Date.UTC(2026, 2, 1, 9);

export function emptyData(): AccountData {
  return {
    meta: {
      createdAtMs: startMs,
      seq: 0,
      draws: {},
      clock: { mode: 'frozen', scale: 1, baseMs: startMs, anchorMs: startMs },
    },
    tables: createTables(),
  };
}

export function message(id: string, seq: number, text = 'hello'): Message {
  return {
    id,
    seq,
    wamid: `wamid.${id}`,
    origin: 'api',
    customer: '+12025550150',
    type: 'text',
    content: { text },
    status: 'accepted',
    error: null,
    createdAtMs: startMs,
    history: [{ status: 'accepted', atMs: startMs }],
    explain: { by: 'default', text: 'No rule matched.' },
  };
}

export function customer(id: string, seq: number): Customer {
  return { id, seq, profileName: null, lastInboundAtMs: null, windowClosesAtMs: null };
}

export function job(id: string, seq: number): Job {
  return { id, seq, kind: 'message.status', subject: 'm1', dueMs: startMs + seq, data: { status: 'sent' } };
}

/** A directory that is removed after the test. */
export async function freshDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sandbox-store-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export interface Opened {
  readonly directory: DataDirectory;
  readonly warnings: string[];
}

/** Opens a directory, and closes it after the test unless the test did. */
export async function openAt(dir: string, options: Partial<DirectoryOptions> = {}): Promise<Opened> {
  const warnings: string[] = [];
  const fsync: Fsync = 'interval';
  const warn = (text: string): number => warnings.push(text);
  const directory = await openDirectory({ dir, host: machineTime, fsync, warn, ...options });
  let closed: Promise<void> | null = null;
  const close = directory.close.bind(directory);
  directory.close = () => (closed ??= close());
  onTestFinished(() => directory.close().catch(() => undefined));
  return { directory, warnings };
}

export function createIn(directory: DataDirectory, key: string): AccountStore {
  const data = emptyData();
  return new AccountStore(data, directory.create(key, data), () => startMs);
}

/** The stored accounts, by key. */
export async function loadAll(directory: DataDirectory): Promise<Map<string, AccountStore>> {
  const stores = new Map<string, AccountStore>();
  for await (const { key, data, disk } of directory.load())
    stores.set(key, new AccountStore(data, disk, () => startMs));
  return stores;
}

export async function loadFrom(directory: DataDirectory, key: string): Promise<AccountStore> {
  const store = (await loadAll(directory)).get(key);
  if (!store) throw new Error(`no account ${key}`);
  return store;
}

/** The complete content of the account. */
export function plainOf(store: AccountStore): PlainAccountData {
  return JSON.parse(JSON.stringify({ meta: store.meta, tables: store.tables })) as PlainAccountData;
}

/** The same as text, to compare two accounts whatever the order of fields. */
export function contentOf(store: AccountStore): string {
  return JSON.stringify(plainOf(store), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** A write of a random test, as data. */
export interface Step {
  readonly kind: 'insert' | 'patch' | 'delete' | 'clear' | 'clock' | 'draw' | 'restore' | 'pair';
  readonly slot: number;
  readonly text: string;
}

/** Makes one write of the store. There are few slots, so that ids are reused after a deletion. */
export function take(store: AccountStore, { kind, slot, text }: Step, saved: { plain: string | null }): void {
  const { messages, customers, jobs } = store.tables;
  const id = `m${String(slot)}`;
  const existing = messages.get(id);
  store.update(() => {
    if (kind === 'insert' && !existing) messages.insert(message(id, store.nextSeq(), text));
    if (kind === 'patch' && existing) {
      const status = existing.status === 'accepted' ? 'sent' : existing.status === 'sent' ? 'delivered' : 'read';
      const history = [...existing.history, { status, atMs: startMs + slot } as const];
      messages.patch(existing, { status, history, content: { text } });
      messages.patch(existing, { batchId: text });
    }
    if (kind === 'delete' && existing) messages.delete(existing);
    if (kind === 'clear') customers.clear();
    if (kind === 'clock') store.setClock({ ...store.meta.clock, baseMs: store.meta.clock.baseMs + slot });
    if (kind === 'draw') store.meta.draws.uuid = (store.meta.draws.uuid ?? 0) + 4;
    if (kind === 'pair') {
      const known = customers.get(`+${String(slot)}`);
      if (known) customers.patch(known, { profileName: text });
      else customers.insert(customer(`+${String(slot)}`, store.nextSeq()));
      jobs.insert(job(`j${String(store.meta.seq)}`, store.nextSeq()));
      const [first] = jobs.all();
      if (first && jobs.size > 3) jobs.delete(first);
    }
    if (kind === 'restore') {
      if (saved.plain === null) saved.plain = contentOf(store);
      else store.replace(JSON.parse(saved.plain) as PlainAccountData);
    }
  });
}
