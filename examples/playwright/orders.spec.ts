// npx playwright test examples/playwright
import { expect, test } from 'messaging-sandbox/playwright';
import { startShop } from '../shop/src/shop.js';

test.use({ sandboxOptions: { clock: 'frozen:2026-03-01T09:00:00Z' } });

test('an order is followed until the customer has read of it', async ({ account, request }) => {
  const body = 'Order {{1}} has left.';
  await account.templates.create({ name: 'order_shipped', category: 'utility', language: 'en', body });
  await account.templates.approve('order_shipped');
  const shop = await startShop({ baseUrl: account.url, apiKey: account.apiKey });
  try {
    await shop.idle(); // it has registered its webhook
    await request.post(`${shop.url}/orders`, { data: { number: 'A-17', phone: '+12025550101' } });
    await request.post(`${shop.url}/orders/A-17/ship`, { data: {} });
    await shop.idle();

    await account.clock.advance('1m');
    await shop.idle();
    const order = (await (await request.get(`${shop.url}/orders/A-17`)).json()) as { notice: string };
    expect(order.notice).toBe('read');
    const [onTheHandset] = await account.customer('+12025550101').messages();
    expect(onTheHandset?.text).toBe('Order A-17 has left.');
  } finally {
    await shop.close();
  }
});
