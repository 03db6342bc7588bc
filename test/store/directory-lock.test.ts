import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machineDisk } from '../../src/store/disk/disk.js';
import { lockDirectory } from '../../src/store/disk/directory-lock.js';
import { identityOf, ownIdentity } from '../../src/store/disk/process-identity.js';
import { ManualHost } from '../support/manual-host.js';
import { freshDir, openAt } from './support.js';

describe('a data directory', () => {
  it('is open once at a time, and free again after closing', async () => {
    const dir = await freshDir();
    const { directory } = await openAt(dir);
    await expect(openAt(dir)).rejects.toThrow(`The data directory ${dir} is open already by this process.`);
    await directory.close();
    expect(await readdir(dir)).toEqual([]);
    await openAt(dir);
  });

  it('is refused while another process of this machine holds it', async () => {
    const dir = await freshDir();
    // The process that started this one surely lives.
    const holder = await identityOf(process.ppid);
    await writeFile(join(dir, '.lock'), JSON.stringify(holder));
    await expect(openAt(dir)).rejects.toThrow(`by another sandbox (process ${String(process.ppid)} on `);
    expect(JSON.parse(await readFile(join(dir, '.lock'), 'utf8'))).toEqual(holder);
  });

  it('is taken at once from a process that is gone, its number reused or not', async () => {
    const own = await ownIdentity();
    for (const gone of [
      { ...own, pid: 2 ** 22 + 1 },
      { ...own, started: `${own.started}0` },
    ]) {
      const dir = await freshDir();
      await writeFile(join(dir, '.lock'), JSON.stringify(gone));
      const { directory } = await openAt(dir, { host: new ManualHost() });
      expect(JSON.parse(await readFile(join(dir, '.lock'), 'utf8'))).toMatchObject(own);
      await directory.close();
      expect(await readdir(dir)).toEqual([]);
    }
  });

  it('is watched when its holder cannot be seen, as in another container: a beat keeps it', async () => {
    const dir = await freshDir();
    const path = join(dir, '.lock');
    const elsewhere = { pid: 1, started: '5', place: 'container-1 boot ns', beat: '1' };
    await writeFile(path, JSON.stringify(elsewhere));
    const host = new ManualHost();
    const opening = lockDirectory(machineDisk, host, dir);
    await host.armed();
    await writeFile(path, JSON.stringify({ ...elsewhere, beat: '2' }));
    host.tick(2500);
    await expect(opening).rejects.toThrow('by another sandbox (process 1 on container-1)');
  });

  it('is taken from a process whose number lives on, when nobody can say that it is the same one and it is silent', async () => {
    const dir = await freshDir();
    await writeFile(join(dir, '.lock'), JSON.stringify({ ...(await identityOf(process.ppid)), started: '' }));
    const host = new ManualHost();
    const opening = lockDirectory(machineDisk, host, dir);
    await host.armed();
    host.tick(2500);
    await (await opening).release();
    expect(await readdir(dir)).toEqual([]);
  });

  it('is taken at once from an earlier run of the same container: its process 1 is not this one', async () => {
    const dir = await freshDir();
    const { place, started } = await ownIdentity();
    // A container that is restarted keeps its host name, its namespace may get the same number, and its process is 1 again.
    await writeFile(
      join(dir, '.lock'),
      JSON.stringify({ pid: 1, started: `${started}9`, place, beat: '000000000007' }),
    );
    const lock = await lockDirectory(machineDisk, new ManualHost(), dir);
    await lock.release();
    expect(await readdir(dir)).toEqual([]);
  });

  it('says the whole lock although the disk takes it in pieces', async () => {
    const dir = await freshDir();
    const disk = {
      ...machineDisk,
      write: (file: number, bytes: Uint8Array, position: number) =>
        machineDisk.write(file, bytes.subarray(0, 7), position),
    };
    const lock = await lockDirectory(disk, new ManualHost(), dir);
    expect(JSON.parse(await readFile(join(dir, '.lock'), 'utf8'))).toMatchObject(await ownIdentity());
    await lock.release();
  });

  it('that cannot be written is not left behind', async () => {
    const dir = await freshDir();
    const refusal = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const disk = { ...machineDisk, write: () => Promise.reject(refusal) };
    await expect(openAt(dir, { disk })).rejects.toThrow(
      `The data directory ${dir} cannot be used: ENOSPC: no space left on device, write. Give a directory that may be written to.`,
    );
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    ['of a silent holder', '{"pid":1,"started":"5","place":"container-1 boot ns","beat":"1"}'],
    ['that is torn', '{"pid"'],
  ])('is taken after watching a lock %s', async (_what, text) => {
    const dir = await freshDir();
    await writeFile(join(dir, '.lock'), text);
    const host = new ManualHost();
    const opening = lockDirectory(machineDisk, host, dir);
    await host.armed();
    host.tick(2500);
    const lock = await opening;
    const before = await readFile(join(dir, '.lock'), 'utf8');
    host.tick(500);
    await lock.release();
    expect(JSON.parse(before)).toMatchObject({ pid: process.pid });
    expect(await readdir(dir)).toEqual([]);
  });

  it('is given back when another process has taken it in between', async () => {
    const dir = await freshDir();
    const path = join(dir, '.lock');
    const gone = { ...(await ownIdentity()), pid: 2 ** 22 + 1 };
    const other = JSON.stringify({ pid: 1, started: '5', place: 'container-1 boot ns', beat: '1' });
    await writeFile(path, JSON.stringify(gone));
    const disk = {
      ...machineDisk,
      rename: async (from: string, to: string) => {
        await writeFile(path, other);
        await machineDisk.rename(from, to);
      },
    };
    await expect(lockDirectory(disk, new ManualHost(), dir)).rejects.toThrow('(process 1 on container-1)');
    expect(await readdir(dir)).toEqual(['.lock']);
    expect(await readFile(path, 'utf8')).toBe(other);
  });

  it('beats while it is held', async () => {
    const dir = await freshDir();
    const host = new ManualHost();
    const beats: string[] = [];
    const disk = {
      ...machineDisk,
      write: (_file: number, bytes: Uint8Array) => {
        beats.push((JSON.parse(Buffer.from(bytes).toString()) as { beat: string }).beat);
        return Promise.resolve(bytes.length);
      },
    };
    const lock = await lockDirectory(disk, host, dir);
    host.tick(1000);
    expect(beats.map(Number)).toEqual([1, 2, 3]);
    await lock.release();
    host.tick(5000);
    expect(beats).toHaveLength(3);
  });
});
