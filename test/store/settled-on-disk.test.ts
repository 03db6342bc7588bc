/** An account whose older messages are at rest, written down and read back (contract §7). */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/domain/message.js';
import { Settled } from '../../src/store/tables/settled.js';
import { contentOf, createIn, freshDir, loadFrom, message, openAt, startMs } from './support.js';

const read = (id: string, seq: number): Message => ({
  ...message(id, seq, `text of ${id}`),
  status: 'read',
  history: [
    { status: 'accepted', atMs: startMs },
    { status: 'sent', atMs: startMs + 5 },
  ],
});

/** A closed directory with seven messages, of which the first five are at rest. */
async function dirWithRest(): Promise<{ dir: string; path: string; content: string }> {
  const dir = await freshDir();
  const { directory } = await openAt(dir);
  const store = createIn(directory, 'default');
  for (let n = 1; n <= 7; n += 1) store.update(() => store.tables.messages.insert(read(`m${n}`, store.nextSeq())));
  await directory.close();
  const path = join(dir, 'default.json');
  expect((await readFile(path, 'utf8')).match(/^\["m\d",/gm)).toHaveLength(5);
  return { dir, path, content: contentOf(store) };
}

async function loaded(dir: string) {
  const { directory, warnings } = await openAt(dir);
  const store = await loadFrom(directory, 'default');
  const atRest = [...store.tables.messages.entries()].filter((entry) => entry instanceof Settled).length;
  return { directory, store, warnings, atRest, ids: [...store.tables.messages.all()].map(({ id }) => id) };
}

describe('messages at rest', () => {
  it('come back at rest, and are found by what they are', async () => {
    const { dir, content } = await dirWithRest();
    const { store, warnings, atRest } = await loaded(dir);
    expect(contentOf(store)).toBe(content);
    expect(warnings).toEqual([]);
    expect(atRest).toBe(5);
    expect(store.tables.messages.list('statusType', 'read text').size).toBe(7);
    expect(store.tables.messages.get('m2')?.content).toEqual({ text: 'text of m2' });
  });

  it('may change after a start, which the log keeps', async () => {
    const { dir } = await dirWithRest();
    const first = await loaded(dir);
    const row = first.store.tables.messages.get('m2') as Message;
    first.store.update(() => first.store.tables.messages.patch(row, { status: 'failed', content: { text: 'other' } }));
    await first.store.flushed();
    const content = contentOf(first.store);
    // What a crash would leave: the checkpoint of before, and the log.
    const [checkpoint, log] = await Promise.all(
      ['default.json', 'default.2.log'].map((name) => readFile(join(dir, name))),
    );
    await first.directory.close();
    await writeFile(join(dir, 'default.json'), checkpoint as Buffer);
    await writeFile(join(dir, 'default.2.log'), log as Buffer);
    const { store, warnings } = await loaded(dir);
    expect(contentOf(store)).toBe(content);
    expect(warnings).toEqual([]);
  });

  it('come back from a file that a person has laid out anew and edited', async () => {
    const { dir, path, content } = await dirWithRest();
    const file = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify(file, null, 2).replace('text of m2', 'edited'));
    const { store, warnings } = await loaded(dir);
    expect(contentOf(store)).toBe(content.replace('text of m2', 'edited'));
    expect(warnings).toEqual([]);
  });

  it('are judged where a person has touched the file', async () => {
    const { dir, path } = await dirWithRest();
    await writeFile(path, (await readFile(path, 'utf8')).replace(/^(\["m2",.*?)"read"/m, '$1"unread"'));
    const { warnings, ids } = await loaded(dir);
    expect(ids).toEqual(['m1', 'm3', 'm4', 'm5', 'm6', 'm7']);
    expect(warnings).toEqual([
      expect.stringMatching(/messages\[1\]\.status must be one of .* found "unread".* 1 record /),
    ]);
  });

  it('that are no JSON any more are lost alone', async () => {
    const { dir, path } = await dirWithRest();
    await writeFile(path, (await readFile(path, 'utf8')).replace(/^(\["m2",.{20}).*$/m, '$1'));
    const { warnings, ids } = await loaded(dir);
    expect(ids).toEqual(['m1', 'm3', 'm4', 'm5', 'm6', 'm7']);
    expect(warnings).toEqual([expect.stringMatching(/no whole JSON.* 1 record .* could not be read/)]);
  });

  it('are lost with the parts that they name, and that is told', async () => {
    const { dir, path } = await dirWithRest();
    await writeFile(path, (await readFile(path, 'utf8')).replace(/^"parts":.*$/m, '"parts":{},'));
    const { warnings, ids } = await loaded(dir);
    // The first one says in full what the others share.
    expect(ids).toEqual(['m1', 'm6', 'm7']);
    expect(warnings).toEqual([expect.stringMatching(/4 records of the account "default" could not be read/)]);
  });
});
