/**
 * Allows one process per data directory. The lock is a listening socket, which the kernel closes with its process: a
 * refused connection proves that the owner has ended, also after `kill -9`.
 */
import { createHash } from 'node:crypto';
import { link, realpath, rename, rm } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SystemClock } from '../time/system-clock.js';

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export type Unlock = () => Promise<void>;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** How a process describes itself to another one that wants its lock. */
const self = `process ${String(process.pid)} on ${hostname()}`;

/** The longest socket path that all systems accept. */
const longestPath = 100;

/** Machine milliseconds for the holder of a lock to describe itself. */
const describeWithinMs = 2000;

/** Errors of file systems without sockets, such as folders that a virtual machine shares. */
const noSockets = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL', 'ENOSYS']);

/**
 * Locks a directory.
 * @throws DirectoryInUseError if another process has locked it
 */
export async function lockDirectory(dir: string, host: SystemClock): Promise<Unlock> {
  const hash = createHash('sha256')
    .update(await realpath(dir))
    .digest('hex')
    .slice(0, 24);
  if (process.platform === 'win32') return hold(dir, `\\\\.\\pipe\\messaging-sandbox-${hash}`, host);
  const inside = join(dir, '.lock');
  const beside = join(tmpdir(), `messaging-sandbox-${hash}.lock`);
  if (Buffer.byteLength(inside) > longestPath) return hold(dir, beside, host);
  return hold(dir, inside, host).catch((error: unknown) => {
    if (noSockets.has(codeOf(error) ?? '')) return hold(dir, beside, host);
    throw error;
  });
}

async function hold(dir: string, path: string, host: SystemClock): Promise<Unlock> {
  for (;;) {
    const server = await listen(path);
    if (server) return () => new Promise((resolve) => server.close(() => resolve()));
    requireFree(dir, await holderAt(path, host));
    // Renamed first: if another process has taken the lock since, the new name reaches that process.
    const stale = `${path}.${String(process.pid)}`;
    await rename(path, stale).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    try {
      requireFree(dir, await holderAt(stale, host));
    } catch (error) {
      await link(stale, path).catch(() => undefined);
      await rm(stale, { force: true });
      throw error;
    }
    await rm(stale, { force: true });
  }
}

/** Null if the path is taken. */
function listen(path: string): Promise<Server | null> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(self)).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if (codeOf(error) === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(path, () => resolve(server));
  });
}

/** @throws DirectoryInUseError if there is a holder */
function requireFree(dir: string, holder: string | null): void {
  if (holder === null) return;
  const by = holder === self ? 'by this process' : `by another sandbox (${holder})`;
  throw new DirectoryInUseError(
    `The data directory ${dir} is already in use ${by}. One sandbox writes to a directory at a time: stop the other one, or ` +
      'give this one its own directory.',
  );
}

/** Returns how the holder describes itself; null if nothing listens. A holder that is too busy to respond is unknown. */
function holderAt(path: string, host: SystemClock): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let holder = '';
    const found = (): void => resolve(holder === '' ? 'an unknown process' : holder);
    const socket = connect(path)
      .on('data', (chunk) => (holder += chunk.toString()))
      .on('end', found)
      .on('error', (error) => {
        const code = codeOf(error);
        if (code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTSOCK') resolve(null);
        else if (code === 'ECONNRESET' || code === 'EACCES' || code === 'EPIPE') found();
        else reject(error);
      });
    // A holder that accepts a connection without a response is alive.
    const cancel = host.setTimer(describeWithinMs, () => {
      found();
      socket.destroy();
    });
    socket.on('close', cancel);
  });
}
