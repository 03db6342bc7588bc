// npx vitest run examples/vitest
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useSandbox } from 'messaging-sandbox/vitest';
import { startShop } from '../shop/src/shop.js';

// One sandbox for this file, and one account for each test.
const sandbox = useSandbox({ clock: 'frozen:2026-03-01T09:00:00Z' });

/** Starts the application under test as in production, except for base URL and key. */
async function openShop() {
  const shop = await startShop({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  onTestFinished(() => shop.close());
  await shop.idle(); // it has registered its webhook
  const headers = { 'Content-Type': 'application/json' };
  const post = (path: string, input = {}) =>
    fetch(shop.url + path, { method: 'POST', headers, body: JSON.stringify(input) }).then(() => shop.idle());
  return {
    async shipped(number: string, phone: string) {
      await post('/orders', { number, phone });
      await post(`/orders/${number}/ship`);
    },
    /**
     * Returns what the shop reports about the update. The shop handles a webhook only after its response, so this
     * function waits.
     */
    async notice(number: string) {
      await shop.idle();
      const answer = await fetch(`${shop.url}/orders/${number}`);
      return ((await answer.json()) as { notice: string }).notice;
    },
  };
}

beforeEach(async () => {
  const body = 'Order {{1}} has left.';
  await sandbox.templates.create({ name: 'order_shipped', category: 'utility', language: 'en', body });
  await sandbox.templates.approve('order_shipped');
});

describe('an order', () => {
  it('is followed until the customer has read of it', async () => {
    const shop = await openShop();
    await shop.shipped('A-17', '+12025550123');
    await sandbox.clock.advance('1m');
    expect(await shop.notice('A-17')).toBe('read');
  });

  it('survives a day on which our own server is down', async () => {
    const shop = await openShop();
    // The built-in receiver fails for a while, and the sandbox tries again.
    const sink = sandbox.sink('audit');
    await sandbox.webhooks.register(sink.url, ['message.status']);
    await sink.respond({ status: 503, times: 4 }, 200);
    await shop.shipped('A-18', '+12025550100');
    await sandbox.clock.advance('24h');
    const answers = (await sink.received()).map(({ answered }) => answered);
    expect(answers.filter((status) => status === 503)).toHaveLength(4);
    expect(answers.filter((status) => status === 200)).toHaveLength(2);
  });
});

it('gives up a message that the service will not take, and sends no second one', async () => {
  const shop = await openShop();
  const refused = { respond: { status: 400, code: 'validation_error', message: 'No such number.' } };
  await sandbox.rules.add({ when: 'message.send', then: refused });
  await shop.shipped('A-19', '+12025550123');
  expect(await shop.notice('A-19')).toMatch(/^not sent: .*No such number/);
  expect(await sandbox.requests({ operation: 'message.send' })).toHaveLength(1);
});
