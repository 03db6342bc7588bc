import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTables, tableEntries } from '../../src/store/account-data.js';
import { type Page, pageOf, Table } from '../../src/store/table.js';
import { cases } from '../support/property.js';

interface Thing {
  readonly id: string;
  readonly seq: number;
  readonly colour: string;
  readonly size: string | null;
}

const newTable = () =>
  new Table('things', { colour: (row: Thing) => row.colour, size: (row: Thing) => row.size ?? undefined });

const colours = ['red', 'green', 'blue'] as const;
const sizes = ['s', 'm', null] as const;
const operation = fc.record({
  kind: fc.constantFrom(
    'insert',
    'insert',
    'insert',
    'patch',
    'patch',
    'delete',
    'oldest',
    'oldest',
    'clear',
    'replace',
  ),
  slot: fc.nat(20),
  colour: fc.constantFrom(...colours),
  size: fc.constantFrom(...sizes),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Performs operations on a table and on a plain list. Every third row has a number below those before it. */
function played(operations: readonly Operation[], table: ReturnType<typeof newTable>): Thing[] {
  let model: Thing[] = [];
  for (const [n, { kind, slot, colour, size }] of operations.entries()) {
    const id = `t${slot}`;
    const row = table.get(id);
    if (kind === 'insert' && !row) {
      const seq = slot % 3 === 0 ? 1000 - n : 2000 + n;
      table.insert({ id, seq, colour, size });
      model.push({ id, seq, colour, size });
    } else if (kind === 'patch' && row) {
      table.patch(row, { colour, size });
      model = model.map((other) => (other.id === id ? { ...other, colour, size } : other));
    } else if (kind === 'delete' && row) {
      table.delete(row);
      model = model.filter((other) => other.id !== id);
    } else if (kind === 'oldest') {
      const [oldest] = table.oldest();
      if (oldest) table.delete(oldest);
      model = model.sort((a, b) => a.seq - b.seq).slice(1);
    } else if (kind === 'clear') {
      table.clear();
      model = [];
    } else if (kind === 'replace') {
      const rows = [{ id: 'new', seq: 1500, colour, size }];
      table.replace(rows);
      model = structuredClone(rows);
    }
  }
  return model.sort((a, b) => a.seq - b.seq);
}

describe('a table', () => {
  it('has the rows of a plain list, by number and under every key', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const table = newTable();
        const model = played(operations, table);
        expect([...table.oldest()]).toEqual(model);
        expect(table.all()).toEqual(model);
        expect(table.size).toBe(model.length);
        for (const row of model) expect(table.get(row.id)).toEqual(row);
        for (const colour of colours) {
          expect(table.list('colour', colour)).toEqual(model.filter((row) => row.colour === colour));
        }
        for (const size of sizes) {
          if (size !== null) expect(table.list('size', size)).toEqual(model.filter((row) => row.size === size));
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it('forgets the oldest rows, many or few', () => {
    const table = newTable();
    for (let seq = 1; seq <= 2_500; seq += 1) table.insert({ id: `t${seq}`, seq, colour: 'red', size: null });
    for (let count = 1; count <= 1_700; count += 1) {
      const [oldest] = table.oldest();
      table.delete(oldest!);
    }
    expect(table.size).toBe(800);
    expect(
      table
        .all()
        .slice(0, 1)
        .map(({ seq }) => seq),
    ).toEqual([1_701]);
    expect(table.all()).toHaveLength(800);
  });

  it('gives every matching row once, page by page, in both directions, within the bounds', () => {
    const query = fc.record({
      limit: fc.integer({ min: 1, max: 7 }),
      order: fc.constantFrom('asc' as const, 'desc' as const),
      after: fc.integer({ min: 900, max: 2060 }),
      before: fc.integer({ min: 900, max: 2060 }),
      colour: fc.constantFrom(undefined, ...colours),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), query, (operations, asked) => {
        const { limit, order, after, before, colour } = asked;
        const table = newTable();
        const fits = (row: Thing): boolean => colour === undefined || row.colour === colour;
        const expected = played(operations, table).filter((row) => fits(row) && row.seq > after && row.seq < before);
        if (order === 'desc') expected.reverse();
        const found: Thing[] = [];
        let next: number | null;
        let from = {};
        do {
          const page: Page<Thing> = pageOf(table.all(), { limit, order, after, before, ...from }, fits);
          expect(page.items.length).toBeLessThanOrEqual(limit);
          found.push(...page.items);
          next = page.next;
          from = { [order === 'desc' ? 'before' : 'after']: next };
        } while (next !== null);
        expect(found).toEqual(expected);
      }),
      { numRuns: cases(200) },
    );
  });

  it('refuses a second row of one id', () => {
    const table = newTable();
    const row = { id: 'a', seq: 1, colour: 'red', size: null };
    table.insert(row);
    expect(() => table.insert({ ...row, seq: 2 })).toThrow('things: a row with id a already exists');
  });
});

it('each table of an account has the name under which it is stored', () => {
  for (const [name, table] of tableEntries(createTables())) expect(table.name).toBe(name);
});
