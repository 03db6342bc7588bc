import { effect } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { Collection, type PageOf } from '../../src/ui/page/core/collection.js';

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly state: string;
}

const row = (seq: number, state = 'stored'): Row => ({ seq, id: `id-${seq}`, state });

/** A list call under the test's control: each waits until it is answered. */
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
    const { list, calls, seqs } = listed();
    list.ensure();
    calls[0]?.answer({ items: [row(9), row(7)], next: 7 });
    await settled();
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
    const { list, calls, seqs } = listed();
    list.ensure();
    calls[0]?.answer({ items: [row(9), row(7)], next: 7 });
    await settled();
    list.put(row(2, 'changed'));
    void list.older();
    expect(calls.map(({ before }) => before)).toStrictEqual([null, 7]);
    calls[1]?.answer({ items: [row(5), row(2, 'changed')], next: null });
    await settled();
    expect(seqs()).toStrictEqual([2, 5, 7, 9]);
  });

  it('takes new rows, changed rows and rows that come late, and drops rows', async () => {
    const { list, calls, seqs } = listed();
    list.ensure();
    calls[0]?.answer({ items: [row(5), row(3)], next: null });
    await settled();
    list.put(row(9));
    list.put(row(4));
    list.put(row(3, 'changed'));
    list.drop('id-5');
    list.drop('id-unknown');
    expect(seqs()).toStrictEqual([3, 4, 9]);
    expect(list.get('id-3')?.state).toBe('changed');
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
    const { list, calls, seqs } = listed();
    list.ensure();
    calls[0]?.answer({ items: [row(5), row(3)], next: null });
    await settled();
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
});
