/**
 * Where an account's data lasts: a lowdb adapter that takes each committed write as it happens.
 */
import type { Adapter } from 'lowdb';
import type { AccountData, Meta } from './account-data.js';
import type { Change } from './table.js';

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
  /** Whether an answered write must have reached the disk first (`--fsync always`). */
  readonly waits: boolean;
  /** Ends the writing; everything appended has been written. */
  close(): Promise<void>;
}

/** No disk: nothing lasts longer than the process. */
export function memoryPersistence(): Persistence {
  return {
    waits: false,
    append: () => undefined,
    read: () => Promise.resolve(null),
    write: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
