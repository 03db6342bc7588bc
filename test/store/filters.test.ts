import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message } from '../../src/domain/message.js';
import { pageMessages } from '../../src/store/tables/filters.js';
import { cases } from '../support/property.js';
import { emptyData, message } from './samples.js';

const status = fc.constantFrom<Message['status'][]>('accepted', 'read', 'failed');
const type = fc.constantFrom('template', 'text', 'image');
const to = fc.constantFrom('+12025550101', '+12025550102');
const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

it('pages through sent messages by any filters, whichever of them have a list of their own', () => {
  const sent = fc.array(
    fc.record({ status, type, to, origin: fc.constantFrom<Message['origin'][]>('api', 'api', 'inbound') }),
    // By default, most lists would be too short for a page that combines several types.
    { maxLength: 40, size: 'max' },
  );
  const filter = fc.record({ status: perhaps(status), type: perhaps(type), to: perhaps(to) });
  const query = fc.record({
    limit: fc.integer({ min: 1, max: 7 }),
    order: fc.constantFrom<('asc' | 'desc')[]>('asc', 'desc'),
    cursor: fc.integer({ min: -1, max: 45 }),
  });
  fc.assert(
    fc.property(sent, filter, query, (rows, filter, { limit, order, cursor: start }) => {
      const { tables } = emptyData();
      rows.forEach((row, i) => {
        const { messages } = tables;
        // The status is set later, as in practice, so that a message moves between lists.
        const stored = messages.insert({
          ...message(`m${i}`, i),
          type: row.type,
          origin: row.origin,
          customer: row.to,
        });
        messages.patch(stored, { status: row.status });
      });
      const expected = rows.flatMap((row, i) => {
        const wanted =
          row.origin === 'api' &&
          (filter.status ?? row.status) === row.status &&
          (filter.type ?? row.type) === row.type &&
          (filter.to ?? row.to) === row.to;
        return wanted && (order === 'asc' ? i > start : i < start) ? [`m${i}`] : [];
      });
      if (order === 'desc') expected.reverse();
      const found: string[] = [];
      for (let cursor: number | null = start; cursor !== null;) {
        const { items, next } = pageMessages(tables, filter, { limit, order, cursor });
        if (next !== null) expect(items).toHaveLength(limit);
        found.push(...items.map(({ id }) => id));
        cursor = next;
      }
      expect(found).toEqual(expected);
    }),
    { numRuns: cases(1_000) },
  );
});
