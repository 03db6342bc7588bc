import { effect } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { Collection, type PageOf } from '../../src/ui/page/core/collection.js';

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly state: string;
}

const row = (seq: number, state = 'stored'): Row => ({ seq, id: `id-${seq}`, state });

/** A list call that the test controls: each waits until the test responds. */
function listed() {
  const calls: { before: number | null; limit: number; answer: (page: PageOf<Row>) => void; fail: () => void }[] = [];
  const list = new Collection<Row>(
    (before, limit) =>
      new Promise((resolve, reject) => {
        calls.push({ before, limit, answer: resolve, fail: () => reject(new Error('away')) });
      }),
    ({ id }) => id,
  );
  const seqs = () => list.rows.map(({ seq }) => seq);
  return { list, calls, seqs };
}

/** A collection that has read its newest page. */
async function opened(rows: readonly Row[], next: number | null = null) {
  const known = listed();
  known.list.ensure();
  known.calls[0]?.answer({ items: rows, next });
  await settled();
  return known;
}

const settled = () => new Promise<void>((resolve) => process.nextTick(resolve)).then(() => undefined);

describe('a collection', () => {
  it('reads the newest page once, and keeps rows in ascending order', async () => {
    const { list, calls, seqs } = listed();
    list.ensure();
    list.ensure();
    expect(calls).toHaveLength(1);
    expect(list.state.value).toBe('loading');
    calls[0]?.answer({ items: [row(9), row(7), row(4)], next: 4 });
    await settled();
    expect([list.state.value, list.more.value, seqs()]).toStrictEqual(['ready', true, [4, 7, 9]]);
  });

  it('reads older pages from the oldest at hand on, one at a time', async () => {
    const { list, calls, seqs } = await opened([row(9), row(7)], 7);
    void list.older();
    void list.older();
    expect(calls.map(({ before }) => before)).toStrictEqual([null, 7]);
    calls[1]?.answer({ items: [row(5), row(2)], next: null });
    await settled();
    expect([list.more.value, seqs()]).toStrictEqual([false, [2, 5, 7, 9]]);
    await list.older();
    expect(calls).toHaveLength(2);
  });

  it('reads on where the last page ended, although a much older record changed meanwhile', async () => {
    const { list, calls, seqs } = await opened([row(9), row(7)], 7);
    list.put(row(2, 'changed'));
    void list.older();
    expect(calls.map(({ before }) => before)).toStrictEqual([null, 7]);
    calls[1]?.answer({ items: [row(5), row(2, 'changed')], next: null });
    await settled();
    expect(seqs()).toStrictEqual([2, 5, 7, 9]);
  });

  it('takes new rows, changed rows and rows that come late, and drops rows', async () => {
    const { list, seqs } = await opened([row(5), row(3)]);
    list.put(row(9));
    list.put(row(4));
    list.put(row(3, 'changed'));
    list.drop('id-5');
    list.drop('id-unknown');
    expect(seqs()).toStrictEqual([3, 4, 9]);
    expect(list.get('id-3')?.state).toBe('changed');
    expect(list.rows.map(({ state }) => state)).toStrictEqual(['changed', 'stored', 'stored']);
    expect(list.latest).toBe(9);
  });

  it('believes the stream more than a list that was asked for before', async () => {
    const { list, calls, seqs } = listed();
    list.ensure();
    list.put(row(3, 'changed'));
    list.put(row(8));
    list.drop('id-5');
    calls[0]?.answer({ items: [row(5), row(3), row(1)], next: null });
    await settled();
    expect(seqs()).toStrictEqual([1, 3, 8]);
    expect(list.get('id-3')?.state).toBe('changed');
  });

  it('read anew holds what there is now, and shows the old until then', async () => {
    const { list, calls, seqs } = await opened([row(5), row(3)]);
    void list.reload();
    expect([list.state.value, seqs()]).toStrictEqual(['ready', [3, 5]]);
    calls[1]?.answer({ items: [row(7), row(3, 'later')], next: null });
    await settled();
    expect(seqs()).toStrictEqual([3, 7]);
    expect(list.get('id-5')).toBeUndefined();
  });

  it('drops an answer from before it was emptied', async () => {
    const { list, calls, seqs } = listed();
    list.ensure();
    list.clear();
    calls[0]?.answer({ items: [row(5)], next: null });
    await settled();
    expect(seqs()).toStrictEqual([]);
  });

  it('that is emptied while it is being read is an empty one, and not one being read for ever', async () => {
    const { list, calls, seqs } = listed();
    list.ensure();
    list.clear();
    list.put(row(6));
    calls[0]?.answer({ items: [row(5)], next: null });
    await settled();
    expect([list.state.value, seqs()]).toStrictEqual(['ready', [6]]);
  });

  it('that starts over shows nothing of before while it is read again, and is not read if it never was', async () => {
    const { list, calls, seqs } = listed();
    list.startOver();
    expect([list.state.value, calls.length]).toStrictEqual(['idle', 0]);
    list.ensure();
    calls[0]?.answer({ items: [row(5), row(3)], next: null });
    await settled();
    list.startOver();
    expect(seqs()).toStrictEqual([]);
    calls[1]?.answer({ items: [row(8)], next: null });
    await settled();
    expect([list.state.value, seqs()]).toStrictEqual(['ready', [8]]);
  });

  it('stays empty while nobody looks at it', () => {
    const { list, seqs } = listed();
    list.put(row(1));
    expect(seqs()).toStrictEqual([]);
  });

  it('says when it could not be read, and can be read again', async () => {
    const { list, calls } = listed();
    list.ensure();
    calls[0]?.fail();
    await settled();
    expect(list.state.value).toBe('failed');
    void list.reload();
    calls[1]?.answer({ items: [], next: null });
    await settled();
    expect(list.state.value).toBe('ready');
  });

  it('lets the oldest go beyond 60,000, and reads them again from there', async () => {
    const { list, calls } = await opened([row(1)]);
    for (let seq = 2; seq <= 60_002; seq += 1) list.put(row(seq));
    expect([list.rows.length, list.rows[0]?.seq, list.get('id-2'), list.more.value]).toStrictEqual([
      60_000,
      3,
      undefined,
      true,
    ]);
    void list.older();
    expect(calls[1]?.before).toBe(3);
  });

  it('tells those who read it of every change', async () => {
    const { list, calls } = listed();
    const seen: number[] = [];
    const end = effect(() => {
      seen.push(list.rows.length);
    });
    list.ensure();
    calls[0]?.answer({ items: [row(1)], next: null });
    await settled();
    list.put(row(2));
    list.put(row(2, 'changed'));
    end();
    expect(seen).toStrictEqual([0, 1, 2, 2]);
  });

  describe('of which all is wanted', () => {
    const twoPages = () => opened([row(9), row(7)], 7);

    it('is read page after page, however many want it', async () => {
      const { list, calls, seqs } = await twoPages();
      void list.all();
      void list.older();
      calls[1]?.answer({ items: [row(5)], next: 5 });
      await settled();
      calls[2]?.answer({ items: [row(2)], next: null });
      await settled();
      expect(calls.map(({ before }) => before)).toStrictEqual([null, 7, 5]);
      expect(seqs()).toStrictEqual([2, 5, 7, 9]);
    });

    // Repeated calls in one turn would leave the browser no time for the response, and the tab would hang.
    it('is waited for, not asked for again and again, while somebody else reads', async () => {
      const { list } = await twoPages();
      const asked = vi.spyOn(list, 'older');
      void list.older();
      void list.all();
      for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
      const times = asked.mock.calls.length;
      list.clear();
      expect(times).toBe(2);
    });

    it('may be wanted before anything was read', async () => {
      const { list, calls, seqs } = listed();
      list.ensureAll();
      list.ensureAll();
      calls[0]?.answer({ items: [row(9), row(7)], next: 7 });
      await settled();
      calls[1]?.answer({ items: [row(5)], next: null });
      await settled();
      expect(calls.map(({ before }) => before)).toStrictEqual([null, 7]);
      expect(seqs()).toStrictEqual([5, 7, 9]);
    });

    it('asks no more of a sandbox that is away, and reads the rest when it is back', async () => {
      const { list, calls, seqs } = await twoPages();
      void list.all();
      calls[1]?.fail();
      await settled();
      await settled();
      expect(calls).toHaveLength(2);
      expect(list.state.value).toBe('ready');
      list.retry();
      calls[2]?.answer({ items: [row(5)], next: null });
      await settled();
      expect(seqs()).toStrictEqual([5, 7, 9]);
      list.retry();
      expect(calls).toHaveLength(3);
    });

    it('is read on after a reload, from where the newest page ends', async () => {
      const { list, calls, seqs } = await twoPages();
      void list.all();
      void list.reload();
      expect(calls).toHaveLength(3);
      calls[1]?.answer({ items: [row(5)], next: null });
      calls[2]?.answer({ items: [row(12), row(9)], next: 9 });
      await settled();
      await settled();
      expect(calls.map(({ before }) => before)).toStrictEqual([null, 7, null, 9]);
      calls[3]?.answer({ items: [row(7), row(5)], next: null });
      await settled();
      expect(seqs()).toStrictEqual([5, 7, 9, 12]);
    });
  });

  it('that could not be read again is shown as it was, and read when the sandbox is back', async () => {
    const { list, calls, seqs } = await opened([row(3)]);
    void list.reload();
    calls[1]?.fail();
    await settled();
    expect([list.state.value, seqs()]).toStrictEqual(['ready', [3]]);
    list.retry();
    calls[2]?.answer({ items: [row(4)], next: null });
    await settled();
    expect(seqs()).toStrictEqual([4]);
    list.retry();
    expect(calls).toHaveLength(3);
  });

  it('reads an older page that failed when the sandbox is back', async () => {
    const { list, calls, seqs } = await opened([row(9)], 9);
    void list.older();
    calls[1]?.fail();
    await settled();
    list.retry();
    calls[2]?.answer({ items: [row(4), row(3)], next: 3 });
    await settled();
    expect(seqs()).toStrictEqual([3, 4, 9]);
    expect(calls).toHaveLength(3);
  });
});
