import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentOf, createIn, customer, freshDir, job, loadAll, loadFrom, message, openAt } from './support.js';

/** A directory with one account that has two messages, a customer and a job. */
async function dirWithAccount(killed = false): Promise<{ dir: string; content: string }> {
  const dir = await freshDir();
  const { directory } = await openAt(dir);
  const store = createIn(directory, 'default');
  store.update(() => store.tables.customers.insert(customer('+12025550150', store.nextSeq())));
  // The file contains the first write; the others are in the journal.
  await store.answerable();
  store.update(() => store.tables.messages.insert(message('m1', store.nextSeq())));
  store.update(() => store.tables.jobs.insert(job('j1', store.nextSeq())));
  store.update(() => store.tables.messages.insert(message('m2', store.nextSeq(), 'zwölf\n')));
  await store.answerable();
  const left = await Promise.all(accountFiles.map(async (name) => [name, await readFile(join(dir, name))] as const));
  await directory.close();
  if (killed) for (const [name, bytes] of left) await writeFile(join(dir, name), bytes);
  return { dir, content: contentOf(store) };
}

const accountFiles = ['default.journal', 'default.json'];

async function files(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => name !== '.lock').sort();
}

/** Changes a file of the directory as a text. */
async function edit(dir: string, name: string, change: (text: string) => string): Promise<string> {
  const text = change(await readFile(join(dir, name), 'utf8'));
  await writeFile(join(dir, name), text);
  return text;
}

describe('an account', () => {
  it('is on disk after its first write, and not before', async () => {
    const dir = await freshDir();
    const { directory } = await openAt(join(dir, 'deep', 'data'));
    const store = createIn(directory, 'Worker3~flaky-api');
    expect(await files(join(dir, 'deep', 'data'))).toEqual([]);
    store.update(() => store.tables.messages.insert(message('m1', store.nextSeq())));
    await store.answerable();
    const json = expect.stringMatching(/^worker3~flaky-api%[\da-f]{16}\.json$/) as string;
    expect(await files(join(dir, 'deep', 'data'))).toEqual([json]);
    store.update(() => store.tables.messages.insert(message('m2', store.nextSeq())));
    await store.answerable();
    const journal = expect.stringMatching(/^worker3~flaky-api%[\da-f]{16}\.journal$/) as string;
    expect(await files(join(dir, 'deep', 'data'))).toEqual([journal, json]);
  });

  it('comes back as it was, after closing, in one readable file', async () => {
    const { dir, content } = await dirWithAccount();
    expect(await files(dir)).toEqual(['default.json']);
    const file = JSON.parse(await readFile(join(dir, 'default.json'), 'utf8')) as Record<string, unknown>;
    expect(file).toMatchObject({ format: 'messaging-sandbox/account', version: 4, key: 'default', generation: 2 });
    expect((file['tables'] as Record<string, unknown[]>)['messages']).toHaveLength(2);
    const { directory, warnings } = await openAt(dir);
    expect(contentOf(await loadFrom(directory, 'default'))).toBe(content);
    expect(warnings).toEqual([]);
  });

  it('loads from a file that a person has edited and laid out anew', async () => {
    const { dir, content } = await dirWithAccount();
    await edit(dir, 'default.json', (text) => JSON.stringify(JSON.parse(text), null, 2).replace('zwölf', 'thirteen'));
    const { directory } = await openAt(dir);
    expect(contentOf(await loadFrom(directory, 'default'))).toBe(content.replace('zwölf', 'thirteen'));
  });

  it('never gets the journal of an earlier file', async () => {
    const { dir, content } = await dirWithAccount();
    const old = await dirWithAccount(true);
    await writeFile(join(dir, 'default.journal'), await readFile(join(old.dir, 'default.journal')));
    const { directory, warnings } = await openAt(dir);
    const store = await loadFrom(directory, 'default');
    expect(contentOf(store)).toBe(content);
    store.update(() => store.tables.messages.insert(message('m3', store.nextSeq())));
    await store.answerable();
    expect(await readFile(join(dir, 'default.journal'), 'utf8')).not.toContain('"m1"');
    expect(warnings).toEqual([]);
  });
});

describe('damage', () => {
  it('at the end of a journal is dropped, said, and written over', async () => {
    const { dir } = await dirWithAccount(true);
    const { length } = await edit(dir, 'default.journal', (text) => text.slice(0, -20));
    const { directory, warnings } = await openAt(dir);
    const store = await loadFrom(directory, 'default');
    expect(store.tables.messages.all().map(({ id }) => id)).toEqual(['m1']);
    expect(warnings).toEqual([
      expect.stringMatching(/^default\.journal ends in the middle of a line: its last \d+ of \d+ bytes .*truncated\.$/),
    ]);
    expect((await readFile(join(dir, 'default.journal'))).length).toBeLessThan(length);
    store.update(() => store.tables.messages.insert(message('m3', store.nextSeq())));
    await directory.close();
    const again = await openAt(dir);
    expect(contentOf(await loadFrom(again.directory, 'default'))).toBe(contentOf(store));
    expect(again.warnings).toEqual([]);
  });

  it.each([
    ['default.json', 'torn', (text: string) => text.slice(0, -30), /default\.json: it is not complete JSON/],
    ['default.json', 'empty', () => '', /default\.json: it is empty/],
    ['default.json', 'foreign', () => '{"name":"something-else"}', /default\.json: it is not an account file/],
    ['default.json', 'without clock', (text: string) => text.replace('"clock"', '"klock"'), /are incomplete/],
    ['default.json', 'with a record twice', (text: string) => text.replace('"otps":[', '"otps":[{}'), /are incomplete/],
    [
      'default.journal',
      'torn within',
      (text: string) => text.replace('"m1"', '"m1'),
      /default\.journal: its line 2 cannot/,
    ],
    [
      'default.journal',
      'of another account',
      (text: string) => text.replace('"default"', '"other"'),
      /journal: its line 1 cannot/,
    ],
    [
      'default.journal',
      'of a later file',
      (text: string) => text.replace('"generation":1', '"generation":7'),
      /journal: its line 1 cannot/,
    ],
  ])(
    'of %s (%s) sets all files of the account aside; it starts empty, and the rest loads',
    async (name, _what, damage, reason) => {
      const { dir } = await dirWithAccount(true);
      const text = await edit(dir, name, damage);
      await writeFile(join(dir, 'default.json.set-aside-1'), 'from another day');
      const other = await openAt(dir);
      const neighbour = createIn(other.directory, 'neighbour');
      neighbour.update(() => neighbour.tables.messages.insert(message('n1', neighbour.nextSeq())));
      await other.directory.close();

      const { directory, warnings } = await openAt(dir);
      const loaded = await loadAll(directory);
      expect([...loaded.keys()]).toEqual(['neighbour']);
      expect(warnings).toEqual([expect.stringMatching(reason)]);
      expect(warnings[0]).toContain(
        'It is kept as default.json.set-aside-2, default.journal.set-aside-2, and its account starts empty',
      );
      expect(await readFile(join(dir, 'default.json.set-aside-1'), 'utf8')).toBe('from another day');
      expect(await readFile(join(dir, `${name}.set-aside-2`), 'utf8')).toBe(text);
      const anew = createIn(directory, 'default');
      anew.update(() => anew.tables.messages.insert(message('m1', anew.nextSeq())));
      await directory.close();
      const again = await openAt(dir);
      expect(contentOf(await loadFrom(again.directory, 'default'))).toBe(contentOf(anew));
      expect(again.warnings).toEqual([]);
    },
  );

  it('by copying or renaming never makes two files of one account', async () => {
    const { dir, content } = await dirWithAccount();
    await writeFile(join(dir, 'copy.json'), await readFile(join(dir, 'default.json')));
    const { directory, warnings } = await openAt(dir);
    expect(contentOf(await loadFrom(directory, 'default'))).toBe(content);
    expect(warnings).toEqual([
      'copy.json cannot be loaded (copy.json: it contains the account "default", whose file is default.json). It is kept as ' +
        'copy.json.set-aside-1, and its account starts empty.',
    ]);
  });

  it('by losing the file keeps the journal', async () => {
    const { dir } = await dirWithAccount(true);
    await rename(join(dir, 'default.json'), join(dir, 'elsewhere'));
    const { directory, warnings } = await openAt(dir);
    expect((await loadAll(directory)).size).toBe(0);
    expect(warnings[0]).toContain('default.journal cannot be loaded (its account file default.json is missing)');
    expect(await files(dir)).toContain('default.journal.set-aside-1');
  });

  it('of an unfinished file is nobody’s loss', async () => {
    const { dir, content } = await dirWithAccount(true);
    await writeFile(join(dir, 'default.json.tmp'), '{"format":');
    const { directory, warnings } = await openAt(dir);
    expect(contentOf(await loadFrom(directory, 'default'))).toBe(content);
    expect(warnings).toEqual([]);
    expect(await files(dir)).not.toContain('default.json.tmp');
  });

  it('is not done to a directory that belongs to a project', async () => {
    const dir = await freshDir();
    await writeFile(join(dir, 'package.json'), '{}');
    await expect(openAt(dir)).rejects.toThrow(/holds package\.json, so it belongs to a project/);
    expect(await readdir(dir)).toEqual(['package.json']);
  });
});

describe('snapshots', () => {
  const text = (name: string, takenAt: number): string =>
    JSON.stringify({ version: 2, name, taken_at: new Date(takenAt).toISOString(), state: {} });

  it('are kept by name, whatever the name, in the order of taking', async () => {
    const dir = await freshDir();
    const { directory } = await openAt(dir);
    const { snapshots } = directory;
    expect(await snapshots.list('default')).toEqual([]);
    expect(await snapshots.get('default', 'x')).toBeNull();
    await Promise.all([
      snapshots.put('default', '../b', 10, text('../b', 10)),
      snapshots.put('default', 'A', 20, text('A', 20)),
      snapshots.put('default', '../b', 30, text('../b', 30)),
      snapshots.put('other', 'a', 40, text('a', 40)),
    ]);
    await directory.close();
    const again = (await openAt(dir)).directory.snapshots;
    expect(await again.list('default')).toMatchObject([
      { name: 'A', seq: 2, takenAtMs: 20, bytes: text('A', 20).length },
      { name: '../b', seq: 3, takenAtMs: 30, bytes: text('../b', 30).length },
    ]);
    expect(await again.get('default', '../b')).toBe(text('../b', 30));
    expect(await again.remove('default', '../b')).toBe(true);
    expect(await again.remove('default', '../b')).toBe(false);
    expect(await again.get('default', '../b')).toBeNull();
    expect(await again.get('other', 'a')).toBe(text('a', 40));
    expect(await files(join(dir, 'snapshots'))).toEqual(['default', 'other']);
  });
});
