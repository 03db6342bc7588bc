import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Table } from '../../src/store/table.js';
import { cases } from '../support/property.js';

interface Thing {
  readonly id: string;
  readonly seq: number;
  readonly colour: string;
  readonly size: string | null;
}

const newTable = () =>
  new Table(
    'things',
    { colour: (row: Thing) => row.colour, size: (row: Thing) => row.size ?? undefined },
    ({ size }: Thing) => size ?? undefined,
  );

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
    'read',
    'clear',
    'replace',
  ),
  slot: fc.nat(20),
  colour: fc.constantFrom(...colours),
  // Few are small, so that these are rare.
  size: fc.constantFrom(...sizes, ...sizes.slice(1), ...sizes.slice(1), ...sizes.slice(1)),
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
    } else if (kind === 'read') {
      // It takes out what was deleted before.
      expect(table.inOrder()).toEqual(model.sort((a, b) => a.seq - b.seq));
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
        expect(table.inOrder()).toEqual(model);
        expect(table.size).toBe(model.length);
        for (const row of model) expect(table.get(row.id)).toEqual(row);
        for (const colour of colours) {
          expect(table.list('colour', colour)).toEqual(model.filter((row) => row.colour === colour));
        }
        for (const size of sizes) {
          if (size === null) continue;
          const own = model.filter((row) => row.size === size);
          expect(table.list('size', size)).toEqual(own);
          expect(table.ofRareKind(size)).toEqual(own.length * 10 > model.length ? null : own);
        }
      }),
      { numRuns: cases(300) },
    );
  });
});
