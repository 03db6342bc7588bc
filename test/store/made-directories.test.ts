/** A new directory survives a power failure: its name is on the medium. */
import { mkdtemp, rm } from 'node:fs/promises';
import type * as Fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { machineDisk } from '../../src/store/disk.js';

/** The paths that were synced to the medium, and the code with which opening a path fails. */
const seen = vi.hoisted(() => ({ synced: [] as string[], refused: new Map<string, string>() }));

vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof Fs>();
  return {
    ...fs,
    open: async (path: string, ...rest: [string?, number?]) => {
      const code = seen.refused.get(path);
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      const file = await fs.open(path, ...rest);
      const sync = file.sync.bind(file);
      file.sync = () => {
        seen.synced.push(path);
        return sync();
      };
      return file;
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

it('each parent of a created one is synced, from the top', async () => {
  await machineDisk.makeDirectory(join(dir, 'a', 'b'));
  expect(seen.synced).toEqual([dir, join(dir, 'a')]);
});

it('a parent that may not be read is no reason to fail, a broken disk is', async () => {
  const path = join(dir, 'a');
  seen.refused.set(dirname(path), 'EACCES');
  await machineDisk.makeDirectory(path);
  seen.refused.set(dirname(path), 'EIO');
  await expect(machineDisk.makeDirectory(join(dir, 'b'))).rejects.toThrow('EIO');
});
