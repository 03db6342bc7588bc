/** The shop sends free text inside the window, and a template that asks first outside of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeSandbox, openSandbox, openShop } from './together.js';

before(openSandbox);
after(closeSandbox);

const ada = '+12025550123';
const question = 'Hello Ada, may we write to you about your order?';

/**
 * Returns what was sent to a customer, as they see it.
 * @param {import('./together.js').World} shop
 * @param {string} [phone]
 */
async function handset(shop, phone = ada) {
  const all = await shop.account.customer(phone).messages();
  return all.filter(({ direction }) => direction === 'outbound').map(({ text }) => text);
}

/**
 * Returns how many texts were rejected because the window is closed.
 * @param {import('./together.js').World} shop
 */
async function refusals(shop) {
  const sends = await shop.account.requests({ operation: 'message.send' });
  return sends.filter(({ error }) => error === 'send_failed').length;
}

/** @param {import('node:test').TestContext} t @param {string} [phone] */
async function withOrder(t, phone = ada) {
  const shop = await openShop(t);
  await shop.advance('1m'); // the shop's templates are approved
  await shop.post('/orders', { number: 'A-17', phone, name: 'Ada' });
  return shop;
}

test('who writes is answered', async (t) => {
  const shop = await withOrder(t);
  await shop.account.customer(ada).says('Where is it?');
  await shop.settle();
  assert.deepEqual(await handset(shop), ['Thank you for writing. Your order A-17 is being packed.']);
});

test('a minute before the window closes it is a text; at its end it is a question, and the text follows the answer', async (t) => {
  const shop = await withOrder(t);
  await shop.account.customer(ada).says('Where is it?');
  await shop.advance('23h59m');
  await shop.post(`/customers/${ada}/messages`, { text: 'It leaves today.' });
  assert.equal((await handset(shop)).at(-1), 'It leaves today.');
  await shop.advance('1m');
  await shop.post(`/customers/${ada}/messages`, { text: 'It has left.' });
  await shop.post(`/customers/${ada}/messages`, { text: 'It arrives tomorrow.' });
  assert.deepEqual((await handset(shop)).slice(2), [question]);
  await shop.account.customer(ada).says('Yes');
  await shop.settle();
  assert.deepEqual((await handset(shop)).slice(3), ['It has left.', 'It arrives tomorrow.']);
  assert.equal(await refusals(shop), 0);
});

test('a window that turns out to be closed: the refused text is not sent again, the question is', async (t) => {
  const phone = '+12025550151'; // a magic number: its window is closed, even after an inbound message
  const shop = await withOrder(t, phone);
  await shop.account.customer(phone).says('Where is it?');
  await shop.advance('1h');
  assert.deepEqual(await handset(shop, phone), [question]);
  assert.equal(await refusals(shop), 1);
});

test('an event that comes a day late finds the window closed', async (t) => {
  const shop = await withOrder(t);
  const late = { when: 'webhook.deliver', match: { event: 'message.received' }, then: { webhook: { delay: '24h' } } };
  await shop.account.rules.add(/** @type {any} */ (late));
  await shop.account.customer(ada).says('Where is it?');
  await shop.advance('24h1m');
  assert.deepEqual(await handset(shop), [question]);
  assert.equal(await refusals(shop), 0);
});

test('nobody is written to after STOP, until START', async (t) => {
  const shop = await withOrder(t);
  await shop.account.customer(ada).says('Stop');
  await shop.settle();
  await shop.post('/orders/A-17/ship');
  await shop.advance('1m');
  assert.deepEqual(await handset(shop), []);
  assert.equal((await shop.get('/orders/A-17')).body.notice, 'not sent: asked us to stop');
  await shop.account.customer(ada).says('START');
  await shop.settle();
  assert.deepEqual(await handset(shop), ['Thank you for writing. Your order A-17 is on its way.']);
});
