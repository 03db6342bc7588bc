import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredSnapshot } from '../../src/store/snapshots/snapshot-shelf.js';
import { contentOf, createIn, customer, emptyData, freshDir, job, loadFrom, message, openAt } from './support.js';

/** A closed directory with one account that has two messages, a customer and a job. */
async function dirWithAccount(key = 'default', folded = true): Promise<{ dir: string; content: string }> {
  const dir = await freshDir();
  const { directory } = await openAt(dir);
  const store = createIn(directory, key);
  store.update(() => store.tables.customers.insert(customer('+12025550150', store.nextSeq())));
  // The first checkpoint contains the first write; the others are in the log.
  await store.flushed();
  store.update(() => store.tables.messages.insert(message('m1', store.nextSeq())));
  store.update(() => store.tables.jobs.insert(job('j1', store.nextSeq())));
  store.update(() => store.tables.messages.insert(message('m2', store.nextSeq(), 'zwölf\n')));
  await store.flushed();
  const log = await readFile(join(dir, 'default.1.log')).catch(() => null);
  const checkpoint = await readFile(join(dir, 'default.json')).catch(() => null);
  await directory.close();
  if (!folded && log && checkpoint) {
    // The state after a crash: the first checkpoint, with everything in the log.
    await writeFile(join(dir, 'default.json'), checkpoint);
    await writeFile(join(dir, 'default.1.log'), log);
  }
  return { dir, content: contentOf(store) };
}

async function files(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => name !== '.lock').sort();
}

describe('an account', () => {
  it('is on disk after its first write, and not before', async () => {
    const dir = await freshDir();
    const { directory } = await openAt(join(dir, 'deep', 'data'));
    const store = createIn(directory, 'Worker3~flaky-api');
    expect(directory.keys()).toEqual(['Worker3~flaky-api']);
    expect(await files(join(dir, 'deep', 'data'))).toEqual([]);
    store.update(() => store.tables.messages.insert(message('m1', store.nextSeq())));
    await store.flushed();
    const json = expect.stringMatching(/^Worker3~flaky-api%-[\da-f]{16}\.json$/) as string;
    expect(await files(join(dir, 'deep', 'data'))).toEqual([json]);
    store.update(() => store.tables.messages.insert(message('m2', store.nextSeq())));
    await store.flushed();
    const log = expect.stringMatching(/^Worker3~flaky-api%-[\da-f]{16}\.1\.log$/) as string;
    expect(await files(join(dir, 'deep', 'data'))).toEqual([log, json]);
  });

  it('comes back as it was, after closing, in one readable file', async () => {
    const { dir, content } = await dirWithAccount();
    expect(await files(dir)).toEqual(['default.json']);
    const file = JSON.parse(await readFile(join(dir, 'default.json'), 'utf8')) as Record<string, unknown>;
    expect(file).toMatchObject({ format: 'messaging-sandbox/account', version: 2, key: 'default', log: 2 });
    expect((file.tables as Record<string, unknown[]>).messages).toHaveLength(2);
    const { directory, warnings } = await openAt(dir);
    expect(directory.keys()).toEqual(['default']);
    expect(contentOf(await loadFrom(directory, 'default'))).toBe(content);
    expect(warnings).toEqual([]);
  });

  it('comes back from its log when the process had no time to close', async () => {
    const { dir, content } = await dirWithAccount('default', false);
    expect(await files(dir)).toEqual(['default.1.log', 'default.json']);
    const { directory, warnings } = await openAt(dir);
    const store = await loadFrom(directory, 'default');
    expect(contentOf(store)).toBe(content);
    expect(warnings).toEqual([]);
    store.update(() => store.tables.messages.insert(message('m3', store.nextSeq())));
    await directory.close();
    const again = await openAt(dir);
    expect(contentOf(await loadFrom(again.directory, 'default'))).toBe(contentOf(store));
  });

  it('loads from a file that a person has edited and laid out anew', async () => {
    const { dir, content } = await dirWithAccount();
    const path = join(dir, 'default.json');
    const file = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify(file, null, 2).replace('zwölf', 'thirteen'));
    const { directory } = await openAt(dir);
    expect(contentOf(await loadFrom(directory, 'default'))).toBe(content.replace('zwölf', 'thirteen'));
  });

  it('may be opened once only', async () => {
    const { dir } = await dirWithAccount();
    const { directory } = await openAt(dir);
    expect(() => directory.create('default', emptyData())).toThrow('is already on disk: load it instead');
    await loadFrom(directory, 'default');
    await expect(directory.load('default')).rejects.toThrow('is already loaded');
    expect(await directory.load('nobody')).toBeNull();
  });

  it('keeps a removed field removed', async () => {
    const { dir } = await dirWithAccount();
    const first = await openAt(dir);
    const store = await loadFrom(first.directory, 'default');
    const row = store.tables.messages.get('m1')!;
    store.update(() => store.tables.messages.patch(row, { batchId: 'b' }));
    store.update(() => store.tables.messages.patch(row, { batchId: undefined } as never));
    await first.directory.close();
    const again = await openAt(dir);
    expect((await loadFrom(again.directory, 'default')).tables.messages.get('m1')).not.toHaveProperty('batchId');
  });
});

describe('damage', () => {
  it('at the end of a log is dropped, said, and written over', async () => {
    const { dir } = await dirWithAccount('default', false);
    const path = join(dir, 'default.1.log');
    const log = await readFile(path);
    await writeFile(path, log.subarray(0, log.length - 20));
    const { directory, warnings } = await openAt(dir);
    const store = await loadFrom(directory, 'default');
    expect(store.tables.messages.get('m1')).toBeDefined();
    expect(store.tables.messages.get('m2')).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      new RegExp(
        `^default\\.1\\.log ends in the middle of a line: its last \\d+ of ${String(log.length - 20)} bytes .*truncated\\.$`,
      ),
    );
    store.update(() => store.tables.messages.insert(message('m3', store.nextSeq())));
    await directory.close();
    const again = await openAt(dir);
    expect(contentOf(await loadFrom(again.directory, 'default'))).toBe(contentOf(store));
    expect(again.warnings).toEqual([]);
  });

  it('in the middle of a log costs that line; the file is kept', async () => {
    const { dir } = await dirWithAccount('default', false);
    const path = join(dir, 'default.1.log');
    const lines = (await readFile(path, 'utf8')).split('\n');
    const damaged = [lines[0], lines[1], lines[2]!.slice(0, 30), ...lines.slice(3)].join('\n');
    await writeFile(path, damaged);
    const { directory, warnings } = await openAt(dir);
    const store = await loadFrom(directory, 'default');
    expect([...store.tables.messages.all()].map(({ id }) => id)).toEqual(['m1', 'm2']);
    expect(store.tables.jobs.size).toBe(0);
    expect(warnings).toEqual([
      'default.1.log: line 3 is not JSON. The file is kept as default.1.log.set-aside-1; everything else in it is loaded.',
    ]);
    expect(await readFile(join(dir, 'default.1.log.set-aside-1'), 'utf8')).toBe(damaged);
    await directory.close();
    const again = await openAt(dir);
    expect(contentOf(await loadFrom(again.directory, 'default'))).toBe(contentOf(store));
    expect(again.warnings).toEqual([]);
    expect(await files(dir)).toEqual(['default.1.log.set-aside-1', 'default.json']);
  });

  it('moves the numbers and ids on, so that lost ones are not given out again', async () => {
    const { dir } = await dirWithAccount('default', false);
    const path = join(dir, 'default.1.log');
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines.splice(2, 0, '{"changes":[],"meta":{"draws":{"uuid":40}}}', 'garbage');
    await writeFile(path, lines.join('\n'));
    const { directory } = await openAt(dir);
    expect((await loadFrom(directory, 'default')).meta).toMatchObject({
      seq: 4,
      // Only the lost line contained the draws for this purpose.
      draws: { uuid: 40 + 2 ** 24, request: 2 ** 24, event: 2 ** 24 },
    });
  });

  it.each([
    ['torn', '{"format":"messaging-sandbox/account","version":1,"key":"default","log":2,\n"meta":{"se'],
    ['empty', ''],
    ['foreign', '{"name":"something-else"}'],
    ['not JSON', 'garbage'],
    [
      'without a required field',
      '{"format":"messaging-sandbox/account","version":1,"key":"default","log":2,"meta":{"seq":0},"tables":{}}',
    ],
  ])('of a checkpoint (%s) sets it aside with its log, and the rest loads', async (_what, text) => {
    const { dir } = await dirWithAccount('default', false);
    const other = await openAt(dir);
    const neighbour = createIn(other.directory, 'neighbour');
    neighbour.update(() => neighbour.tables.messages.insert(message('n1', neighbour.nextSeq())));
    await other.directory.close();
    await writeFile(join(dir, 'default.json'), text);
    await writeFile(join(dir, 'default.json.set-aside-1'), 'from another day');

    const { directory, warnings } = await openAt(dir);
    expect(contentOf(await loadFrom(directory, 'neighbour'))).toBe(contentOf(neighbour));
    expect(await directory.load('default')).toBeNull();
    expect(directory.keys()).toEqual(['neighbour']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^default\.json cannot be loaded: .+ kept as default\.json\.set-aside-2, default\.1\.log\.set-aside-1; /,
    );
    expect(await readFile(join(dir, 'default.json.set-aside-1'), 'utf8')).toBe('from another day');
    expect(await readFile(join(dir, 'default.json.set-aside-2'), 'utf8')).toBe(text);
    const anew = createIn(directory, 'default');
    anew.update(() => anew.tables.messages.insert(message('m1', anew.nextSeq())));
    await directory.close();
    const again = await openAt(dir);
    expect(contentOf(await loadFrom(again.directory, 'default'))).toBe(contentOf(anew));
    expect(again.warnings).toEqual([]);
  });

  describe('of a few lines of a checkpoint', () => {
    const damages: [string, (lines: string[]) => string[], RegExp, string[]][] = [
      [
        'a record that is no JSON',
        (lines) => lines.map((line) => (line.includes('"id":"m1"') ? line.slice(0, 40) : line)),
        /^default\.json is damaged: it is not complete JSON .*1 record of the account "default" could not be read\./,
        ['m2'],
      ],
      [
        'a record that lost a field',
        (lines) => lines.map((line) => line.replace('"wamid":"wamid.m2",', '')),
        /^default\.json is damaged: .*tables\.messages\[1\]\.wamid must be set.* 1 record of the account/,
        ['m1'],
      ],
      [
        'a record that stands there twice',
        (lines) => lines.flatMap((line) => (line.includes('"id":"m1"') ? [line, line] : [line])),
        /an id that no other record of the table has.* 1 record of the account/,
        ['m1', 'm2'],
      ],
      [
        'an end that is missing',
        (lines) => lines.slice(0, -4),
        /could not be read\. It ends (?:in|behind) table \w+/,
        ['m1', 'm2'],
      ],
    ];

    it.each([
      ['{"id":"m2"', 20, /1 record of .* It ends in table messages, after the record "m1"; (.*) are missing\. The/],
      ['{"id":"m1"', 0, /0 records of .* It ends in table messages, before its first record; (.*) are missing\. The/],
    ])('that is cut at %s and %i characters says after which record, and what is gone', async (mark, more, told) => {
      const { dir } = await dirWithAccount();
      const path = join(dir, 'default.json');
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.slice(0, text.indexOf(mark) + more));
      const { directory, warnings } = await openAt(dir);
      await loadFrom(directory, 'default');
      expect(warnings).toEqual([expect.stringMatching(told)]);
      const gone = told.exec(warnings[0] ?? '')?.[1]?.split(', ');
      expect(gone).toEqual(expect.arrayContaining(['jobs', 'requests', 'sinkRequests']));
      expect(gone).not.toContain('messages');
    });

    it.each(damages)('%s: that is lost, the file is kept, everything else loads', async (_what, damage, told, left) => {
      const { dir } = await dirWithAccount();
      const path = join(dir, 'default.json');
      const damaged = damage((await readFile(path, 'utf8')).split('\n')).join('\n');
      await writeFile(path, damaged);
      const { directory, warnings } = await openAt(dir);
      const store = await loadFrom(directory, 'default');
      expect([...store.tables.messages.all()].map(({ id }) => id)).toEqual(left);
      expect(store.tables.customers.size).toBe(1);
      expect(warnings).toEqual([expect.stringMatching(told)]);
      expect(warnings[0]).toMatch(
        /The file is kept as default\.json\.set-aside-1; everything else in it, and its log, is loaded\.$/,
      );
      expect(await readFile(join(dir, 'default.json.set-aside-1'), 'utf8')).toBe(damaged);
      store.update(() => store.tables.messages.insert(message('m3', store.nextSeq())));
      await directory.close();
      const again = await openAt(dir);
      expect(contentOf(await loadFrom(again.directory, 'default'))).toBe(contentOf(store));
      expect(again.warnings).toEqual([]);
    });

    it('loses nothing of the log that goes on from it', async () => {
      const { dir } = await dirWithAccount();
      const first = await openAt(dir);
      const store = await loadFrom(first.directory, 'default');
      store.update(() => store.tables.messages.insert(message('m3', store.nextSeq())));
      await store.flushed();
      // The state after a crash: the previous checkpoint, and a log.
      const log = (await readdir(dir)).find((name) => name.endsWith('.log'));
      const [checkpoint, lines] = [await readFile(join(dir, 'default.json')), await readFile(join(dir, log!))];
      await first.directory.close();
      await writeFile(join(dir, 'default.json'), checkpoint.toString().replace('{"id":"m1"', '{"id":'));
      await writeFile(join(dir, log!), lines);
      const { directory, warnings } = await openAt(dir);
      const back = await loadFrom(directory, 'default');
      expect([...back.tables.messages.all()].map(({ id }) => id)).toEqual(['m2', 'm3']);
      expect(warnings).toHaveLength(1);
    });
  });

  it('by copying or renaming never makes two files of one account', async () => {
    const { dir, content } = await dirWithAccount();
    await writeFile(join(dir, 'copy.json'), await readFile(join(dir, 'default.json')));
    const { directory, warnings } = await openAt(dir);
    expect(directory.keys()).toEqual(['default']);
    expect(warnings).toEqual([
      'copy.json cannot be loaded: it contains the account "default", whose file is default.json. It is kept as ' +
        'copy.json.set-aside-1; everything else loads.',
    ]);
    expect(contentOf(await loadFrom(directory, 'default'))).toBe(content);
  });

  it('by losing the checkpoint keeps the log', async () => {
    const { dir } = await dirWithAccount('default', false);
    await rename(join(dir, 'default.json'), join(dir, 'elsewhere'));
    const { directory, warnings } = await openAt(dir);
    expect(directory.keys()).toEqual([]);
    expect(warnings[0]).toContain('default.1.log belongs to default.json, which is missing');
    expect(await files(dir)).toContain('default.1.log.set-aside-1');
  });

  it('of an unfinished checkpoint is nobody’s loss', async () => {
    const { dir, content } = await dirWithAccount('default', false);
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

describe('the version', () => {
  it('of an earlier sandbox loads, and is written anew', async () => {
    const { dir, content } = await dirWithAccount();
    const path = join(dir, 'default.json');
    const { meta, tables } = JSON.parse(await readFile(path, 'utf8')) as { meta: object; tables: object };
    await writeFile(
      path,
      JSON.stringify({ format: 'messaging-sandbox/account', version: 0, key: 'default', meta, tables }),
    );
    const { directory, warnings } = await openAt(dir);
    expect(contentOf(await loadFrom(directory, 'default'))).toBe(content);
    expect(warnings).toEqual([]);
    expect(await readFile(path, 'utf8')).toMatch(/^\{"format":"messaging-sandbox\/account","version":2,/);
  });
});

async function textOf(snapshot: StoredSnapshot | null): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of snapshot?.slices() ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('snapshots', () => {
  it('are kept by name, whatever the name, in the order of taking', async () => {
    const dir = await freshDir();
    const { directory } = await openAt(dir);
    const { snapshots } = directory;
    expect(await snapshots.list('default')).toEqual([]);
    expect(await snapshots.get('default', 'x')).toBeNull();
    await Promise.all([
      snapshots.put('default', '../b', 10, [Buffer.from('"one"')]),
      snapshots.put('default', 'A', 20, [Buffer.from('"two"')]),
      snapshots.put('default', '../b', 30, [Buffer.from('"thrée"')]),
      snapshots.put('other', 'a', 40, [Buffer.from('"four"')]),
    ]);
    await directory.close();
    const again = (await openAt(dir)).directory.snapshots;
    expect(await again.list('default')).toEqual([
      { name: 'A', seq: 2, takenAtMs: 20, bytes: 5 },
      { name: '../b', seq: 3, takenAtMs: 30, bytes: 8 },
    ]);
    expect(await textOf(await again.get('default', '../b'))).toBe('"thrée"');
    expect(await again.remove('default', '../b')).toBe(true);
    expect(await again.remove('default', '../b')).toBe(false);
    expect(await again.get('default', '../b')).toBeNull();
    expect(await textOf(await again.get('other', 'a'))).toBe('"four"');
    expect(await files(join(dir, 'snapshots'))).toEqual(['default', 'other']);
  });

  it('are found where a person put them', async () => {
    const dir = await freshDir();
    await mkdir(join(dir, 'snapshots', 'default'), { recursive: true });
    await writeFile(join(dir, 'snapshots', 'default', 'given.json'), '{"taken_at":"1970-01-01T00:00:01.000Z"}');
    await writeFile(join(dir, 'snapshots', 'default', '.index.json'), '{"las');
    const { snapshots } = (await openAt(dir)).directory;
    expect(await snapshots.list('default')).toEqual([{ name: 'given', seq: 1, takenAtMs: 1000, bytes: 39 }]);
    expect(await textOf(await snapshots.get('default', 'given'))).toContain('taken_at');
  });
});
