/**
 * A data directory of an earlier version, whose checkpoint has packed rows. `expected.txt` is the content of that
 * version's own snapshot of the account.
 */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contentOf, freshDir, loadFrom, openAt, plainOf } from './support.js';

const fixture = join(import.meta.dirname, '..', 'fixtures', 'packed-rows');
const packed = /^\["[^"]+",\d+/gm;

async function copied(edit: (checkpoint: string) => string = (text) => text): Promise<string> {
  const dir = await freshDir();
  await cp(join(fixture, 'log.txt'), join(dir, 'worker.2.log'));
  await writeFile(join(dir, 'worker.json'), edit(await readFile(join(fixture, 'checkpoint.txt'), 'utf8')));
  return dir;
}

async function load(dir: string) {
  const { directory, warnings } = await openAt(dir);
  return { directory, warnings, store: await loadFrom(directory, 'worker') };
}

async function expected(): Promise<{ tables: Record<string, object[]> }> {
  return JSON.parse(await readFile(join(fixture, 'expected.txt'), 'utf8')) as never;
}

it('loads, its log included, and is rewritten with an object for each row', async () => {
  const dir = await copied();
  expect((await readFile(join(dir, 'worker.json'), 'utf8')).match(packed)?.length).toBeGreaterThan(5);
  const { directory, store, warnings } = await load(dir);
  expect(warnings).toEqual([]);
  const { messages, customers, events, attempts } = (await expected()).tables;
  // That version named the trigger of an attempt `timetable`, in its checkpoint and in its log.
  expect(plainOf(store).tables).toMatchObject({ messages, customers, events, attempts });
  const content = contentOf(store);
  await directory.close();
  expect(await readFile(join(dir, 'worker.json'), 'utf8')).not.toMatch(packed);
  expect(contentOf((await load(dir)).store)).toBe(content);
});

it.each<[string, (line: string) => string]>([
  ['a status that does not exist', (line) => line.replace('"read"', '"unread"')],
  ['half a line', (line) => line.slice(0, 90)],
])('loads without a packed row that is damaged (%s), and says so', async (_what, damage) => {
  const dir = await copied((text) => text.replace(/^\[.*\+12025550111.*$/m, damage));
  const { store, warnings } = await load(dir);
  expect(warnings).toEqual([expect.stringMatching(/ 1 record of the account "worker" could not be read/)]);
  const { messages } = (await expected()).tables;
  expect(store.tables.messages.size).toBe((messages?.length ?? 0) - 1);
});
