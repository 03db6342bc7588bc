/** Where the data of an account is stored. */
import type { Meta } from './account-data.js';
import type { Change } from './table.js';

/** One committed write, stored as a whole or not at all, with the counters and the clock if they changed. */
export interface Batch {
  readonly changes: readonly Change[];
  readonly meta: Partial<Meta>;
}

export interface Persistence {
  /** Whether anything is stored. If not, nothing needs to be appended or awaited. */
  readonly lasts: boolean;
  /** Receives a committed write. It is serialised in this call, because rows change in place. */
  append(batch: Batch): void;
  /** Resolves when everything appended so far is stored as `Fsync` requires. */
  flushed(): Promise<void>;
  health(): Health;
  /** Writes the remaining changes and closes the files. */
  close(): Promise<void>;
}

/** Stores nothing. */
export function memoryPersistence(): Persistence {
  const nothing = (): Promise<void> => Promise.resolve();
  return { lasts: false, append: () => undefined, flushed: nothing, health: () => ({ ok: true }), close: nothing };
}

/**
 * The guarantee of a response to a write (`--fsync`). `always`: the write is on the medium. `interval`: the operating
 * system has it, so that it survives the process, and it is on the medium within 50 ms.
 */
export type Fsync = 'always' | 'interval';

/** Whether changes can be written now; if not, the latest error. */
export type Health = { readonly ok: true } | { readonly ok: false; readonly error: string };
