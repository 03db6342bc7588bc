import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineDisk } from '../../src/store/disk.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'disk-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('makeDirectory', () => {
  it('makes what is missing above it, for the owner only, and minds nothing that is there', async () => {
    const path = join(dir, 'a', 'b', 'c');
    await machineDisk.makeDirectory(path);
    await machineDisk.makeDirectory(path);
    const found = await stat(path);
    expect(found.isDirectory()).toBe(true);
    expect(found.mode & 0o777).toBe(0o700);
  });

  it('fails where a file stands in the way', async () => {
    await writeFile(join(dir, 'file'), '');
    await expect(machineDisk.makeDirectory(join(dir, 'file'))).rejects.toThrow('EEXIST');
    await expect(machineDisk.makeDirectory(join(dir, 'file', 'below'))).rejects.toThrow('ENOTDIR');
  });

  it.runIf(process.platform === 'linux')(
    'fails where the system lets nothing be made, instead of trying on',
    async () => {
      await expect(machineDisk.makeDirectory('/proc/none/data')).rejects.toThrow('ENOENT');
    },
  );
});
