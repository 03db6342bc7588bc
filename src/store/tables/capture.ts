/**
 * An account as it was at one instant, written in slices while it goes on changing: the content of a snapshot. Unlike a
 * checkpoint, it has no log that makes up for what changes meanwhile.
 */
import type { Row } from '../../domain/row.js';
import { type AccountData, createTables, type Meta, tableEntries } from './account-data.js';
import type { Table } from './table.js';

/** A slice ends at whichever comes first: a few milliseconds of work in any case. */
const sliceRows = 1000;
const sliceChars = 256 * 1024;
/** To copy a row takes less than to write it down. */
const copiedRows = 10_000;

export class Capture {
  readonly #meta: Meta;
  readonly #tables;

  constructor({ meta, tables }: AccountData) {
    this.#meta = structuredClone(meta);
    this.#tables = tableEntries(tables).map(([name, table]) => ({ name, rows: table.capture() }));
  }

  /** Slices of the JSON text of `PlainAccountData`. @param meta what is to stand in place of the captured counters and clock */
  *slices(meta: Partial<Meta> = {}): Generator<string> {
    let text = `{"meta":${JSON.stringify({ ...this.#meta, ...meta })},"tables":{`;
    let count = 0;
    for (const [index, { name, rows }] of this.#tables.entries()) {
      text += `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`;
      let separator = '';
      for (const row of rows.texts()) {
        text += separator + row;
        separator = ',';
        if (++count >= sliceRows || text.length >= sliceChars) {
          yield text;
          text = '';
          count = 0;
        }
      }
      text += ']';
    }
    yield `${text}}}`;
  }

  /**
   * Fills the tables of a new account, of which nobody else knows yet; yields after each slice.
   * @param meta what is to stand in place of the captured counters and clock
   * @returns the new account's data
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

  /** Lets the account go on without it. */
  release(): void {
    for (const { rows } of this.#tables) rows.release();
  }
}
