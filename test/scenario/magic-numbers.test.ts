import { expect, it } from 'vitest';
import { magicFor, magicTemplateFor } from '../../src/scenario/engine/magic-numbers.js';

it.each(['+12025550199', '+12025550242', '+11025550142', '+442025550142', '+120255501420', '12025550142', ''])(
  '%j is an ordinary number',
  (phone) => {
    expect(magicFor(phone)).toBeNull();
  },
);

it.each(['reject', 'promo_rejected', 'slow_promo'])('%s is an ordinary name', (name) => {
  expect(magicTemplateFor(name)).toBeNull();
});
