/**
 * Snapshots kept by name, per account. A snapshot is a JSON text; what it means is `snapshots.ts`'s business.
 */
export interface SnapshotInfo {
  readonly name: string;
  readonly seq: number;
  readonly takenAtMs: number;
  readonly bytes: number;
}

export interface SnapshotShelf {
  put(key: string, name: string, takenAtMs: number, text: string): Promise<SnapshotInfo>;
  get(key: string, name: string): Promise<{ info: SnapshotInfo; text: string } | null>;
  list(key: string): Promise<SnapshotInfo[]>;
  remove(key: string, name: string): Promise<boolean>;
  /** The account is dropped. */
  forget(key: string): Promise<void>;
}

/** Without a data directory: as long as the process. */
export function memoryShelf(): SnapshotShelf {
  const shelves = new Map<string, Map<string, { info: SnapshotInfo; text: string }>>();
  let seq = 0;
  const shelf = (key: string) => {
    let own = shelves.get(key);
    if (!own) shelves.set(key, (own = new Map<string, { info: SnapshotInfo; text: string }>()));
    return own;
  };
  return {
    put: (key, name, takenAtMs, text) => {
      const info = { name, seq: ++seq, takenAtMs, bytes: Buffer.byteLength(text) };
      // Deleted first, so that the order of the list is the order of taking.
      shelf(key).delete(name);
      shelf(key).set(name, { info, text });
      return Promise.resolve(info);
    },
    get: (key, name) => Promise.resolve(shelf(key).get(name) ?? null),
    list: (key) => Promise.resolve([...shelf(key).values()].map(({ info }) => info)),
    remove: (key, name) => Promise.resolve(shelf(key).delete(name)),
    forget: (key) => {
      shelves.delete(key);
      return Promise.resolve();
    },
  };
}
