import { expect, it } from 'vitest';
import { pairText } from '../../src/store/tables/table-index.js';

it('puts two words together, whatever came before', () => {
  const moved = pairText(' → ');
  const words = ['', 'a', 'b', 'a → b'];
  const all = words.flatMap((first) => words.map((second) => [first, second] as const));
  for (const [first, second] of [...all, ...all]) expect(moved(first, second)).toBe(`${first} → ${second}`);
});
