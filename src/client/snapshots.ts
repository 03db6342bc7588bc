/** The whole account under a name, clock and pending jobs included. */
import type { Connection } from './connection.js';
import { listAll } from './lists.js';
import type { SnapshotFilter, Snapshot, SnapshotInfo } from './types.js';

export interface SnapshotControl {
  /** @throws SandboxError `name_taken` */
  take(name: string): Promise<SnapshotInfo>;
  /** @throws SandboxError `not_found` */
  restore(name: string): Promise<SnapshotInfo>;
  list(filter?: SnapshotFilter): Promise<SnapshotInfo[]>;
  remove(name: string): Promise<void>;
  /** As JSON, to keep beside the tests. */
  download(name: string): Promise<Snapshot>;
  /** Puts a downloaded one in place, under this name. */
  upload(name: string, snapshot: Snapshot): Promise<SnapshotInfo>;
}

const path = '/_sandbox/snapshots';

export function snapshotControl(connection: Connection): SnapshotControl {
  const at = (name: string) => `${path}/${encodeURIComponent(name)}`;
  return {
    take: (name) => connection.call('POST', path, { name }),
    restore: (name) => connection.call('POST', `${at(name)}/restore`),
    list: (filter) => listAll(connection, path, filter),
    remove: async (name) => {
      await connection.call('DELETE', at(name));
    },
    download: (name) => connection.call('GET', at(name)),
    upload: (name, snapshot) => connection.call('PUT', at(name), snapshot),
  };
}
