import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockDirectory } from '../../src/store/lock.js';
import { machineTime } from '../../src/time/system-clock.js';
import { ManualHost } from '../support/manual-host.js';
import { freshDir, openAt } from './support.js';

/** Another process that listens at the lock's socket, like a sandbox. */
async function holdElsewhere(path: string, respond = "s.end('process ' + process.pid + ' on elsewhere')") {
  const program = `require('net').createServer((s) => ${respond}).listen(${JSON.stringify(path)}, () => console.log())`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

it('a data directory is open once at a time, and free after closing', async () => {
  const dir = await freshDir();
  const { directory } = await openAt(dir);
  await expect(openAt(dir)).rejects.toThrow(`The data directory ${dir} is already in use by this process.`);
  await directory.close();
  expect(await readdir(dir)).toEqual([]);
  await openAt(dir);
});

it('another process keeps it, and a process that was killed does not', async () => {
  const dir = await freshDir();
  const child = await holdElsewhere(join(dir, '.lock'));
  await expect(openAt(dir)).rejects.toThrow(
    `The data directory ${dir} is already in use by another sandbox (process ${child.pid} on elsewhere). One sandbox writes`,
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readdir(dir)).toEqual(['.lock']);
  const unlock = await lockDirectory(dir, machineTime);
  await expect(lockDirectory(dir, machineTime)).rejects.toThrow('already in use by this process');
  await unlock();
  expect(await readdir(dir)).toEqual([]);
});

it('a process that does not describe itself within two seconds keeps it', async () => {
  const dir = await freshDir();
  await holdElsewhere(join(dir, '.lock'), 'undefined');
  const host = new ManualHost();
  const taken = lockDirectory(dir, host);
  const rejected = expect(taken).rejects.toThrow('in use by another sandbox (an unknown process)');
  await host.armed();
  host.tick(2_000);
  await rejected;
});

it('of two that take a stale lock at once, one has it', async () => {
  const dir = await freshDir();
  await writeFile(join(dir, '.lock'), '');
  const taken = await Promise.allSettled([lockDirectory(dir, machineTime), lockDirectory(dir, machineTime)]);
  const unlocks = taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(unlocks).toHaveLength(1);
  await unlocks[0]?.();
});

it('a path that is too long for a socket is locked in the temporary directory', async () => {
  const dir = join(await freshDir(), 'x'.repeat(100));
  await mkdir(dir);
  const unlock = await lockDirectory(dir, machineTime);
  expect(await readdir(dir)).toEqual([]);
  expect((await readdir(tmpdir())).some((name) => /^messaging-sandbox-[\da-f]{24}\.lock$/.test(name))).toBe(true);
  await expect(lockDirectory(dir, machineTime)).rejects.toThrow(
    `The data directory ${dir} is already in use by this process.`,
  );
  await unlock();
});

it('a directory that cannot be written is not taken', async () => {
  const dir = await freshDir();
  await rm(dir, { recursive: true });
  await writeFile(dir, '');
  await expect(openAt(join(dir, 'data'))).rejects.toThrow(
    /cannot be used: E.* Choose a directory that the sandbox may write to\./,
  );
});
