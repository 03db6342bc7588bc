/** The data of an account: read directly, changed in atomic writes. */
import { ServiceError } from '../domain/errors.js';
import { maxMessages } from '../domain/limits.js';
import type { Row } from '../domain/rows.js';
import { type ClockState, flows } from '../time/account-clock.js';
import {
  type AccountData,
  createTables,
  type Meta,
  type Persistence,
  type RowOf,
  tableEntries,
  type TableName,
  type Tables,
} from './account-data.js';
import { notWritable, unwritten } from './disk.js';
import type { Change, Table } from './table.js';

export type CommitListener = (changes: readonly Change[]) => void;

export class AccountStore {
  readonly #data: AccountData;
  readonly #persistence: Persistence;
  readonly #listeners = new Set<CommitListener>();
  #changes: Change[] = [];
  #depth = 0;
  /** Counters and clock as they were after the latest write. */
  #written: Meta;
  #now: (() => number) | null = null;
  #flushComing = false;

  constructor(data: AccountData, persistence: Persistence) {
    this.#data = data;
    this.#persistence = persistence;
    this.#written = { ...data.meta, draws: { ...data.meta.draws } };
    for (const [, table] of tableEntries(data.tables)) table.listen((change) => this.#changes.push(change));
  }

  get tables(): Tables {
    return this.#data.tables;
  }

  get meta(): Readonly<Meta> {
    return this.#data.meta;
  }

  /** Sets the clock whose time each write records, so that a restart cannot start before it. */
  stampWith(now: () => number): void {
    this.#now = now;
  }

  /** Number of rows removed from a table because of a limit since the account started. */
  trimmed(table: string): number {
    return this.meta.trimmed?.[table] ?? 0;
  }

  /** Removes a row because of a limit. Call it only inside a transaction. */
  trim<Name extends TableName>(name: Name, row: RowOf<Name>): void {
    (this.tables[name] as unknown as Table<Row>).delete(row);
    this.#setTrimmed(name, this.trimmed(name) + 1);
  }

  /** Assigns the next number of the account's sequence. Call it only inside a transaction. */
  nextSeq(): number {
    return ++this.#data.meta.seq;
  }

  /**
   * Makes the account new until its next write. Do not call it inside a transaction, which may assign a number at its
   * end.
   */
  begin(): void {
    this.#data.meta.begunSeq = this.meta.seq;
    this.update(() => undefined);
  }

  /** Whether nothing has happened since the account started: no record, no change of the clock. */
  get isNew(): boolean {
    return this.meta.seq === (this.meta.begunSeq ?? 0);
  }

  /** Must be called when something happened that is not stored as a record. */
  touch(): void {
    if (this.isNew) this.update(() => this.nextSeq());
  }

  setClock(clock: ClockState): void {
    this.update(() => {
      this.#data.meta.clock = clock;
    });
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

  /** Calls `listener` after each write with its changes; returns a function that stops this. */
  onCommit(listener: CommitListener): () => boolean {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves when a response or an event may be sent: when all changes survive the process, and with `--fsync always` a
   * power failure. Null if there is nothing to wait for.
   * @throws ServiceError `store_unavailable` if the changes could not be written
   */
  answerable(): Promise<void> | null {
    return this.#persistence.lasts ? this.flushed().catch(unwritten) : null;
  }

  /** Like `answerable`, for a call that changed only the journal: its entry is stored if the disk works. */
  noted(): Promise<void> | null {
    return this.#persistence.lasts && this.#persistence.health().ok ? this.flushed() : null;
  }

  /** Stores the time of a running clock, if the disk works: a call shows it, so it must not be earlier after a crash. */
  async timeNoted(): Promise<void> {
    const { meta } = this.#data;
    if (!this.#persistence.lasts || !flows(meta.clock) || !this.#now || !this.#persistence.health().ok) return;
    meta.nowMs = this.#now();
    this.#persistence.append({ changes: [], meta: this.#metaChanges() });
    await this.flushed().catch(() => undefined);
  }

  /** @throws ServiceError `limit_reached` if the account takes no more messages */
  requireRoom(): void {
    if (this.tables.messages.size < maxMessages) return;
    throw new ServiceError(
      'limit_reached',
      `Limit reached: this account already has ${maxMessages} messages. Empty it with POST /_sandbox/reset, or use another key.`,
    );
  }

  /**
   * Must be called before a call changes the account: while the disk is not writable, changes are rejected.
   * @throws ServiceError `store_unavailable`
   */
  requireWritable(): void {
    const health = this.#persistence.health();
    if (!health.ok) throw notWritable(health.error);
  }

  /** Resolves when all changes so far are stored. */
  flushed(): Promise<void> {
    return this.#persistence.flushed();
  }

  async close(): Promise<void> {
    const { meta } = this.#data;
    if (flows(meta.clock) && this.#now) meta.nowMs = this.#now();
    await this.#persistence.close();
  }

  /** Returns a copy of the account, with some other counters. The values in the fields of rows, which never change, are shared. */
  copy(meta: Partial<Meta>): AccountData {
    const tables = createTables();
    for (const [name, table] of tableEntries(tables)) {
      table.fill((this.tables[name] as unknown as Table<Row>).all().map((row) => ({ ...row })));
    }
    return { meta: { ...structuredClone(this.meta), ...meta }, tables };
  }

  /** Replaces everything by other data, as one write. Its rows must not be used any more. */
  replace(other: AccountData): void {
    this.update(() => {
      for (const [name, table] of tableEntries(this.tables)) {
        table.replace((other.tables[name] as unknown as Table<Row>).all());
      }
      const { meta } = this.#data;
      // The sequence never goes back: an older cursor must keep its meaning.
      meta.seq = Math.max(meta.seq, other.meta.seq);
      this.setDraws(other.meta.draws);
      this.setClock(other.meta.clock);
    });
  }

  /** Sets the positions of the random streams; streams that are not in `draws` start over. */
  setDraws(draws: Record<string, number>): void {
    const own = this.#data.meta.draws;
    for (const purpose of Object.keys(own)) own[purpose] = 0;
    Object.assign(own, draws);
  }

  #commit(): void {
    const changes = this.#changes;
    const { meta } = this.#data;
    for (const { op, table } of changes) if (op === 'clear' && this.trimmed(table) > 0) this.#setTrimmed(table, 0);
    // A write that numbers no record gets a number too, so that a cursor can be before or after every write.
    const numbersNone = meta.seq === this.#written.seq;
    if (numbersNone && (changes.length > 0 || meta.clock !== this.#written.clock)) meta.seq += 1;
    const isWrite = meta.seq !== this.#written.seq;
    // The state of a frozen clock contains its time.
    if (isWrite && flows(meta.clock) && this.#now) meta.nowMs = this.#now();
    if (this.#persistence.lasts) {
      const metaChanges = this.#metaChanges();
      if (Object.keys(metaChanges).length === 0) return;
      this.#persistence.append({ changes, meta: metaChanges });
      this.#flushSoon();
    } else {
      this.#written.seq = meta.seq;
      this.#written.clock = meta.clock;
    }
    if (!isWrite) return;
    this.#changes = [];
    for (const listener of this.#listeners) listener(changes);
  }

  /** Returns the counters and the clock that changed since the last call, with only those streams that were drawn from. */
  #metaChanges(): Partial<Meta> {
    const { draws, ...meta } = this.#data.meta;
    const { draws: drawn, ...written } = this.#written;
    const moved = Object.entries(draws).filter(([purpose, count]) => drawn[purpose] !== count);
    const changed = Object.entries(meta).filter(([name, value]) => written[name as keyof typeof written] !== value);
    Object.assign(this.#written, Object.fromEntries(changed));
    Object.assign(drawn, Object.fromEntries(moved));
    return { ...Object.fromEntries(changed), ...(moved.length > 0 && { draws: Object.fromEntries(moved) }) };
  }

  #setTrimmed(table: string, count: number): void {
    const trimmed = { ...this.meta.trimmed };
    trimmed[table] = count;
    this.#data.meta.trimmed = trimmed;
  }

  /** Starts one flush for all writes of this turn of the event loop. Callers of `flushed` receive its error. */
  #flushSoon(): void {
    if (this.#flushComing) return;
    this.#flushComing = true;
    queueMicrotask(() => {
      this.#flushComing = false;
      this.flushed().catch(() => undefined);
    });
  }
}
