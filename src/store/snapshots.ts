/** Snapshots of each account by name, as JSON texts; an account keeps the newest ones. */
import { maxSnapshots } from '../domain/limits.js';

export interface SnapshotInfo {
  readonly name: string;
  readonly seq: number;
  readonly takenAtMs: number;
  readonly bytes: number;
}

export interface SnapshotShelf {
  /** Stores or replaces a snapshot; the oldest one beyond the limit goes. */
  put(key: string, name: string, takenAtMs: number, text: string): Promise<SnapshotInfo>;
  /** Returns the text of a snapshot; null if there is none. */
  get(key: string, name: string): Promise<string | null>;
  /** In the order in which they were taken. */
  list(key: string): Promise<SnapshotInfo[]>;
  remove(key: string, name: string): Promise<boolean>;
  /** Removes all snapshots of an account. */
  forget(key: string): Promise<void>;
}

/** Snapshots in the memory of the process, for a sandbox without a data directory. */
export function memoryShelf(): SnapshotShelf {
  const shelves = new Map<string, Map<string, { readonly info: SnapshotInfo; readonly text: string }>>();
  let seq = 0;
  return {
    put: (key, name, takenAtMs, text) => {
      const shelf = shelves.get(key) ?? new Map<string, { info: SnapshotInfo; text: string }>();
      shelves.set(key, shelf);
      // Removed first, so that the latest snapshot is the last one.
      shelf.delete(name);
      const info = { name, seq: (seq += 1), takenAtMs, bytes: Buffer.byteLength(text) };
      shelf.set(name, { info, text });
      const [oldest] = shelf.size > maxSnapshots ? shelf.keys() : [];
      if (oldest !== undefined) shelf.delete(oldest);
      return Promise.resolve(info);
    },
    get: (key, name) => Promise.resolve(shelves.get(key)?.get(name)?.text ?? null),
    list: (key) => Promise.resolve(Array.from(shelves.get(key)?.values() ?? [], ({ info }) => info)),
    remove: (key, name) => Promise.resolve(shelves.get(key)?.delete(name) ?? false),
    forget: (key) => {
      shelves.delete(key);
      return Promise.resolve();
    },
  };
}
