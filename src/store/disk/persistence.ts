/** Where an account's data lasts: a lowdb adapter that takes each committed write as it happens. */
import type { Change } from '../tables/change.js';
import type { AccountData, Meta } from '../tables/account-data.js';
import type { Adapter } from 'lowdb';

/** One committed write: all of it lasts, or none. Counters and clock are there when they moved. */
export interface Batch {
  readonly changes: readonly Change[];
  readonly meta: Partial<Meta>;
}

export interface Persistence extends Adapter<AccountData> {
  /** Takes a committed write. Its bytes are fixed now: rows go on changing in place. */
  append(batch: Batch): void;
  /** Makes everything appended so far last; resolves when it does. lowdb calls it through `Low.write`. */
  write(data: AccountData): Promise<void>;
  /** Resolves when everything appended so far is with the operating system. */
  written(): Promise<void>;
  /** Whether what is appended lasts at all: without a disk nobody needs to tell it, and nobody waits. */
  readonly lasts: boolean;
  /** Whether what is appended can be written at present. */
  health(): Health;
  /** Ends the writing; everything appended has been written. */
  close(): Promise<void>;
}

/** No disk: nothing lasts longer than the process. */
export function memoryPersistence(): Persistence {
  return {
    lasts: false,
    append: () => undefined,
    read: () => Promise.resolve(null),
    write: () => Promise.resolve(),
    written: () => Promise.resolve(),
    health: () => ({ ok: true }),
    close: () => Promise.resolve(),
  };
}

/**
 * What an answered write promises (`--fsync`). `always`: it is on the medium. `interval`: it is with the
 * operating system at once, so that it survives the end of the process, and on the medium within 50 ms.
 */
export type Fsync = 'always' | 'interval';

/** Whether the disk takes what is given to it; if not, what it said last. */
export type Health = { readonly ok: true } | { readonly ok: false; readonly error: string };
