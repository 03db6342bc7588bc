/** Which runs get codes of the exploration's own. */
import { expect, it } from 'vitest';
import { hasRulesForCodes } from '../../src/beside/worlds.js';

it.each([
  [{ code: '123456' }, true],
  [{ attempts: 2 }, true],
  [{ expires: '1m' }, true],
  [null, false],
])('a rule for codes with %o is kept', (otp, kept) => {
  const rules = [{ when: 'otp.send', then: otp === null ? { lifecycle: 'blocked' } : { otp } }];
  expect(hasRulesForCodes([undefined, { version: 1, rules }])).toBe(kept);
});
