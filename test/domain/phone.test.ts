import { expect, it } from 'vitest';
import { isFictional } from '../../src/domain/customer.js';

it.each([
  ['+12025550100', true],
  ['+19145550199', true],
  ['+12025550200', false],
  ['+12025560100', false],
  ['+447700900123', true],
  ['+447700901123', false],
  ['+442079460999', true],
  ['+442079461000', false],
  ['+441134960000', true],
  ['+441914980000', true],
  ['+33639981234', true],
  ['+33639971234', false],
  ['+61491570156', true],
  ['+61491570155', false],
  ['+61255501234', true],
  ['+4915112345678', false],
])('%s: %j', (phone, fictional) => {
  expect(isFictional(phone)).toBe(fictional);
});
