import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { machineDisk } from '../../src/store/disk.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'disk-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dir, { recursive: true, force: true });
});

it('makes a directory and what is missing above it, for the owner only, and minds nothing that is there', async () => {
  const path = join(dir, 'a', 'b');
  const synced = vi.spyOn(machineDisk, 'syncDirectory');
  await Promise.all([machineDisk.makeDirectory(path), machineDisk.makeDirectory(path)]);
  const found = await stat(path);
  expect(found.isDirectory()).toBe(true);
  expect(found.mode & 0o777).toBe(0o700);
  // The new names survive a power failure.
  expect(synced.mock.calls.flat()).toEqual(expect.arrayContaining([dir, join(dir, 'a')]));
});

it('a parent that may not be listed is no reason to fail, a broken disk is', async () => {
  const sync = vi.spyOn(machineDisk, 'syncDirectory');
  sync.mockRejectedValueOnce(Object.assign(new Error('EACCES'), { code: 'EACCES' }));
  await machineDisk.makeDirectory(join(dir, 'a'));
  sync.mockRejectedValueOnce(Object.assign(new Error('EIO'), { code: 'EIO' }));
  await expect(machineDisk.makeDirectory(join(dir, 'b'))).rejects.toThrow('EIO');
});
