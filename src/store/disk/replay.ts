/** An account while it is loaded: records by id, without indexes, so that each line of a log costs the same. */
import type { Row } from '../../domain/row.js';
import { purposes } from '../../random/stream.js';
import {
  type AccountData,
  createTables,
  type Meta,
  type PlainAccountData,
  tableEntries,
} from '../tables/account-data.js';
import { headProblem, linesOf, type LoggedChange, parseBatch } from './log-lines.js';

export interface LogReport {
  /** The bytes up to the end of the last complete line. */
  readonly goodBytes: number;
  /** The bytes after it: a line that was being written when the process ended. */
  readonly tornBytes: number;
  /** The first complete line that could not be applied, and the number of such lines. */
  readonly bad: { readonly line: number; readonly reason: string; readonly count: number } | null;
}

export class Replay {
  readonly #tables = createTables();
  readonly #meta: Meta;
  readonly #rows: ReadonlyMap<string, Map<string, Row>>;

  constructor({ meta, tables }: PlainAccountData) {
    this.#meta = { ...meta, draws: { ...meta.draws } };
    this.#rows = new Map(
      tableEntries(this.#tables).map(([name]) => {
        // A version without this table wrote no list for it.
        const rows = (tables[name] as Row[] | undefined) ?? [];
        return [name, new Map(rows.map((row) => [row.id, row]))];
      }),
    );
  }

  /**
   * Applies the valid lines of a log in order.
   * @throws NewerLogError
   */
  apply(bytes: Buffer, key: string): LogReport {
    const bad: { line: number; reason: string }[] = [];
    const report = (): Pick<LogReport, 'bad'> => ({ bad: bad[0] ? { ...bad[0], count: bad.length } : null });
    let number = 0;
    let goodBytes = 0;
    for (const { text, end, isWhole } of linesOf(bytes)) {
      if (!isWhole) break;
      number += 1;
      goodBytes = end;
      const parsed = number === 1 ? headProblem(text, key) : parseBatch(text);
      if (typeof parsed === 'string') {
        bad.push({ line: number, reason: parsed });
        // A file that is not a log of this account contains no information about it.
        if (number === 1) return { goodBytes: bytes.length, tornBytes: 0, ...report() };
      } else if (parsed) {
        for (const change of parsed.changes) this.#change(change);
        const { draws, ...meta } = parsed.meta;
        Object.assign(this.#meta, meta);
        Object.assign(this.#meta.draws, draws);
      }
    }
    return { goodBytes, tornBytes: bytes.length - goodBytes, ...report() };
  }

  /**
   * Call it if lines are missing, because their numbers and ids must not be reused. A step of 2^24 draws is more than a
   * log can contain before a checkpoint replaces it.
   */
  skipAhead(): void {
    const { draws } = this.#meta;
    // The missing lines may contain the only draws for a purpose.
    for (const purpose of purposes) draws[purpose] = (draws[purpose] ?? 0) + 2 ** 24;
    for (const rows of this.#rows.values()) {
      for (const { seq } of rows.values()) this.#meta.seq = Math.max(this.#meta.seq, seq);
    }
  }

  /** Returns the account and gives up the rows: nothing may be applied afterwards. */
  build(): AccountData {
    for (const [name, table] of tableEntries(this.#tables)) {
      for (const row of [...this.#rowsOf(name).values()].sort((a, b) => a.seq - b.seq)) table.insert(row);
    }
    return { meta: this.#meta, tables: this.#tables };
  }

  #change(change: LoggedChange): void {
    if ('insert' in change) {
      this.#rowsOf(change.insert).set(change.row.id, change.row);
    } else if ('patch' in change) {
      const row = this.#rowsOf(change.patch).get(change.id);
      if (!row) return;
      Object.assign(row, change.set);
      for (const field of change.unset ?? []) Reflect.deleteProperty(row, field);
    } else if ('delete' in change) {
      this.#rowsOf(change.delete).delete(change.id);
    } else {
      this.#rowsOf(change.clear).clear();
    }
  }

  #rowsOf(name: string): Map<string, Row> {
    return this.#rows.get(name) ?? new Map<string, Row>();
  }
}
