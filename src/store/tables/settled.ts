/**
 * Rows that will hardly change again, kept small: each is one text, of which the row is made anew when somebody asks for
 * it. What a million of them take is what their texts take.
 */
import type { Row } from '../../domain/row.js';
import type { SharedParts } from './shared-parts.js';

/** A row at rest. Its number is beside the text, so that lists are searched without reading it. */
export class Settled {
  constructor(
    readonly id: string,
    readonly seq: number,
    readonly text: string,
  ) {}
}

/** How the rows of a table come to rest. All indexes of such a table are in the order of `seq`. */
export interface Settling<R extends Row> {
  /** So many of the newest rows stay as they are: they are what is asked for most. */
  readonly newest: number;
  /** What their texts name by number. */
  readonly parts: SharedParts;
  /** Whether nothing is to be expected of the row any more. It may change all the same: it is a row again then. */
  isSettled(row: R): boolean;
  pack(row: R): Settled;
  /** @param parts the values of `parts`, as of the time when the row was stored */
  unpack(settled: Settled, parts: readonly unknown[]): R;
  /** What the indexes look at, without reading the rest. */
  keysOf(settled: Settled): R;
}
