/** Reads are direct, writes atomic. */
import { limitReached, ServiceError } from '../domain/errors.js';
import { maxMessages } from '../domain/limits.js';
import type { Row } from '../domain/rows.js';
import { type ClockState, flows } from '../time/account-clock.js';
import type { AccountDisk } from './account-disk.js';
import {
  type AccountData,
  createTables,
  type Meta,
  type PlainAccountData,
  type RowOf,
  tableEntries,
  type TableName,
  type Tables,
} from './account-data.js';
import { diskAdvice, errorText } from './disk.js';
import { fullHeap } from './heap.js';
import type { Change, Table } from './table.js';

export type CommitListener = (changes: readonly Change[]) => void;

export class AccountStore {
  readonly tables: Tables;
  readonly #listeners = new Set<CommitListener>();
  #changes: Change[] = [];
  #depth = 0;
  /** The number, the clock and all counters as they were after the latest write. */
  #seq: number;
  #clock: ClockState;
  #stored: string;

  /**
   * @param disk null keeps the account in memory only
   * @param now account time: each write records the time of a running clock, so that a restart cannot start before it
   */
  constructor(
    private readonly data: AccountData,
    private readonly disk: AccountDisk | null,
    private readonly now: () => number,
  ) {
    this.tables = data.tables;
    this.#seq = data.meta.seq;
    this.#clock = data.meta.clock;
    this.#stored = JSON.stringify(data.meta);
    for (const [, table] of tableEntries(data.tables)) table.listen((change) => this.#changes.push(change));
  }

  get meta(): Readonly<Meta> {
    return this.data.meta;
  }

  /** Counted since the account started. */
  trimmed(table: string): number {
    return this.meta.trimmed?.[table] ?? 0;
  }

  /** Call it only inside a transaction. */
  trim<Name extends TableName>(name: Name, row: RowOf<Name>): void {
    (this.tables[name] as unknown as Table<Row>).delete(row);
    this.#setTrimmed(name, this.trimmed(name) + 1);
  }

  #setTrimmed(table: string, count: number): void {
    this.data.meta.trimmed = { ...this.meta.trimmed, [table]: count };
  }

  /** Call it only inside a transaction. */
  nextSeq(): number {
    return ++this.data.meta.seq;
  }

  /** Do not call it inside a transaction, which may assign a number at its end. */
  begin(): void {
    this.data.meta.begunSeq = this.meta.seq;
    this.update(() => undefined);
  }

  /** True until the first record or change of the clock. */
  get isNew(): boolean {
    return this.meta.seq === (this.meta.begunSeq ?? 0);
  }

  /** Must be called when something happened that is not stored as a record. */
  touch(): void {
    if (this.isNew) this.update(() => this.nextSeq());
  }

  setClock(clock: ClockState): void {
    this.update(() => {
      this.data.meta.clock = clock;
    });
  }

  /** Streams that are not in `draws` start over. */
  setDraws(draws: Record<string, number>): void {
    const own = this.data.meta.draws;
    for (const purpose of Object.keys(own)) own[purpose] = 0;
    Object.assign(own, draws);
  }

  /**
   * Runs `work`; all its changes are one write, stored as a whole or not at all. Nested calls join the outer one.
   * Validate first, then change: changes before an exception are kept, so that memory and disk never differ.
   */
  update<T>(work: () => T): T {
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#commit();
    }
  }

  /** Returns a function that stops this. */
  onCommit(listener: CommitListener): () => boolean {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves when a response or an event may be sent: when all changes survive the process, and with `--fsync always` a
   * power failure. Null if there is nothing to wait for.
   * @throws ServiceError `store_unavailable` if the changes could not be written yet: they stay in memory, and are written
   * when that succeeds
   */
  answerable(): Promise<void> | null {
    if (!this.disk) return null;
    return this.disk.flushed().catch((cause: unknown) => {
      const text =
        `This call was applied, but is not on disk yet: ${errorText(cause)}. It is kept in memory, and stored as soon as the ` +
        'disk can be written: do not send it again.';
      throw new ServiceError('store_unavailable', text, { cause });
    });
  }

  /** A call that changed only the journal: its entry is stored if the disk works. */
  noted(): Promise<void> | null {
    return this.disk && !this.disk.error ? this.disk.flushed() : null;
  }

  /** Stores the time of a running clock, if the disk works: a call shows it, so it must not be earlier after a crash. */
  async timeNoted(): Promise<void> {
    if (!this.disk || this.disk.error || !flows(this.meta.clock)) return;
    this.data.meta.nowMs = this.now();
    this.#store([]);
    await this.disk.flushed().catch(() => undefined);
  }

  /**
   * Must be called before a message, a code or an event is added.
   * @throws ServiceError `limit_reached` if the account takes no more messages, or the process no more records
   */
  requireRoom(): void {
    const { size } = this.tables.messages;
    if (size >= maxMessages)
      throw limitReached(size, 'messages', 'Empty it with POST /_sandbox/reset, or use another key.');
    const heap = fullHeap();
    if (!heap) return;
    const text =
      `Limit reached: the process uses ${heap.usedMb} MB of the ${heap.limitMb} MB that its heap may have. Reset or delete ` +
      'accounts that are done (POST /_sandbox/reset, DELETE /_sandbox/accounts/KEY), or start the sandbox with more, such as ' +
      'NODE_OPTIONS=--max-old-space-size=4096.';
    throw new ServiceError('limit_reached', text);
  }

  /**
   * Must be called before a call changes the account: while the disk is not writable, changes are rejected.
   * @throws ServiceError `store_unavailable`
   */
  requireWritable(): void {
    const error = this.disk?.error;
    if (!error) return;
    const advice = `Nothing was changed. ${diskAdvice(error.cause)}, then send the call again. Reads still work.`;
    // Writing is tried again every second.
    throw new ServiceError('store_unavailable', `${error.message}. ${advice}`, {
      cause: error,
      headers: { 'Retry-After': '1' },
    });
  }

  /** The values in the fields of rows, which never change, are shared. */
  copy(meta: Partial<Meta>): AccountData {
    const tables = createTables();
    for (const [name, table] of tableEntries(tables)) {
      table.fill((this.tables[name] as unknown as Table<Row>).all().map((row) => ({ ...row })));
    }
    return { meta: { ...structuredClone(this.meta), ...meta }, tables };
  }

  /** Takes over the rows, as one write. */
  replace({ meta: { seq, draws, clock }, tables }: PlainAccountData): void {
    this.update(() => {
      for (const [name, table] of tableEntries(this.tables)) table.replace(tables[name]);
      // The sequence never goes back: an older cursor must keep its meaning.
      this.data.meta.seq = Math.max(this.meta.seq, seq);
      this.setDraws(draws);
      this.setClock(clock);
    });
  }

  #commit(): void {
    const changes = this.#changes;
    this.#changes = [];
    const { meta } = this.data;
    for (const { op, table } of changes) if (op === 'clear' && this.trimmed(table) > 0) this.#setTrimmed(table, 0);
    // A write that numbers no record gets a number too, so that a cursor can be before or after every write.
    if (meta.seq === this.#seq && (changes.length > 0 || meta.clock !== this.#clock)) meta.seq += 1;
    const isWrite = meta.seq !== this.#seq;
    this.#seq = meta.seq;
    this.#clock = meta.clock;
    // The state of a frozen clock contains its time.
    if (isWrite && flows(meta.clock)) meta.nowMs = this.now();
    this.#store(changes);
    if (isWrite) for (const listener of this.#listeners) listener(changes);
  }

  #store(changes: readonly Change[]): void {
    if (!this.disk) return;
    const meta = JSON.stringify(this.meta);
    if (meta === this.#stored) return;
    this.#stored = meta;
    this.disk.append(changes, meta);
  }
}
