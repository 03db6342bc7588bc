import { parseSnapshot, readSnapshot, restoreSnapshot, snapshotText, takeSnapshot } from '../../accounts/snapshots.js';
import { ServiceError } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import type { SnapshotInfo } from '../../store/snapshots.js';
import { List } from './filters.js';
import type { ControlContext, ControlHandlers } from './handler.js';

export const snapshots: ControlHandlers = {
  listSnapshots: async (context) => {
    const all = await context.service.shelf.list(context.account.key);
    return new List({ rows: () => all, show: showInfo }).text(context);
  },

  takeSnapshot: async ({ account, body, service: { shelf } }) => {
    const { name } = body as { name: string };
    if ((await shelf.get(account.key, name)) !== null) {
      throw new ServiceError(
        'name_taken',
        `Snapshot "${name}" already exists; delete it first, or choose another name.`,
      );
    }
    const takenAtMs = account.clock.now();
    const text = takeSnapshot(account, name, takenAtMs);
    // Its time has been seen, so the clock must not be set back before it.
    account.store.touch();
    return showInfo(await shelf.put(account.key, name, takenAtMs, text));
  },

  restoreSnapshot: async (context) => {
    const { account, name, service } = context;
    const { signal } = account.generation;
    const snapshot = await parseSnapshot(readSnapshot(name, await stored(context)));
    signal.throwIfAborted();
    restoreSnapshot(account, snapshot);
    const info = (await service.shelf.list(account.key)).find((one) => one.name === name);
    if (!info) throw unknown(name);
    return showInfo(info);
  },

  getSnapshot: async (context) => {
    const text = await stored(context);
    readSnapshot(context.name, text);
    return text;
  },

  putSnapshot: {
    body: 'snapshot',
    run: async ({ account, name, body, service: { shelf } }) => {
      const snapshot = await parseSnapshot(body);
      const text = snapshotText({ ...snapshot, name });
      return showInfo(await shelf.put(account.key, name, Date.parse(snapshot.taken_at), text));
    },
  },

  deleteSnapshot: {
    isHarmless: true,
    run: async ({ account, name, service }) => {
      if (!(await service.shelf.remove(account.key, name))) throw unknown(name);
      return undefined;
    },
  },
};

async function stored({ account, name, service: { shelf } }: ControlContext): Promise<string> {
  const text = await shelf.get(account.key, name);
  if (text === null) throw unknown(name);
  return text;
}

function unknown(name: string): ServiceError {
  return new ServiceError('not_found', `This account has no snapshot "${name}".`);
}

function showInfo({ seq, name, takenAtMs, bytes }: SnapshotInfo) {
  return { seq, name, taken_at: isoTime(takenAtMs), size_bytes: bytes };
}
