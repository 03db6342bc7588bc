/**
 * An account as it was at one instant, written down in slices while it goes on changing: what a snapshot holds (contract §4).
 * Other than a checkpoint, it has no log that makes up for what changes meanwhile.
 */
import { type AccountData, type Meta, tableEntries } from './account-data.js';

/** A slice ends at whichever comes first: a few milliseconds of work in any case. */
const sliceRows = 1000;
const sliceChars = 256 * 1024;

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

  /** Lets the account go on without it. */
  release(): void {
    for (const { rows } of this.#tables) rows.release();
  }
}
