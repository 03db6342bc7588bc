import { describe, expect, it } from 'vitest';
import { clockWords, dayPill, dayWords, relativeWords, spanWords } from '../../src/ui/page/core/words.js';

const at = Date.UTC(2026, 2, 1, 9, 5, 7, 250);
const hourMs = 3_600_000;

describe('times in words', () => {
  it.each([
    [0, '0 s'],
    [-5, '0 s'],
    [999, '0 s'],
    [12_345, '12 s'],
    [250_000, '4 min 10 s'],
    [240_000, '4 min'],
    [24 * hourMs - 1, '23 h 59 min'],
    [24 * hourMs, '24 h'],
    [25 * hourMs, '25 h'],
    [50 * hourMs, '2 d 2 h'],
    [hourMs + 5000, '1 h'],
  ])('%d ms are %s', (ms, words) => {
    expect(spanWords(ms)).toBe(words);
  });

  it('says the time of day and the day in UTC', () => {
    expect([clockWords(at), clockWords(at, true), dayWords(at)]).toStrictEqual(['09:05', '09:05:07', 'Sun 1 Mar 2026']);
  });

  it.each([
    [0, 'Today'],
    [-9 * hourMs, 'Today'],
    [-10 * hourMs, 'Yesterday'],
    [-34 * hourMs, 'Fri 27 Feb 2026'],
  ])('names a day %d ms away', (away, words) => {
    expect(dayPill(at + away, at)).toBe(words);
  });

  it.each([
    [0, 'now'],
    [-999, 'now'],
    [61_000, 'in 1 min 1 s'],
    [-2 * hourMs, '2 h ago'],
  ])('says how far away %d ms are', (away, words) => {
    expect(relativeWords(at + away, at)).toBe(words);
  });
});
