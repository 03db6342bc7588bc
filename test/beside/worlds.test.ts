/** Which runs get codes of the exploration's own. */
import { expect, it } from 'vitest';
import { codesSetIn, hasRulesForCodes } from '../../src/beside/worlds.js';

it.each([
  [{ code: '123456' }, true],
  [{ attempts: 2 }, true],
  [{ expires: '1m' }, true],
  [null, false],
])('a rule for codes with %o is kept', (otp, kept) => {
  const rules = [{ when: 'otp.send', then: otp === null ? { lifecycle: 'blocked' } : { otp } }];
  expect(hasRulesForCodes([undefined, { version: 1, rules }])).toBe(kept);
});

it('knows whose codes the rules of a scenario set: of one number, or perhaps of all', () => {
  const [ann, bob] = ['+12025550110', '+12025550111'];
  const setBy = (match?: object) => {
    const isSet = codesSetIn([
      undefined,
      { rules: [{ when: 'otp.send', ...(match && { match }), then: { otp: {} } }] },
    ]);
    return [isSet(ann), isSet(bob)];
  };
  expect([setBy({ phone: ann }), setBy({ phone: '+1202*' }), setBy()]).toEqual([
    [true, false],
    [true, true],
    [true, true],
  ]);
  expect(codesSetIn([{ rules: [{ when: 'message.send', then: { lifecycle: 'blocked' } }] }])(ann)).toBe(false);
});
