import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshDir, loadFrom, openAt } from './support.js';

const tsx = join(createRequire(import.meta.url).resolve('tsx/package.json'), '..', 'dist', 'cli.mjs');
const writer = join(import.meta.dirname, '..', 'fixtures', 'store-writer.ts');

/** Runs the writer until it has reported `count` responses, kills it without warning, and returns all reports. */
async function answersUntilKilled(dir: string, fsync: string, count: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--import', tsx.replace('cli.mjs', 'esm/index.mjs'), writer, dir, fsync], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (told.split('\n').length > count) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return told.split('\n').slice(0, -1);
}

it.each(['always', 'interval'])(
  'with fsync %s, everything answered is there after kill -9, twice over',
  async (fsync) => {
    const dir = await freshDir();
    const answered: string[] = [];
    for (const [round, count] of [200, 50].entries()) {
      answered.push(...(await answersUntilKilled(dir, fsync, count)));
      const { directory } = await openAt(dir);
      const store = await loadFrom(directory, 'default');
      for (const id of answered) expect(store.tables.messages.get(id)).toBeDefined();
      // Also, at each kill, at most the one that was in progress.
      expect(store.tables.messages.size).toBeLessThanOrEqual(answered.length + round + 1);
      await directory.close();
    }
    expect(answered.length).toBeGreaterThanOrEqual(250);
  },
);
