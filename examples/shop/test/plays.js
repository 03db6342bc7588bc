/** The actions of the shop's staff and customers while a scenario plays. */

/** @typedef {import('./together.js').World} World */

/** @param {World} shop @param {string} number @param {string} phone @param {string} [name] */
async function shipped(shop, number, phone, name) {
  await shop.post('/orders', { number, phone, name });
  await shop.post(`/orders/${number}/ship`);
}

/** @param {World} shop @param {string[]} to */
const spring = (shop, ...to) => shop.post('/campaigns', { template: 'promo_spring', variables: ['our friend'], to });

/**
 * Somebody signs in, typing `mistakes` wrong codes first, and asks for a new code when theirs is dead.
 * @param {World} shop @param {string} phone @param {{ mistakes?: number, dawdle?: string }} how
 */
async function signIn(shop, phone, { mistakes = 0, dawdle }) {
  const { body } = await shop.post('/logins', { phone });
  await shop.advance('5s');
  if (dawdle !== undefined) await shop.advance(dawdle);
  for (let tries = 0; tries < mistakes + 3; tries += 1) {
    const codes = await shop.account.otps({ to: phone });
    const code = tries < mistakes ? '999999' : codes.at(-1)?.code;
    const { status } = await shop.post(`/logins/${body.login}/code`, { code });
    if (status === 200) return;
    if (status !== 410) continue;
    await shop.advance('1m');
    await shop.post(`/logins/${body.login}/resend`);
    await shop.advance('5s');
  }
}

/** @type {Record<string, (shop: World) => Promise<unknown>>} */
export const plays = {
  'happy-path': async (shop) => {
    await shipped(shop, '42', '+12025550113', 'Ada');
    await shop.advance('2m');
  },
  'template-rejected': async (shop) => {
    await shop.post('/templates', { name: 'promo_spring', category: 'marketing', body: 'Win a prize, {{1}}.' });
    await spring(shop, '+12025550110');
    await shipped(shop, '42', '+12025550110');
    await shop.advance('5h');
    await spring(shop, '+12025550110');
    await shop.advance('1h');
  },
  'template-paused-midway': async (shop) => {
    await spring(shop, '+12025550110');
    await shop.advance('2h');
    await spring(shop, '+12025550111', '+12025550112');
    await shop.advance('25h');
  },
  'recipient-blocked': async (shop) => {
    await spring(shop, '+12025550110', '+12025550111', '+12025550112');
    await shop.advance('10s');
    await shipped(shop, '42', '+12025550110');
    await shop.advance('1m');
  },
  'closed-window': async (shop) => {
    for (const phone of ['+12025550153', '+12025550154', '+12025550155']) {
      await shop.post(`/customers/${phone}/messages`, { text: 'Your parcel is at the post office.' });
    }
    await shop.advance('4h');
  },
  'webhook-down-24h': async (shop) => {
    await shipped(shop, '42', '+12025550112');
    await shop.advance('28h');
  },
  'webhook-chaos': (shop) => shop.advance('1h'),
  'outage-then-flood': (shop) => shop.advance('3h'),
  'flaky-api': async (shop) => {
    for (let number = 0; number < 8; number += 1) await shipped(shop, `A${number}`, `+1${201 + number}5550110`);
    await shop.advance('10m');
  },
  'batch-partial-failure': async (shop) => {
    await spring(shop, '+14155550190', '+14155550191', '+14155550192', '+14155550193', '+14155550194');
    await shop.advance('1m');
    await spring(shop, '+14155550191', '+14155550194');
    await shop.advance('1m');
  },
  'otp-trouble': async (shop) => {
    await signIn(shop, '+12025550115', { dawdle: '1m' });
    await signIn(shop, '+12025550116', { mistakes: 3 });
  },
  'rate-limited': async (shop) => {
    for (let number = 0; number < 3; number += 1) await shipped(shop, `B${number}`, '+13125550110');
    for (let number = 0; number < 22; number += 1) await shipped(shop, `A${number}`, `+1${201 + number}5550110`);
    await shop.advance('5m');
  },
  'slow-review': async (shop) => {
    await shipped(shop, '42', '+12025550110');
    await shop.advance('26h');
  },
};

/** Conditions hold for any suite, so they ask for no minimum: how many messages these plays send. */
export const sends = { 'flaky-api': 8, 'rate-limited': 25 };
