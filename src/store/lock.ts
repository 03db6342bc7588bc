/**
 * Allows one process per data directory. The lock is a listening socket, which the kernel closes with its process: a
 * refused connection proves that the owner has ended, also after `kill -9`.
 */
import { createHash } from 'node:crypto';
import { link, realpath, rename, rm } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type SystemClock, within } from '../time/system-clock.js';

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export type Unlock = () => Promise<void>;

/** Description for another process that wants the lock. */
const self = `process ${String(process.pid)} on ${hostname()}`;
/** The longest socket path that all systems accept, in bytes. */
const longestPath = 100;
/** Machine milliseconds. */
const describeWithinMs = 2000;

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Locks a directory.
 * @throws DirectoryInUseError if another process has locked it
 */
export async function lockDirectory(dir: string, host: SystemClock): Promise<Unlock> {
  const path = await realpath(dir);
  const name = `messaging-sandbox-${createHash('sha256').update(path).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return hold(dir, `\\\\.\\pipe\\${name}`, host);
  const inside = join(dir, '.lock');
  const beside = join(tmpdir(), `${name}.lock`);
  if (Buffer.byteLength(inside) > longestPath) return hold(dir, beside, host);
  return hold(dir, inside, host).catch((error: unknown) => {
    // Some file systems have no sockets, such as folders that a virtual machine shares.
    if (hasCode(error, 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL', 'ENOSYS')) return hold(dir, beside, host);
    throw error;
  });
}

async function hold(dir: string, path: string, host: SystemClock): Promise<Unlock> {
  for (;;) {
    const server = await listen(path);
    if (server) return () => new Promise((resolve) => server.close(() => resolve()));
    await requireFree(dir, path, host);
    // Renamed first: if another process has taken the lock since, the new name reaches that process.
    const stale = `${path}.${String(process.pid)}`;
    await rename(path, stale).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
    });
    try {
      await requireFree(dir, stale, host);
    } catch (error) {
      await link(stale, path).catch(() => undefined);
      throw error;
    } finally {
      await rm(stale, { force: true });
    }
  }
}

/** Null if the path is taken. */
function listen(path: string): Promise<Server | null> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(self)).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (hasCode(error, 'EADDRINUSE') ? resolve(null) : reject(error)));
    server.listen(path, () => resolve(server));
  });
}

/** @throws DirectoryInUseError if something listens there, also if it does not describe itself */
async function requireFree(dir: string, path: string, host: SystemClock): Promise<void> {
  const socket = connect(path);
  let holder = '';
  try {
    const said = await within(describeWithinMs, text(socket), host);
    if (said !== 'late') holder = said;
  } catch (error) {
    if (hasCode(error, 'ECONNREFUSED', 'ENOENT', 'ENOTSOCK')) return;
    if (!hasCode(error, 'ECONNRESET', 'EACCES', 'EPIPE')) throw error;
  } finally {
    socket.destroy();
  }
  const by = holder === self ? 'this process' : `another sandbox (${holder === '' ? 'an unknown process' : holder})`;
  throw new DirectoryInUseError(
    `The data directory ${dir} is already in use by ${by}. One sandbox writes to a directory at a time: stop the other one, or ` +
      'give this one its own directory.',
  );
}
