/** The data of an account: read directly, changed in atomic writes. */
import { Low } from 'lowdb';
import { Capture } from './capture.js';
import { type AccountData, type Meta, type RowOf, tableEntries, type TableName, type Tables } from './account-data.js';
import { MemoryBudget, MemoryShare } from './memory-budget.js';
import { MetaChanges } from './meta-changes.js';
import type { Persistence } from '../disk/persistence.js';
import type { Change, Table } from './table.js';
import { notWritable, unwritten } from '../disk/disk-errors.js';
import type { Row } from '../../domain/row.js';
import { type ClockState, flows } from '../../time/account-clock.js';

export type CommitListener = (changes: readonly Change[]) => void;

export class AccountStore {
  readonly #low: Low<AccountData>;
  readonly #persistence: Persistence;
  readonly #listeners = new Set<CommitListener>();
  #changes: Change[] = [];
  #depth = 0;
  readonly #metaChanges: MetaChanges;
  readonly #memory: MemoryShare;
  #now: (() => number) | null = null;
  #writeComing = false;

  constructor(data: AccountData, persistence: Persistence, memory = new MemoryBudget(Infinity)) {
    this.#low = new Low(persistence, data);
    this.#persistence = persistence;
    this.#memory = new MemoryShare(memory);
    this.#memory.weigh(data.tables);
    this.#metaChanges = new MetaChanges(data.meta);
    for (const [, table] of tableEntries(data.tables)) table.listen((change) => this.#changes.push(change));
  }

  get tables(): Tables {
    return this.#low.data.tables;
  }

  get meta(): Readonly<Meta> {
    return this.#low.data.meta;
  }

  /** Sets the clock whose time each write records, so that a restart cannot start before it. */
  stampWith(now: () => number): void {
    this.#now = now;
  }

  /** Number of rows removed from a table because of a limit since the account started. */
  trimmed(table: string): number {
    return this.meta.trimmed?.[table] ?? 0;
  }

  /** Removes a row because of a limit. Call it only inside `update`. */
  trim<Name extends TableName>(name: Name, row: RowOf<Name>): void {
    (this.tables[name] as unknown as Table<Row>).delete(row);
    this.#setTrimmed(name, this.trimmed(name) + 1);
  }

  /** The memory that the account uses, in bytes. */
  get weight(): number {
    return this.#memory.weight;
  }

  /** Whether all accounts together have reached the memory limit. */
  get isMemoryFull(): boolean {
    return this.#memory.budget.isFull;
  }

  /** Assigns the next number of the account's sequence. Call it only inside `update`. */
  nextSeq(): number {
    return ++this.#low.data.meta.seq;
  }

  /** Makes the account new until its next write. Do not call it inside `update`, which may assign a number at its end. */
  begin(): void {
    this.#low.data.meta.begunSeq = this.meta.seq;
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
      this.#low.data.meta.clock = clock;
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
    const { meta } = this.#low.data;
    if (!this.#persistence.lasts || !flows(meta.clock) || !this.#now || !this.#persistence.health().ok) return;
    meta.nowMs = this.#now();
    this.#persistence.append({ changes: [], meta: this.#metaChanges.take(meta) });
    await this.flushed().catch(() => undefined);
  }

  /** @throws ServiceError `limit_reached` if nothing more may be stored */
  requireMemory(): void {
    this.#memory.budget.requireRoom();
  }

  /** Releases the memory of a deleted account. */
  leave(): void {
    this.#memory.leave();
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
    return this.#low.write();
  }

  async close(): Promise<void> {
    const { meta } = this.#low.data;
    if (flows(meta.clock) && this.#now) meta.nowMs = this.#now();
    await this.flushed();
    await this.#persistence.close();
  }

  /** Captures the current state of the account. The capture must be released. */
  capture(): Capture {
    return new Capture(this.#low.data);
  }

  /** Replaces everything by other data, as one write. Its tables must not be used any more. */
  replace(other: AccountData): void {
    this.update(() => {
      for (const [name, table] of tableEntries(this.tables)) {
        table.become(other.tables[name] as unknown as Table<Row>);
      }
      const { meta } = this.#low.data;
      // The sequence never goes back: an older cursor must keep its meaning.
      meta.seq = Math.max(meta.seq, other.meta.seq);
      this.setDraws(other.meta.draws);
      this.setClock(other.meta.clock);
    });
  }

  /** Sets the positions of the random streams; streams that are not in `draws` start over. */
  setDraws(draws: Record<string, number>): void {
    const own = this.#low.data.meta.draws;
    for (const purpose of Object.keys(own)) own[purpose] = 0;
    Object.assign(own, draws);
  }

  #commit(): void {
    const changes = this.#changes;
    const { meta } = this.#low.data;
    if (changes.length > 0) {
      this.#memory.weigh(this.tables);
      this.#forgetTrimmed(changes);
    }
    this.#numberWrite();
    // Every write has its own number, so the number shows whether there was one.
    const written = meta.seq !== this.#metaChanges.seq;
    // The state of a frozen clock contains its time.
    if (written && this.#persistence.lasts && flows(meta.clock) && this.#now) meta.nowMs = this.#now();
    const metaChanges = this.#metaChanges.take(meta);
    if (this.#persistence.lasts) {
      if (Object.keys(metaChanges).length === 0) return;
      this.#persistence.append({ changes, meta: metaChanges });
      this.#writeSoon();
    }
    if (!written) return;
    this.#changes = [];
    for (const listener of this.#listeners) listener(changes);
  }

  #forgetTrimmed(changes: readonly Change[]): void {
    for (const { op, table } of changes) if (op === 'clear' && this.trimmed(table) > 0) this.#setTrimmed(table, 0);
  }

  #setTrimmed(table: string, count: number): void {
    const trimmed = { ...this.meta.trimmed };
    trimmed[table] = count;
    this.#low.data.meta.trimmed = trimmed;
  }

  /** Starts one write for all commits of this turn of the event loop. Callers of `flushed` receive its error. */
  #writeSoon(): void {
    if (this.#writeComing) return;
    this.#writeComing = true;
    queueMicrotask(() => {
      this.#writeComing = false;
      this.#low.write().catch(() => undefined);
    });
  }

  /** Assigns a number to a write that numbers no record, so that a cursor can be before or after every write. */
  #numberWrite(): void {
    const { meta } = this.#low.data;
    const numbersNone = meta.seq === this.#metaChanges.seq;
    if (numbersNone && (this.#changes.length > 0 || this.#metaChanges.clockMoved(meta))) meta.seq += 1;
  }
}
