// npx vitest run examples/vitest
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useSandbox } from 'messaging-sandbox/vitest';
import { startOrderApp } from '../app/order-app.mjs';

// One sandbox for this file, an account for each test.
const sandbox = useSandbox({ clock: 'frozen:2026-03-01T09:00:00Z' });

const startApp = async () => {
  const app = await startOrderApp({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  onTestFinished(() => app.close());
  return app;
};

beforeEach(async () => {
  const body = 'Order {{1}} has left.';
  await sandbox.templates.create({ name: 'order_shipped', category: 'utility', language: 'en', body });
  await sandbox.templates.approve('order_shipped');
});

describe('an order', () => {
  it('is followed until the customer has read of it', async () => {
    const app = await startApp();
    const id = await app.shipped('+12025550123', 'A-17');
    await sandbox.clock.advance('1m');
    expect(app.orders.get(id ?? '')).toMatchObject({ state: 'read' });
  });

  it('survives a day on which our own server is down', async () => {
    const app = await startApp();
    // This receiver is the sandbox's own: it fails for a while, and the sandbox tries again.
    const sink = sandbox.sink('audit');
    await sandbox.webhooks.register(sink.url, ['message.status']);
    await sink.respond({ status: 503, times: 4 }, 200);
    await app.shipped('+12025550100', 'A-18');
    await sandbox.clock.advance('24h');
    const answers = (await sink.received()).map(({ answered }) => answered);
    expect(answers.filter((status) => status === 503)).toHaveLength(4);
    expect(answers.filter((status) => status === 200)).toHaveLength(2);
  });
});

it('asks a failing service again only when the tests say so', async () => {
  const app = await startApp();
  await sandbox.rules.add({ when: 'message.send', pick: { first: 1 }, then: { respond: { status: 503 } } });
  await expect(app.shipped('+12025550123', 'A-19')).rejects.toThrow('503');
  expect(await app.shipped('+12025550123', 'A-19')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await sandbox.requests({ operation: 'message.send' })).toHaveLength(2);
});
