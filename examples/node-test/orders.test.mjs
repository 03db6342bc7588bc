// node --test examples/node-test/*.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useSandbox } from 'messaging-sandbox/node-test';
import { startShop } from '../shop/src/shop.js';

// One sandbox for this file, and one account for each test.
const accountOf = useSandbox({ clock: 'frozen:2026-03-01T09:00:00Z' });

/** Creates the account's template, and starts the application with it. */
async function setUp(t) {
  const account = await accountOf(t);
  const body = 'Order {{1}} has left.';
  await account.templates.create({ name: 'order_shipped', category: 'utility', language: 'en', body });
  await account.templates.approve('order_shipped');
  const shop = await startShop({ baseUrl: account.url, apiKey: account.apiKey });
  t.after(() => shop.close());
  await shop.idle(); // it has registered its webhook

  const headers = { 'Content-Type': 'application/json' };
  const post = (path, input = {}) =>
    fetch(shop.url + path, { method: 'POST', headers, body: JSON.stringify(input) }).then(() => shop.idle());
  return {
    account,
    shop,
    async shipped(number, phone) {
      await post('/orders', { number, phone });
      await post(`/orders/${number}/ship`);
    },
    /**
     * Returns what the shop reports about the update. The shop handles a webhook only after its response, so this
     * function waits.
     */
    async notice(number) {
      await shop.idle();
      return (await (await fetch(`${shop.url}/orders/${number}`)).json()).notice;
    },
  };
}

test('an order is followed until the customer has read of it', async (t) => {
  const { account, shipped, notice } = await setUp(t);
  await shipped('A-17', '+12025550101'); // a magic number: sent, delivered, read
  await account.clock.advance('1m');
  assert.equal(await notice('A-17'), 'read');
  const [onTheHandset] = await account.customer('+12025550101').messages();
  assert.equal(onTheHandset.text, 'Order A-17 has left.');
});

test('a customer who has blocked us is reported', async (t) => {
  const { account, shipped, notice } = await setUp(t);
  await shipped('A-18', '+12025550121'); // a magic number: blocked
  await account.clock.advance('3s');
  assert.equal(await notice('A-18'), 'failed: not_delivered_by_channel');
});

test('nobody is written to after STOP', async (t) => {
  const { account, shop, shipped, notice } = await setUp(t);
  await account.customer('+12025550123').says('STOP');
  await account.idle();
  await shop.idle();
  await shipped('A-19', '+12025550123');
  assert.equal(await notice('A-19'), 'not sent: asked us to stop');
  assert.deepEqual(await account.requests({ operation: 'message.send' }), []);
});
