/** A created directory survives a power cut: its name is on the medium. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type * as Fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { machineDisk } from '../../src/store/disk/disk.js';

/** What was opened by which handle, which handles went to the medium, and what is said instead of opening a path. */
const seen = vi.hoisted(() => ({
  paths: new Map<number, string>(),
  synced: [] as string[],
  refused: new Map<string, string>(),
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    open: (path: string, flags: string, ...rest: [number?, unknown?]) => {
      const done = rest.at(-1) as (error: Error | null, file?: number) => void;
      const code = seen.refused.get(path);
      if (code !== undefined) {
        done(Object.assign(new Error(code), { code }));
        return;
      }
      fs.open(path, flags, (error, file) => {
        seen.paths.set(file, path);
        done(error, file);
      });
    },
    fsync: (file: number, done: (error: Error | null) => void) => {
      seen.synced.push(seen.paths.get(file) ?? '');
      fs.fsync(file, done);
    },
  };
});

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'made-'));
});
afterEach(async () => {
  seen.synced = [];
  seen.refused.clear();
  await rm(dir, { recursive: true, force: true });
});

it('each parent of one that was made is told, from the top', async () => {
  await machineDisk.makeDirectory(join(dir, 'a', 'b'));
  expect(seen.synced).toEqual([dir, join(dir, 'a')]);
});

it('of what is there already, nobody', async () => {
  await mkdir(join(dir, 'a'));
  await machineDisk.makeDirectory(join(dir, 'a'));
  expect(seen.synced).toEqual([]);
});

it('a parent that may not be read is no reason to fail, a broken disk is', async () => {
  const path = join(dir, 'a');
  seen.refused.set(dirname(path), 'EACCES');
  await machineDisk.makeDirectory(path);
  seen.refused.set(dirname(path), 'EIO');
  await expect(machineDisk.makeDirectory(join(dir, 'b'))).rejects.toThrow('EIO');
});
