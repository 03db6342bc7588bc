import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reformatted } from '../../../src/webhooks/delivery/faults/reformatted.js';
import { cases } from '../../support/property.js';

it('spaces and escapes as hardly any serialiser does', () => {
  const body = JSON.stringify({ data: { text: 'Größe 42 / „rot“' } });
  const other = reformatted(body);
  expect(other).toContain('Gr\\u00f6\\u00dfe 42 \\/ \\u201erot\\u201c');
  expect(other).toMatch(/\n\t/);
  // Whoever signs a re-serialised object signs other bytes.
  expect(JSON.stringify(JSON.parse(other))).toBe(body);
  expect(other).not.toBe(body);
});

it('means the same whatever the body says', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (body) => {
      expect(JSON.parse(reformatted(body))).toEqual(JSON.parse(body));
    }),
    { numRuns: cases(200) },
  );
});
