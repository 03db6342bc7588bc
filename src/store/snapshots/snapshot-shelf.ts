/**
 * Snapshots kept by name, per account. A snapshot is a JSON text; what it means is `snapshots.ts`'s business.
 */
import type { Slices } from '../disk/atomic-write.js';

export interface SnapshotInfo {
  readonly name: string;
  readonly seq: number;
  readonly takenAtMs: number;
  readonly bytes: number;
}

export interface SnapshotShelf {
  put(key: string, name: string, takenAtMs: number, slices: Slices): Promise<SnapshotInfo>;
  get(key: string, name: string): Promise<{ info: SnapshotInfo; text: string } | null>;
  has(key: string, name: string): Promise<boolean>;
  list(key: string): Promise<SnapshotInfo[]>;
  remove(key: string, name: string): Promise<boolean>;
  /** The account is dropped. */
  forget(key: string): Promise<void>;
}

interface Kept {
  readonly info: SnapshotInfo;
  readonly pieces: readonly Buffer[];
}

/** Without a data directory: as long as the process. */
export function memoryShelf(): SnapshotShelf {
  const shelves = new Map<string, Map<string, Kept>>();
  let seq = 0;
  const shelf = (key: string) => {
    let own = shelves.get(key);
    if (!own) shelves.set(key, (own = new Map<string, Kept>()));
    return own;
  };
  return {
    put: async (key, name, takenAtMs, slices) => {
      const pieces: Buffer[] = [];
      for await (const slice of slices) pieces.push(slice);
      const bytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const info = { name, seq: ++seq, takenAtMs, bytes };
      // Deleted first, so that the order of the list is the order of taking.
      shelf(key).delete(name);
      shelf(key).set(name, { info, pieces });
      return info;
    },
    get: (key, name) => {
      const found = shelf(key).get(name);
      return Promise.resolve(found ? { info: found.info, text: Buffer.concat(found.pieces).toString() } : null);
    },
    has: (key, name) => Promise.resolve(shelf(key).has(name)),
    list: (key) => Promise.resolve([...shelf(key).values()].map(({ info }) => info)),
    remove: (key, name) => Promise.resolve(shelf(key).delete(name)),
    forget: (key) => {
      shelves.delete(key);
      return Promise.resolve();
    },
  };
}
