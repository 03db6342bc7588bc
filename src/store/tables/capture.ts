/**
 * Captures an account at one instant, for checkpoints and snapshots. It is written in slices while the account
 * continues to change.
 */
import type { Row } from '../../domain/row.js';
import { type AccountData, createTables, type Meta, tableEntries } from './account-data.js';
import type { Table } from './table.js';

/** A slice ends at the first limit that it reaches, after about a millisecond of work. */
const sliceRows = 1000;
const sliceChars = 64 * 1024;
/** Copying a row takes less time than writing it. */
const copiedRows = 10_000;

/** @param tables each with its records as JSON */
export function* accountSlices(
  meta: Meta,
  tables: readonly (readonly [name: string, rows: Iterable<string>])[],
): Generator<string> {
  let text = `"meta":${JSON.stringify(meta)},\n"tables":{`;
  let count = 0;
  for (const [index, [name, rows]] of tables.entries()) {
    text += `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:[`;
    let separator = '\n';
    for (const row of rows) {
      text += separator + row;
      separator = ',\n';
      if (++count % sliceRows === 0 || text.length >= sliceChars) {
        yield text;
        text = '';
      }
    }
    text += separator === '\n' ? ']' : '\n]';
  }
  yield `${text}\n}`;
}

export class Capture {
  readonly #meta: Meta;
  readonly #tables;

  constructor({ meta, tables }: AccountData) {
    this.#meta = structuredClone(meta);
    this.#tables = tableEntries(tables).map(([name, table]) => ({ name, rows: table.capture() }));
  }

  /**
   * Slices of JSON text: the two fields of `PlainAccountData` without the braces around them, one record a line.
   * @param meta replaces captured counters and the clock
   */
  *slices(meta: Partial<Meta> = {}): Generator<string> {
    const tables = this.#tables.map(({ name, rows }) => [name, rows.texts()] as const);
    yield* accountSlices({ ...this.#meta, ...meta }, tables);
  }

  /**
   * Fills the tables of a new account; yields after each slice.
   * @param meta replaces captured counters and the clock
   * @returns the data of the new account
   */
  *copy(meta: Partial<Meta>): Generator<undefined, AccountData> {
    const tables = createTables();
    let count = 0;
    for (const { name, rows } of this.#tables) {
      const table = tables[name] as unknown as Table<Row>;
      for (const row of rows.copies()) {
        table.adopt(row);
        if (++count % copiedRows === 0) yield;
      }
      table.weight = rows.weight;
    }
    return { meta: { ...this.#meta, ...meta }, tables };
  }

  /** Must be called at the end: until then, every row that changes is copied. */
  release(): void {
    for (const { rows } of this.#tables) rows.release();
  }
}
