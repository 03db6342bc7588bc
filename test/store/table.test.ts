import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/store/tables/table.js';
import { Table } from '../../src/store/tables/table.js';
import { createTables } from '../../src/store/tables/account-data.js';
import type { RequestRecord } from '../../src/domain/request-record.js';

interface Thing {
  readonly id: string;
  readonly seq: number;
  readonly colour: string;
  readonly size: string | null;
  readonly rank: number | null;
}

const indexes = {
  colour: { key: (row: Thing) => row.colour },
  size: { key: (row: Thing) => row.size ?? undefined },
};

const newTable = (listed = false) =>
  new Table(
    'things',
    {
      colour: { ...indexes.colour, whenAsked: true },
      size: indexes.size,
      ranked: { key: (row: Thing) => (row.rank === null ? undefined : 'yes'), order: (row: Thing) => row.rank ?? 0 },
    },
    () => 1,
    listed,
  );

const colour = fc.constantFrom('red', 'green', 'blue');
const size = fc.constantFrom('s', 'm', null);
const operation = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'insert', 'patch', 'patch', 'delete', 'clear'),
  slot: fc.nat(20),
  colour,
  size,
});

/** Performs operations on a table and on a plain list; an index is first used before operation `firstAskedAt`. */
function played<I extends string>(
  operations: readonly { kind: string; slot: number; colour: string; size: string | null }[],
  table: Table<Thing, I>,
  firstAskedAt = Infinity,
) {
  let model: Thing[] = [];
  let seq = 0;
  for (const [n, { kind, slot, colour, size }] of operations.entries()) {
    if (n === firstAskedAt) for (const index of Object.keys(indexes)) table.keys(index as I);
    const id = `t${String(slot)}`;
    const row = [...table.rows()].find((other) => other.id === id);
    if (kind === 'insert' && !row) {
      seq += 1;
      const rank = slot % 3 === 0 ? 1000 - seq : null;
      table.insert({ id, seq, colour, size, rank });
      model.push({ id, seq, colour, size, rank });
    } else if (kind === 'patch' && row) {
      const rank = slot % 2 === 0 ? 2000 + seq++ : null;
      table.patch(row, { colour, size, rank });
      model = model.map((other) => (other.id === id ? { ...other, colour, size, rank } : other));
    } else if (kind === 'delete' && row) {
      table.delete(row);
      model = model.filter((other) => other.id !== id);
    } else if (kind === 'clear' && slot === 0) {
      table.clear();
      model = [];
    }
  }
  return { table, model };
}

it.each([false, true])('lists by index what a filter over all rows would find (listed: %s)', (listed) => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 80 }), fc.nat(80), colour, (operations, firstAskedAt, wanted) => {
      const { table, model } = played(operations, newTable(listed), firstAskedAt);
      expect([table.size, table.weight]).toEqual([model.length, model.length]);
      expect([...table.all()]).toEqual(model);
      for (const { id } of model) expect(table.get(id)?.id).toBe(id);
      expect(table.get('unknown')).toBeUndefined();
      expect(table.keys('colour').sort()).toEqual([...new Set(model.map((row) => row.colour))].sort());
      expect(table.keyCount('size')).toBe(new Set(model.flatMap((row) => row.size ?? [])).size);
      expect([...table.list('colour', wanted)]).toEqual(model.filter((row) => row.colour === wanted));
      expect([...table.list('size', 'm')]).toEqual(model.filter((row) => row.size === 'm'));
      const ranked = model.filter((row) => row.rank !== null).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
      expect([...table.list('ranked', 'yes')]).toEqual(ranked);
    }),
  );
});

it('reads no key of a row for an index that nobody asks for', () => {
  let read = 0;
  const key = (row: Thing): string => {
    read += 1;
    return row.colour;
  };
  const table = new Table('things', { colour: { key, whenAsked: true } });
  const row = table.insert({ id: 't1', seq: 1, colour: 'red', size: null, rank: null });
  table.patch(row, { colour: 'blue' });
  expect(read).toBe(0);
  expect(table.list('colour', 'blue').size).toBe(1);
  table.delete(row);
  expect([read, table.keyCount('colour')]).toEqual([2, 0]);
});

it('pages through any filters, in both directions, what a filter over all rows would find', () => {
  fc.assert(
    fc.property(
      fc.array(operation, { maxLength: 80 }),
      fc.option(colour, { nil: undefined }),
      fc.constantFrom('s', undefined),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom<('asc' | 'desc')[]>('asc', 'desc'),
      fc.option(fc.integer({ min: -1, max: 70 }), { nil: undefined }),
      (operations, wantedColour, wantedSize, limit, order, start) => {
        const { table, model } = played(operations, newTable());
        const fits = (row: Thing): boolean =>
          (wantedColour === undefined || row.colour === wantedColour) &&
          (wantedSize === undefined || row.size === wantedSize) &&
          (start === undefined || (order === 'asc' ? row.seq > start : row.seq < start));
        const expected = model.filter(fits);
        if (order === 'desc') expected.reverse();
        const where = {
          ...(wantedColour !== undefined && { colour: wantedColour }),
          ...(wantedSize !== undefined && { size: wantedSize }),
        };
        const found: Thing[] = [];
        let cursor = start;
        for (;;) {
          const page = table.page(where, { limit, order, ...(cursor !== undefined && { cursor }) });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          found.push(...page.items);
          if (page.next === null) break;
          expect(page.items).toHaveLength(limit);
          cursor = page.next;
        }
        expect(found).toEqual(expected);
      },
    ),
  );
});

describe('a change', () => {
  const row: Thing = { id: 'a', seq: 1, colour: 'red', size: null, rank: null };

  it('is told with what changed only', () => {
    const table = newTable();
    const changes: Change[] = [];
    const stored = table.insert({ ...row });
    table.listen((change) => changes.push(change));
    table.patch(stored, { colour: 'blue' });
    table.delete(stored);
    table.clear();
    expect(changes.map(({ op }) => op)).toEqual(['patch', 'delete', 'clear']);
    expect(changes[0]).toMatchObject({ table: 'things', id: 'a', patch: { colour: 'blue' } });
  });

  it('may not insert an id twice', () => {
    const table = newTable();
    table.insert({ ...row });
    expect(() => table.insert({ ...row, seq: 2 })).toThrow('things: a row with id a already exists');
  });

  it('ignores the removal of a row that is not stored', () => {
    const table = newTable();
    table.insert({ ...row });
    table.delete({ ...row });
    expect(table.size).toBe(1);
  });
});

it('takes the rows of another table, and builds its indexes from its own rows afterwards', () => {
  const [requests, other] = [createTables().requests, createTables().requests];
  const entry = (n: number) => ({ id: `req_${n}`, seq: n, path: '/a', method: 'GET' }) as RequestRecord;
  requests.insert(entry(1));
  other.insert(entry(2));
  requests.become(other);
  expect(requests.get('req_1')).toBeUndefined();
  requests.clear();
  requests.insert(entry(3));
  expect([...requests.list('path', '/a')].map(({ id }) => id)).toEqual(['req_3']);
  expect(requests.get('req_3')).toBeDefined();
});
