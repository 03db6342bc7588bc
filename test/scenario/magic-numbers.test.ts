import { expect, it } from 'vitest';
import { magicFor, magicNumbers, magicRules, magicTemplateFor } from '../../src/scenario/engine/magic-numbers.js';
import { queryOf } from './fixtures.js';

it('each has a name of its own and explains itself', () => {
  expect(new Set(magicNumbers.map(({ name }) => name)).size).toBe(26);
  const facts = { phone: '+12025550142' };
  expect(magicRules(facts)?.decide(queryOf('message.send', facts)).respond?.explain).toEqual({
    by: 'magic',
    id: 'magic-42',
    text: 'API 500 on every send.',
  });
});

it.each(['+12025550199', '+12025550242', '+11025550142', '+442025550142', '+120255501420', '12025550142', ''])(
  '%j is an ordinary number',
  (phone) => {
    expect(magicFor(phone)).toBeNull();
  },
);

it.each(['reject', 'promo_rejected', 'slow_promo'])('%s is an ordinary name', (name) => {
  expect(magicTemplateFor(name)).toBeNull();
});
