import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regexPieces } from '../../src/scenario/engine/regex-pieces.js';
import { compileRegex, RegexError, type Regex } from '../../src/scenario/engine/regex.js';

describe('the pieces of an expression', () => {
  it.each<[string, string, string[] | undefined]>([
    ['refund', '', ['refund']],
    ['^refund$', 'm', ['refund']],
    ['\\bRefund 8\\b', 'i', ['refund 8']],
    ['refund|charge-?back', 'i', ['refund', 'charge']],
    ['order (?:late|lost)', '', ['order ']],
    ['(?<why>late|missing) x', '', ['late', 'missing']],
    ['a(late|lost)?b', '', ['a']],
    ['ab*cde', '', ['cde']],
    ['abc+d', '', ['abc']],
    ['x{0,3}y{2}', '', ['y']],
    ['[0-9\\]]+ pieces\\.', '', [' pieces.']],
    ['a/b\\/c', '', ['a/b/c']],
    ['Kiosk', 'i', ['io']],
    ['café', '', ['caf']],
    ['.*', '', undefined],
    ['a|', '', undefined],
    ['(a|b*)', '', undefined],
    ['(?i)refund', '', undefined],
    ['\\x61bc', '', undefined],
    ['\\Qabc\\E', '', undefined],
    ['[[:alpha:]]bc', '', undefined],
    ['x{,3}', '', undefined],
    ['s', 'i', undefined],
  ])('/%s/%s: %j', (source, flags, pieces) => {
    expect(() => compileRegex(source, flags)).not.toThrow();
    expect(regexPieces(source, flags)?.pieces).toEqual(pieces);
  });

  it('can be told of what the engine would not take', () => {
    for (const source of ['(', ')', 'a)', '[a', '\\', '*', '(?', '(?=a)', 'a**']) {
      expect(() => regexPieces(source, '')).not.toThrow();
    }
  });
});

// Few letters, so that expressions and texts meet; among them those with a third form (K, ſ) and one that grows in lower case (İ).
const letters = ['a', 'A', 'b', 'k', 'K', 's', 'i', '.', '/', ']', ' ', '\u212a', 'ſ', 'İ', 'é', '😀'];
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 10 });
const quoted = letters.map((letter) => letter.replace(/[.\]]/, '\\$&'));
const odd = [
  '.',
  '^',
  '$',
  '\\b',
  '\\B',
  '\\w',
  '\\s',
  '\\/',
  '\\-',
  '\\_',
  '\\n',
  '[ab]',
  '[^a\\]]',
  '[\\s\\w]',
  '[]',
  '[^]',
];
const odder = [
  '\\x61',
  '\\u0061',
  '\\u{61}',
  '\\ca',
  '\\pL',
  '\\p{L}',
  '\\Qa*\\E',
  '\\A',
  '\\z',
  '[[:alpha:]]',
  '[a[]',
];
const { expression } = fc.letrec<{ expression: string; item: string; sequence: string }>((tie) => ({
  item: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...quoted) },
    { weight: 2, arbitrary: fc.constantFrom(...odd) },
    { weight: 1, arbitrary: fc.constantFrom(...odder, '{', '}', ']', '{,2}') },
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?P<n>', '(?i:', '(?i)('), tie('expression'))
      .map(([open, inside]) => `${open}${inside})`),
  ),
  sequence: fc
    .array(
      fc.tuple(
        tie('item'),
        fc.oneof(
          { weight: 4, arbitrary: fc.constant('') },
          fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{0}', '{0,2}', '{1,}', '{1,2}?'),
        ),
      ),
      { maxLength: 5 },
    )
    .map((items) => items.flat().join('')),
  expression: fc.oneof(
    { weight: 3, arbitrary: tie('sequence') },
    fc.array(tie('sequence'), { minLength: 2, maxLength: 3 }).map((all) => all.join('|')),
  ),
}));
const soup = fc.string({ unit: fc.constantFrom(...'abKs()[]{}|*+?\\^$.,012:<>Pi-'.split('')), maxLength: 9 });
const flags = fc.constantFrom('', 'i', 'm', 'is', 'u');

function compiled(source: string, flags: string): Regex | undefined {
  try {
    return compileRegex(source, flags);
  } catch (error) {
    if (error instanceof RegexError) return undefined;
    throw error;
  }
}

describe('a text that fits', () => {
  it('holds one of the pieces, whatever the expression', () => {
    let met = 0;
    const check = (source: string, flags: string, texts: readonly string[]) => {
      const found = regexPieces(source, flags);
      const regex = found && compiled(source, flags);
      if (found === undefined || regex === undefined) return;
      for (const one of texts.filter((candidate) => regex.test(candidate))) {
        const held = found.folded ? one.toLowerCase() : one;
        expect(found.pieces.some((piece) => held.includes(piece))).toBe(true);
        met += 1;
      }
    };
    const texts = fc.array(text, { minLength: 4, maxLength: 12 });
    fc.assert(fc.property(expression, flags, texts, check), { numRuns: 8_000 });
    fc.assert(fc.property(soup, flags, texts, check), { numRuns: 4_000 });
    expect(met).toBeGreaterThan(1_000);
  });

  it('has no other form of a letter than its two cases, but for k and s', () => {
    const others = compileRegex('[\\x00-JL-RT-jl-rt-\\x7f]', 'i');
    const step = 4_096;
    for (let from = 0x80; from < 0x110000; from += step) {
      const points = Array.from({ length: Math.min(step, 0x110000 - from) }, (_, i) => from + i);
      expect(others.test(String.fromCodePoint(...points))).toBe(false);
    }
    expect(compileRegex('k', 'i').test('\u212a') && compileRegex('s', 'i').test('ſ')).toBe(true);
  });
});
