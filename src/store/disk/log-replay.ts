/**
 * An account while it is being read from its files: records by id, without indexes, so that each line of a log costs the
 * same; the tables are built once, at the end.
 */
import type { Row } from '../../domain/row.js';
import { purposes } from '../../random/stream.js';
import {
  type AccountData,
  createTables,
  type Meta,
  type PlainAccountData,
  tableEntries,
} from '../tables/account-data.js';
import type { LoggedBatch, LoggedChange } from './log-entry.js';
import type { Table } from '../tables/table.js';

export class Replica {
  readonly #tables = createTables();
  readonly #byName: ReadonlyMap<string, Table<Row>> = new Map(tableEntries(this.#tables));
  readonly #stored: Record<string, readonly object[]>;
  /** By id, from a table's first change on: of most there is none. */
  readonly #changed = new Map<string, Map<string, Row>>();
  readonly #meta: Meta;

  constructor({ meta, tables }: PlainAccountData) {
    this.#stored = tables;
    this.#meta = { ...meta, draws: { ...meta.draws } };
  }

  apply(batch: LoggedBatch): void {
    for (const change of batch.changes) this.#change(change);
    const { seq, begunSeq, draws, clock, trimmed, nowMs } = batch.meta;
    if (seq !== undefined) this.#meta.seq = seq;
    if (begunSeq !== undefined) this.#meta.begunSeq = begunSeq;
    if (clock !== undefined) this.#meta.clock = clock;
    if (trimmed !== undefined) this.#meta.trimmed = trimmed;
    if (nowMs !== undefined) this.#meta.nowMs = nowMs;
    Object.assign(this.#meta.draws, draws);
  }

  /**
   * Called when lines are missing: numbers and ids that were handed out in them must not be handed out again. A step of
   * 2^24 draws is more than a log can hold before it is folded.
   */
  skipAhead(): void {
    const { draws } = this.#meta;
    // Of a purpose that only the missing lines drew for, nothing is known.
    for (const purpose of purposes) draws[purpose] = (draws[purpose] ?? 0) + 2 ** 24;
    for (const name of this.#byName.keys()) {
      for (const { seq } of this.#rowsOf(name)) this.#meta.seq = Math.max(this.#meta.seq, seq);
    }
  }

  /** The account. The replica must not be used afterwards: the rows are handed over. */
  build(): AccountData {
    for (const [name, table] of this.#byName) {
      for (const row of [...this.#rowsOf(name)].sort((a, b) => a.seq - b.seq)) table.insert(row);
    }
    return { meta: this.#meta, tables: this.#tables };
  }

  #rowsOf(name: string): Iterable<Row> {
    return this.#changed.get(name)?.values() ?? (this.#stored[name] as Row[] | undefined) ?? [];
  }

  #change(change: LoggedChange): void {
    if ('insert' in change) {
      this.#rows(change.insert).set(change.row.id, change.row);
    } else if ('patch' in change) {
      this.#patch(change);
    } else if ('delete' in change) {
      this.#rows(change.delete).delete(change.id);
    } else {
      this.#rows(change.clear).clear();
    }
  }

  #patch({ patch: name, id, set, unset = [] }: Extract<LoggedChange, { patch: string }>): void {
    const row = this.#rows(name).get(id);
    if (!row) return;
    Object.assign(row, set);
    for (const field of unset) Reflect.deleteProperty(row, field);
  }

  #rows(name: string): Map<string, Row> {
    let rows = this.#changed.get(name);
    if (!rows) {
      rows = new Map(Array.from(this.#rowsOf(name), (row) => [row.id, row]));
      this.#changed.set(name, rows);
    }
    return rows;
  }
}
