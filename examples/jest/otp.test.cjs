// npx jest --testMatch '**/*.test.cjs'
const { afterAll, beforeAll, expect, test } = require('@jest/globals');
const { createSandbox } = require('messaging-sandbox');

let sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'frozen:2026-03-01T09:00:00Z' });
  await sandbox.templates.create({ name: 'login', category: 'authentication', language: 'en' });
  await sandbox.templates.approve('login');
});
afterAll(() => sandbox.close());

test('a code is good for five minutes', async () => {
  const { otp_id: otpId } = await sandbox.call('POST', '/v1/otp/send', { to: '+12025550123' });
  const { code } = await sandbox.otp('+12025550123');
  await sandbox.clock.advance('5m');
  const late = sandbox.call('POST', '/v1/otp/verify', { otp_id: otpId, code });
  await expect(late).rejects.toMatchObject({ status: 410, code: 'otp_expired' });
});
