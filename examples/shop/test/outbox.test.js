/** Sending: what is retried, what is not, and that nothing is sent twice. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeSandbox, openSandbox, openShop } from './together.js';

before(openSandbox);
after(closeSandbox);

/**
 * Creates and ships an order.
 * @param {import('./together.js').World} shop
 * @param {string} phone
 */
async function ship(shop, phone) {
  await shop.advance('1m'); // the shop's templates are approved
  await shop.post('/orders', { number: 'A-17', phone, name: 'Ada' });
  await shop.post('/orders/A-17/ship');
}
/** @param {import('./together.js').World} shop */
const notice = async (shop) => (await shop.get('/orders/A-17')).body.notice;
/** @param {import('./together.js').World} shop @param {string} phone */
const handset = async (shop, phone) => (await shop.account.customer(phone).messages()).map(({ text }) => text);

test('an order is followed until the customer has read of it', async (t) => {
  const shop = await openShop(t);
  await ship(shop, '+12025550101');
  await shop.post('/orders/A-17/ship'); // pressed twice
  await shop.advance('1m');
  assert.equal(await notice(shop), 'read');
  assert.deepEqual(await handset(shop, '+12025550101'), ['Order A-17 is on its way.']);
});

test('an update waits for the review of its template, and so does nothing else', async (t) => {
  const shop = await openShop(t, { scenario: 'slow-review' });
  await shop.post('/orders', { number: 'A-17', phone: '+12025550123' });
  await shop.post('/orders/A-17/ship');
  assert.equal(await notice(shop), 'queued');
  await shop.account.customer('+12025550123').says('Where is it?');
  await shop.advance('1s');
  assert.deepEqual((await handset(shop, '+12025550123')).slice(-1), [
    'Thank you for writing. Your order A-17 is on its way.',
  ]);
  await shop.advance('21h');
  assert.equal(await notice(shop), 'read');
});

test('a service that is not there yet when the shop starts loses it no order', async (t) => {
  const down = { match: { method: 'GET' }, pick: { calls: '1..8' }, then: { respond: { status: 503 } } };
  const shop = await openShop(t, { rules: [{ when: 'api.any', ...down }] });
  await shop.post('/orders', { number: 'A-17', phone: '+12025550123' });
  await shop.post('/orders/A-17/ship');
  assert.equal(await notice(shop), 'queued');
  await shop.advance('5m');
  assert.equal(await notice(shop), 'read');
});

test('the review that ended before the endpoint was registered is read from the list', async (t) => {
  const busy = { status: 503, headers: { 'Retry-After': '120' } };
  const rules = [{ when: 'webhook.create', pick: { calls: 1 }, then: { respond: busy } }];
  const shop = await openShop(t, { rules });
  await shop.post('/orders', { number: 'A-17', phone: '+12025550123' });
  await shop.post('/orders/A-17/ship');
  await shop.advance('1m');
  assert.equal(await notice(shop), 'queued');
  await shop.advance('2m');
  assert.equal(await notice(shop), 'read');
});

test('429: it waits as long as Retry-After says', async (t) => {
  const shop = await openShop(t);
  await ship(shop, '+12025550140'); // a magic number: twice 429 with Retry-After: 2
  await shop.advance('1s');
  assert.equal((await shop.account.requests({ operation: 'message.send' })).length, 1);
  await shop.advance('3s');
  const sends = await shop.account.requests({ operation: 'message.send' });
  assert.deepEqual(
    sends.map(({ status }) => status),
    [429, 429, 200],
  );
});

test('a service that is down for hours: it goes on, ever more slowly, and gives up after a day', async (t) => {
  const shop = await openShop(t);
  await shop.account.rules.add({ when: 'message.send', then: { respond: { status: 503 } } });
  await ship(shop, '+12025550123');
  await shop.advance('23h');
  assert.equal(await notice(shop), 'queued');
  assert.ok((await shop.account.requests({ operation: 'message.send' })).length < 120);
  await shop.advance('2h');
  assert.match(await notice(shop), /^not sent: not within a day: .* 503/);
});

test('503: it tries again', async (t) => {
  const shop = await openShop(t);
  await ship(shop, '+12025550141');
  await shop.advance('10s');
  assert.equal(await notice(shop), 'read');
});

test('500 every time: it gives up in the end, and says so', async (t) => {
  const shop = await openShop(t);
  await ship(shop, '+12025550142');
  await shop.advance('1h');
  assert.equal(await notice(shop), 'not sent: no sign of it in 10 tries');
  assert.equal((await shop.account.requests({ operation: 'message.send' })).length, 10);
});

test('an answer that never came: the event tells that the message is out, so it is not sent again', async (t) => {
  const shop = await openShop(t, { settings: { apiTimeoutMs: 200 } });
  await ship(shop, '+12025550143'); // a magic number: accepted, but the answer never comes
  await shop.advance('1h');
  assert.equal(await notice(shop), 'read');
  assert.deepEqual(await handset(shop, '+12025550143'), ['Order A-17 is on its way.']);
});

test('a reset connection: no event tells of it, so it is sent again', async (t) => {
  const shop = await openShop(t);
  const fault = { when: 'message.send', pick: { calls: 1 }, then: { respond: { fault_real: 'reset' } } };
  await shop.account.rules.add(/** @type {any} */ (fault));
  await ship(shop, '+12025550123');
  await shop.advance('1m');
  assert.equal(await notice(shop), 'queued');
  await shop.advance('2m');
  assert.equal(await notice(shop), 'read');
  assert.deepEqual(await handset(shop, '+12025550123'), ['Order A-17 is on its way.']);
});

test('a customer who has blocked us is left alone, until they write', async (t) => {
  const shop = await openShop(t);
  await ship(shop, '+12025550121'); // a magic number: blocked
  await shop.advance('3s');
  assert.equal(await notice(shop), 'failed: not_delivered_by_channel');
  await shop.post('/orders', { number: 'A-18', phone: '+12025550121' });
  await shop.post('/orders/A-18/ship');
  await shop.advance('1h');
  assert.equal((await shop.get('/orders/A-18')).body.notice, 'not sent: cannot be reached');
  assert.equal((await shop.account.requests({ operation: 'message.send' })).length, 1);
});
