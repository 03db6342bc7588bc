// node --test examples/node-test
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createSandbox } from 'messaging-sandbox';
import { startOrderApp } from '../app/order-app.mjs';

let sandbox;
before(async () => {
  sandbox = await createSandbox({ clock: 'frozen:2026-03-01T09:00:00Z' });
});
after(() => sandbox.close());

/** An account per test, with the template that the application needs, and the application itself. */
async function setUp(t) {
  const account = sandbox.account(t.name.replaceAll(' ', '-'));
  const body = 'Order {{1}} has left.';
  await account.templates.create({ name: 'order_shipped', category: 'utility', language: 'en', body });
  await account.templates.approve('order_shipped');
  const app = await startOrderApp({ baseUrl: account.url, apiKey: account.apiKey });
  t.after(() => app.close());
  return { account, app };
}

test('an order is followed until the customer has read of it', async (t) => {
  const { account, app } = await setUp(t);
  const id = await app.shipped('+12025550101', 'A-17'); // a magic number: sent, delivered, read
  await account.clock.advance('1m');
  assert.equal(app.orders.get(id).state, 'read');
  const [onTheHandset] = await account.customer('+12025550101').messages();
  assert.equal(onTheHandset.text, 'Order A-17 has left.');
});

test('a customer who has blocked us is called', async (t) => {
  const { account, app } = await setUp(t);
  const id = await app.shipped('+12025550121', 'A-18'); // a magic number: blocked
  await account.clock.advance('3s');
  assert.equal(app.orders.get(id).state, 'call the customer');
});

test('nobody is written to after STOP', async (t) => {
  const { account, app } = await setUp(t);
  await account.customer('+12025550123').says('STOP');
  await account.idle();
  assert.equal(await app.shipped('+12025550123', 'A-19'), null);
  assert.deepEqual(await account.messages(), []);
});
