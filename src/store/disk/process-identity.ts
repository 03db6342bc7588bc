/**
 * Who holds a directory: a process id alone is reused, in a container nearly always.
 */
import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

export interface Identity {
  readonly pid: number;
  /** When the process began, in whatever form the system tells it; empty where it does not. */
  readonly started: string;
  /** The system, and the process namespace, in which the process id means something. */
  readonly place: string;
}

export function ownIdentity(): Promise<Identity> {
  return identityOf(process.pid);
}

/** Of a process on this system. */
export async function identityOf(pid: number): Promise<Identity> {
  return { pid, started: (await startOf(pid)) ?? '', place: await ownPlace() };
}

/**
 * Whether the process still runs; null when this cannot be told from here: from another container, or where the system does
 * not say when a process began, so that the number may be somebody else's by now.
 */
export async function isAlive(identity: Identity): Promise<boolean | null> {
  if (identity.place !== (await ownPlace())) return null;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // Not allowed to signal it means that it is there.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  const started = await startOf(identity.pid);
  if (started === gone) return false;
  return started === null || identity.started === '' ? null : started === identity.started;
}

async function ownPlace(): Promise<string> {
  const boot = await quietly(readFile('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = await quietly(readlink('/proc/self/ns/pid'));
  return [hostname(), boot?.trim() ?? '', namespace ?? ''].join(' ');
}

/** Killed, and only not yet taken note of by its parent: it holds nothing any more. */
const gone = 'gone';

async function startOf(pid: number): Promise<string | null> {
  const status = await quietly(readFile(`/proc/${String(pid)}/stat`, 'utf8'));
  if (status !== null) {
    // The name of the program, in parentheses, may hold blanks; the state follows it, the start is the twentieth field.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? gone : (fields[19] ?? null);
  }
  if (process.platform === 'linux' || process.platform === 'win32') return null;
  const shown = await quietly(promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]));
  return shown?.stdout.trim() ?? null;
}

async function quietly<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch {
    return null;
  }
}
