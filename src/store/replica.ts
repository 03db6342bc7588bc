/**
 * An account while it is being read from its files: records by id, without indexes, so that each line of a log costs the
 * same; the tables are built once, at the end.
 */
import type { Row } from '../domain/row.js';
import { type AccountData, createTables, type Meta, type PlainAccountData, tableEntries } from './account-data.js';
import type { LoggedBatch, LoggedChange } from './change-line.js';

export class Replica {
  readonly #tables = new Map<string, Map<string, Row>>();
  readonly #meta: Meta;

  constructor(plain: PlainAccountData) {
    for (const [name, rows] of Object.entries(plain.tables)) {
      this.#tables.set(name, new Map((rows as Row[]).map((row) => [row.id, row])));
    }
    this.#meta = { ...plain.meta, draws: { ...plain.meta.draws } };
  }

  apply(batch: LoggedBatch): void {
    for (const change of batch.changes) this.#change(change);
    const { seq, draws, clock } = batch.meta;
    if (seq !== undefined) this.#meta.seq = seq;
    if (clock !== undefined) this.#meta.clock = clock;
    Object.assign(this.#meta.draws, draws);
  }

  /**
   * Called when lines are missing: numbers and ids that were handed out in them must not be handed out again. A step of
   * 2^24 draws is more than a log can hold before it is folded.
   */
  skipAhead(): void {
    const { draws } = this.#meta;
    for (const purpose of Object.keys(draws)) draws[purpose] = (draws[purpose] ?? 0) + 2 ** 24;
    for (const rows of this.#tables.values()) {
      for (const row of rows.values()) this.#meta.seq = Math.max(this.#meta.seq, row.seq);
    }
  }

  /** The account. The replica must not be used afterwards: the rows are handed over. */
  build(): AccountData {
    const tables = createTables();
    for (const [name, table] of tableEntries(tables)) {
      const rows = [...(this.#tables.get(name)?.values() ?? [])].sort((a, b) => a.seq - b.seq);
      for (const row of rows) table.insert(row);
    }
    return { meta: this.#meta, tables };
  }

  #change(change: LoggedChange): void {
    if ('insert' in change) {
      this.#rows(change.insert).set(change.row.id, change.row);
    } else if ('patch' in change) {
      const row = this.#rows(change.patch).get(change.id);
      if (!row) return;
      Object.assign(row, change.set);
      for (const name of change.unset ?? []) Reflect.deleteProperty(row, name);
    } else if ('delete' in change) {
      this.#rows(change.delete).delete(change.id);
    } else {
      this.#rows(change.clear).clear();
    }
  }

  #rows(table: string): Map<string, Row> {
    let rows = this.#tables.get(table);
    if (!rows) this.#tables.set(table, (rows = new Map<string, Row>()));
    return rows;
  }
}
