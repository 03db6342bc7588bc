/** Snapshots: the whole account by name, and as one JSON file. */
import { ServiceError } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import { maxSnapshots, requireRoom } from '../../domain/limits.js';
import type { Account } from '../../account/account.js';
import {
  accountDataOf,
  parseSnapshot,
  readSnapshot,
  requireStillClock,
  restoreSnapshot,
  snapshotSlices,
  takeSnapshot,
} from '../../accounts/snapshots.js';
import type { SnapshotInfo } from '../../store/snapshots/snapshot-shelf.js';
import { readingSnapshot } from './read-body.js';
import { type Fields, glob, listAll } from './filters.js';
import { dropped } from './wait.js';
import { type ControlHandlers, type ControlService, StreamResponse } from './handler.js';

export const snapshotFields: Fields<{ readonly name: string }> = { name: { of: (row) => row.name, ...glob } };

export const snapshots: ControlHandlers = {
  listSnapshots: async (context) =>
    listAll(snapshotFields, await context.service.shelf.list(context.account.key), context, showInfo),

  takeSnapshot: async ({ account, body, service }) => {
    const { name } = body as { name: string };
    if (await service.shelf.has(account.key, name)) {
      throw new ServiceError(
        'name_taken',
        `Snapshot "${name}" already exists; delete it first, or choose another name.`,
      );
    }
    await requireShelfRoom(service, account);
    const takenAtMs = account.clock.now();
    const taking = takeSnapshot(account, name, takenAtMs);
    // Its time has been seen, so the clock must not be set back before it.
    account.store.touch();
    try {
      return showInfo(await service.shelf.put(account.key, name, takenAtMs, taking.slices(service.host)));
    } finally {
      taking.release();
    }
  },

  restoreSnapshot: async ({ account, name, service }) => {
    const { accounts, host, shelf } = service;
    const stored = await required(shelf.get(account.key, name), name);
    requireStillClock(account);
    await readingSnapshot(service, stored.info.bytes, async () => {
      const reserved = accounts.reserve();
      try {
        const value = await readSnapshot(stored, host, { hold: (bytes) => reserved.set(bytes) });
        const data = await accountDataOf(await parseSnapshot(value, host), host);
        if (!accounts.holds(account)) throw dropped();
        restoreSnapshot(account, data);
      } finally {
        reserved.release();
      }
    });
    return showInfo(stored.info);
  },

  getSnapshot: async ({ account, name, service: { host, shelf } }) => {
    const stored = await required(shelf.get(account.key, name), name);
    await readSnapshot(stored, host, { keep: false });
    return new StreamResponse(stored.slices());
  },

  putSnapshot: async ({ account, name, body, service }) => {
    const { host, shelf } = service;
    const snapshot = await parseSnapshot(body, host);
    if (!(await shelf.has(account.key, name))) await requireShelfRoom(service, account);
    const slices = snapshotSlices({ ...snapshot, name }, host);
    return showInfo(await shelf.put(account.key, name, Date.parse(snapshot.taken_at), slices));
  },

  deleteSnapshot: async ({ account, name, service }) => {
    if (!(await service.shelf.remove(account.key, name))) throw unknown(name);
    return undefined;
  },
};

async function requireShelfRoom({ shelf }: ControlService, { key }: Account): Promise<void> {
  const { length } = await shelf.list(key);
  requireRoom(length, maxSnapshots, 'snapshots', 'Delete one with DELETE /_sandbox/snapshots/NAME.');
}

async function required<T>(promise: Promise<T | null>, name: string): Promise<T> {
  const value = await promise;
  if (value === null) throw unknown(name);
  return value;
}

function unknown(name: string): ServiceError {
  return new ServiceError('not_found', `This account has no snapshot "${name}".`);
}

function showInfo({ seq, name, takenAtMs, bytes }: SnapshotInfo) {
  return { seq, name, taken_at: isoTime(takenAtMs), size_bytes: bytes };
}
