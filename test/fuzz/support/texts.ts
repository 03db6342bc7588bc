/** Texts that often cause errors. */
import fc from 'fast-check';

export const nastyTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '👩‍👩‍👧‍👦',
  '𝒜'.repeat(20),
  'e\u0301'.repeat(10),
  '\u202eabc',
  '\ufeffbom',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '{{1}}',
  '{{1}} {{3}}',
  '{{0}}',
  '{{999999999999999999999}}',
  '${id}',
  '%00',
  '%s%n',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  "'; DROP TABLE messages; --",
  '\r\nX-Injected: 1',
  'a\nb\tc',
  '+12025550121',
  '+00',
  '2026-02-30T25:61:61Z',
  'x'.repeat(5000),
] as const;

/** Any text, often an unusual one. Includes lone surrogates, which JSON can express. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom(...nastyTexts) },
);

/** Number of code points, as JSON Schema counts lengths. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/**
 * A text of exactly this many code points, starting with another; outside the basic plane, so that a count of UTF-16
 * units is detected.
 */
export function ofLength(text: string, points: number): string {
  const have = Array.from(text);
  return [...have.slice(0, points), ...Array.from({ length: Math.max(0, points - have.length) }, () => '𝒳')].join('');
}
