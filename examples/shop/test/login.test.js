/** Signing in: codes that work, expire or are sent again, and a locked number. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeSandbox, openSandbox, openShop } from './together.js';

before(openSandbox);
after(closeSandbox);

const phone = '+12025550123';

/** @param {import('node:test').TestContext} t @param {object} [settings] */
async function atTheDesk(t, settings = {}) {
  const shop = await openShop(t, { settings });
  await shop.advance('1m'); // the shop's templates are approved
  const { status, body } = await shop.post('/logins', { phone });
  assert.equal(status, 202);
  return {
    ...shop,
    /** @param {string} [code] default: the one on the phone */
    enter: async (code) => {
      const latest = (await shop.account.otp(phone)).code;
      return shop.post(`/logins/${body.login}/code`, { code: code ?? latest });
    },
    wrong: async () => ((await shop.account.otp(phone)).code === '111111' ? '222222' : '111111'),
    resend: () => shop.post(`/logins/${body.login}/resend`),
    state: async () => (await shop.get(`/logins/${body.login}`)).body.state,
  };
}

test('the code on the phone signs in, once', async (t) => {
  const desk = await atTheDesk(t);
  assert.deepEqual((await desk.enter(await desk.wrong())).body, { error: 'wrong_code', attempts_left: 4 });
  assert.deepEqual((await desk.enter()).body, { signed_in: true });
  assert.equal((await desk.enter()).status, 404);
});

test('an expired code is dead; a new one works', async (t) => {
  const desk = await atTheDesk(t);
  await desk.advance('5m');
  assert.deepEqual((await desk.enter()).body, { error: 'code_expired', then: 'ask for a new one' });
  assert.equal((await desk.enter()).status, 410);
  assert.equal((await desk.account.requests({ operation: 'otp.verify' })).length, 1, 'it was asked about again');
  assert.equal((await desk.resend()).status, 202);
  assert.equal((await desk.enter()).status, 200);
});

test('a second code within a minute is refused, with the time to wait', async (t) => {
  const desk = await atTheDesk(t);
  await desk.advance('20s');
  const { status, headers, body } = await desk.resend();
  assert.deepEqual([status, headers.get('retry-after'), body], [429, '40', { error: 'code_is_on_its_way' }]);
  await desk.advance('40s');
  assert.equal((await desk.resend()).status, 202);
});

test('three codes guessed to death lock the number out for an hour', async (t) => {
  const desk = await atTheDesk(t);
  for (let codes = 0; codes < 3; codes += 1) {
    if (codes > 0) assert.equal((await desk.resend()).status, 202);
    for (let tries = 1; tries < 5; tries += 1) assert.equal((await desk.enter(await desk.wrong())).status, 401);
    assert.deepEqual((await desk.enter(await desk.wrong())).body, { error: 'code_locked', then: 'ask for a new one' });
    await desk.advance('1m');
  }
  assert.deepEqual((await desk.resend()).body, { error: 'locked_out' });
  assert.deepEqual((await desk.post('/logins', { phone })).body, { error: 'locked_out' });
  await desk.advance('1h');
  assert.equal((await desk.resend()).status, 202);
  assert.equal((await desk.enter()).status, 200);
});

test('a code is a text: leading zeros count', async (t) => {
  const desk = await atTheDesk(t);
  await desk.account.rules.add({ when: 'otp.send', then: { otp: { code: '042042' } } });
  await desk.advance('1m');
  await desk.resend();
  assert.equal((await desk.enter('42042')).status, 401);
  assert.equal((await desk.enter('042042')).status, 200);
});

test('a service that is down for a moment costs the customer a moment', async (t) => {
  const desk = await atTheDesk(t);
  const busy = { respond: { status: 503, retry_after: '2s' } };
  await desk.account.rules.add(/** @type {any} */ ({ when: 'otp.send', pick: { calls: 1 }, then: busy }));
  await desk.advance('1m');
  await desk.resend();
  assert.equal(await desk.state(), 'sending');
  await desk.advance('2s');
  assert.equal(await desk.state(), 'sent');
  await desk.account.rules.add(/** @type {any} */ ({ when: 'otp.verify', pick: { calls: 1 }, then: busy }));
  const { status, headers } = await desk.enter();
  assert.deepEqual([status, headers.get('retry-after')], [503, '2']);
  assert.equal((await desk.enter()).status, 200);
});

/**
 * The code was verified, but the response was lost.
 * @param {import('node:test').TestContext} t
 */
async function withLostAnswer(t) {
  const desk = await atTheDesk(t, { apiTimeoutMs: 200 });
  const slow = { when: 'otp.verify', pick: { calls: 1 }, then: { respond: { latency_real: '1s' } } };
  await desk.account.rules.add(/** @type {any} */ (slow));
  assert.equal((await desk.enter()).status, 503);
  await desk.account.waitFor.event({ type: 'otp.verified' });
  await desk.settle();
  return desk;
}

test('a verification whose answer got lost is not lost: otp.verified tells of it', async (t) => {
  const desk = await withLostAnswer(t);
  assert.deepEqual((await desk.enter()).body, { signed_in: true });
});

test('and it lets nobody in who has another code', async (t) => {
  const desk = await withLostAnswer(t);
  assert.equal((await desk.enter(await desk.wrong())).status, 410);
  assert.equal((await desk.enter()).status, 410);
});
