import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PieceList } from '../../src/scenario/engine/piece-list.js';

// Among them letters that are told apart by their code alone: a, A, ! and á share their last five bits.
const word = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'A', '!', 'á', 'b', 'c', '1', 'ſ', '😀'), maxLength });

it('finds the pieces that a text holds and no others, be the text long or short', () => {
  fc.assert(
    fc.property(fc.array(word(4), { maxLength: 12 }), fc.array(word(80), { maxLength: 4 }), (pieces, texts) => {
      const list = new PieceList<string>();
      for (const piece of pieces) list.under(piece).push(piece);
      expect(list.isEmpty).toBe(pieces.length === 0);
      for (const text of texts) {
        const found: string[] = [];
        list.find(text, (under) => found.push(...under));
        expect(found.sort()).toEqual(pieces.filter((piece) => text.includes(piece)).sort());
      }
    }),
    { numRuns: 2_000 },
  );
});
