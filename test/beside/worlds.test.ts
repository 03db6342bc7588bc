/** Which runs get codes of the exploration's own. */
import { expect, it } from 'vitest';
import { resolveConfig } from '../../src/config/index.js';
import { codesSetIn, hasRulesForCodes, openWorlds } from '../../src/beside/worlds.js';

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

it('gives each customer codes that do not start with a zero, unless a magic number says otherwise', async () => {
  const config = resolveConfig({ flags: { port: '0' }, env: {} });
  const worlds = await openWorlds(config, null, false);
  const { account, close } = await worlds.world([]);
  const templates = [{ name: 'login', category: 'authentication', language: 'en' }];
  await account.call('PUT', '/_sandbox/scenario', { version: 1, given: { templates } });
  const codeOf = async (to: string) => {
    await account.call('POST', '/v1/otp/send', { to });
    return (await account.otp(to)).code;
  };
  expect(await codeOf('+447700900160')).toBe('112046');
  expect(await codeOf('+12025550160')).toBe('000000');
  expect(await codeOf('+12025550162')).toBe('132046');
  const { otp_id } = await account.otp('+12025550162');
  const checked = await account.call('POST', '/v1/otp/verify', { otp_id, code: '999999' });
  expect(checked).toMatchObject({ valid: false, attempts_remaining: 0 });
  close();
  await worlds.end();
});
