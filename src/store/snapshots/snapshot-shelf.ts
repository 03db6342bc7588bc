/** Snapshots of each account by name. Here, a snapshot is any JSON text. */
import { ServiceError } from '../../domain/errors.js';
import { maxSnapshotMemory } from '../../domain/limits.js';
import type { Slices } from '../disk/disk.js';
import type { MemoryBudget } from '../tables/memory-budget.js';

export interface SnapshotInfo {
  readonly name: string;
  readonly seq: number;
  readonly takenAtMs: number;
  readonly bytes: number;
}

export interface StoredSnapshot {
  readonly info: SnapshotInfo;
  /** Returns its text from the start. @throws ServiceError `not_found`, during the iteration, if it was deleted meanwhile */
  readonly slices: () => AsyncIterable<Buffer>;
}

export interface SnapshotShelf {
  put(key: string, name: string, takenAtMs: number, slices: Slices): Promise<SnapshotInfo>;
  get(key: string, name: string): Promise<StoredSnapshot | null>;
  has(key: string, name: string): Promise<boolean>;
  list(key: string): Promise<SnapshotInfo[]>;
  remove(key: string, name: string): Promise<boolean>;
  /** Removes all snapshots of an account. */
  forget(key: string): Promise<void>;
}

interface Kept {
  readonly info: SnapshotInfo;
  readonly pieces: readonly Buffer[];
}

/**
 * Snapshots in the memory of the process, for a sandbox without a data directory.
 * @param memory counts their bytes
 */
export function memoryShelf(memory: MemoryBudget, most = maxSnapshotMemory): SnapshotShelf {
  const shelves = new Map<string, Map<string, Kept>>();
  let seq = 0;
  let total = 0;
  const shelf = (key: string) => {
    let own = shelves.get(key);
    if (!own) shelves.set(key, (own = new Map<string, Kept>()));
    return own;
  };
  const count = (bytes: number) => {
    total += bytes;
    memory.add(bytes);
  };
  const remove = (own: Map<string, Kept> | undefined, name: string): boolean => {
    const kept = own?.get(name);
    if (kept) count(-kept.info.bytes);
    return own?.delete(name) ?? false;
  };
  const gather = async (slices: Slices): Promise<Buffer[]> => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const slice of slices) {
        bytes += slice.byteLength;
        count(slice.byteLength);
        if (total > most) throw tooMuch(most);
        pieces.push(slice);
      }
      return pieces;
    } catch (error) {
      count(-bytes);
      throw error;
    }
  };
  return {
    put: async (key, name, takenAtMs, slices) => {
      const pieces = await gather(slices);
      const bytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const info = { name, seq: ++seq, takenAtMs, bytes };
      // Removed first, so that the latest snapshot is the last in the list.
      remove(shelf(key), name);
      shelf(key).set(name, { info, pieces });
      return info;
    },
    get: (key, name) => {
      const found = shelf(key).get(name);
      if (!found) return Promise.resolve(null);
      const slices = async function* () {
        for (const piece of found.pieces) {
          // Its memory is not counted any more, so no reader may retain it.
          if (shelf(key).get(name) !== found) throw deletedMeanwhile(name);
          yield await Promise.resolve(piece);
        }
      };
      return Promise.resolve({ info: found.info, slices });
    },
    has: (key, name) => Promise.resolve(shelf(key).has(name)),
    list: (key) => Promise.resolve([...shelf(key).values()].map(({ info }) => info)),
    remove: (key, name) => Promise.resolve(remove(shelves.get(key), name)),
    forget: (key) => {
      for (const name of [...(shelves.get(key)?.keys() ?? [])]) remove(shelves.get(key), name);
      shelves.delete(key);
      return Promise.resolve();
    },
  };
}

export function deletedMeanwhile(name: string): ServiceError {
  return new ServiceError('not_found', `The snapshot "${name}" was deleted or replaced while this call read it.`);
}

function tooMuch(most: number): ServiceError {
  return new ServiceError(
    'limit_reached',
    `Snapshots in memory are limited to ${most / 2 ** 20} MB together. Delete some with DELETE /_sandbox/snapshots/NAME, or start ` +
      'with --data, which stores them on disk.',
  );
}
