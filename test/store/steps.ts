import fc from 'fast-check';
import type { Step } from './support.js';

const text = fc.oneof(
  fc.constantFrom('a', 'Grüße, 世界 🚀', '{"changes":[]}\n', '\ud800'),
  fc.string({ maxLength: 12 }),
);

/** Random writes, in which rare ones are rare. */
export const steps = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom<Step['kind'][]>(
        ...(['insert', 'insert', 'insert', 'patch', 'patch', 'patch', 'delete', 'pair', 'pair'] as const),
        ...(['clear', 'clock', 'draw', 'restore'] as const),
      ),
      slot: fc.integer({ min: 0, max: 7 }),
      text,
    }),
    // As long as they may be: short ones outgrow no file.
    { minLength: 1, maxLength, size: 'max' },
  );
