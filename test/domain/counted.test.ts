import { expect, it } from 'vitest';
import { counted } from '../../src/domain/in-words.js';

it.each([
  [1, 'delivery', '1 delivery'],
  [0, 'delivery', '0 deliveries'],
  [2, 'entry', '2 entries'],
  [2, 'day', '2 days'],
  [1, 'job', '1 job'],
  [3, 'job', '3 jobs'],
])('%i %s: %s', (number, noun, words) => {
  expect(counted(number, noun)).toBe(words);
});
