/**
 * One process per data directory (contract §7): a lock file that names its holder, and whose holder beats while it lives.
 *
 * A holder on the same system is asked for by process id and start, so that a crash leaves nothing to clean up by hand.
 * From another container its process cannot be seen; then its beats are watched for a while.
 */
import { join } from 'node:path';
import type { Cancel, HostTime } from '../../time/system-clock.js';
import { isObject } from './check.js';
import { type Disk, errorCode, unlessMissing, writeFully } from './disk.js';
import { type Identity, isAlive, ownIdentity } from './process-identity.js';

const lockFile = '.lock';
const beatEveryMs = 500;
/** Long enough for a busy holder to beat at least once. */
const watchMs = 2500;

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a directory.
 * @throws DirectoryInUseError when another process, or this one, has it open
 */
export async function lockDirectory(disk: Disk, host: HostTime, dir: string): Promise<DirectoryLock> {
  const path = join(dir, lockFile);
  const own = await ownIdentity();
  for (;;) {
    try {
      const file = await disk.open(path, 'wx');
      try {
        return await hold(disk, host, path, file, own);
      } catch (error) {
        await disk.close(file);
        await disk.unlink(path);
        throw error;
      }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    await removeStale(disk, host, dir, path, own);
  }
}

/** Returns when the lock's holder is gone and its file with it. */
async function removeStale(disk: Disk, host: HostTime, dir: string, path: string, own: Identity): Promise<void> {
  const before = await unlessMissing(disk.read(path));
  if (!before) return;
  const holder = holderOf(before);
  const alive = holder === null ? null : await isAlive(holder);
  if (holder !== null && alive === true) throw inUse(dir, holder, own);
  if (alive === null) {
    await new Promise<void>((resolve) => host.setTimer(watchMs, resolve));
    const after = await unlessMissing(disk.read(path));
    if (!after) return;
    if (!after.equals(before)) throw inUse(dir, holderOf(after), own);
  }
  // Moved rather than removed: should another process have taken the lock in this instant, it is given back.
  const stale = `${path}.${String(own.pid)}`;
  const moved = await unlessMissing(disk.rename(path, stale).then(() => true));
  if (!moved) return;
  const taken = await disk.read(stale);
  if (!taken.equals(before)) {
    await disk.link(stale, path).catch(() => undefined);
    await unlessMissing(disk.unlink(stale));
    throw inUse(dir, holderOf(taken), own);
  }
  await unlessMissing(disk.unlink(stale));
}

async function hold(disk: Disk, host: HostTime, path: string, file: number, own: Identity): Promise<DirectoryLock> {
  let beats = 0;
  let released = false;
  let cancel: Cancel = () => undefined;
  // Always of one length, so that a beat overwrites the beat before it.
  const write = (): Promise<void> => {
    beats += 1;
    const text = `${JSON.stringify({ ...own, beat: String(beats).padStart(12, '0') })}\n`;
    return writeFully(disk, file, Buffer.from(text), 0);
  };
  const beatSoon = (): void => {
    cancel = host.setTimer(
      beatEveryMs,
      () => {
        // A full disk keeps no beat from being overwritten; should one fail all the same, the next one tells.
        beating = write().catch(() => undefined);
        if (!released) beatSoon();
      },
      { unref: true },
    );
  };
  let beating: Promise<void> = Promise.resolve();
  await write();
  beatSoon();
  return {
    async release() {
      if (released) return;
      released = true;
      cancel();
      await beating;
      await disk.close(file);
      await unlessMissing(disk.unlink(path));
    },
  };
}

function holderOf(bytes: Buffer): Identity | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (!isObject(value)) return null;
    const { pid, started, place } = value;
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof place !== 'string') return null;
    return { pid, started, place };
  } catch {
    return null;
  }
}

function inUse(dir: string, holder: Identity | null, own: Identity): DirectoryInUseError {
  const by =
    holder?.pid === own.pid && holder.place === own.place
      ? 'by this process'
      : `by another sandbox (process ${holder?.pid ?? 'unknown'} on ${holder?.place.split(' ')[0] ?? 'an unknown host'})`;
  return new DirectoryInUseError(
    `The data directory ${dir} is open already ${by}. One sandbox writes to a directory at a time: stop the other one, or ` +
      'give this one a directory of its own.',
  );
}
