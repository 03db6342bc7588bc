/** Deliveries: which are accepted, how often, and what remains after a restart. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeSandbox, openSandbox, openShop } from './together.js';

/** @type {string} */
let folder;
before(async () => {
  await openSandbox();
  folder = await mkdtemp(join(tmpdir(), 'shop-'));
});
after(async () => {
  await closeSandbox();
  await rm(folder, { recursive: true, force: true });
});

const ada = '+12025550123';

test('a forged event is refused, and changes nothing', async (t) => {
  const shop = await openShop(t);
  const data = { from: ada, text: 'Hello?' };
  const { deliveries } = await shop.account.emit('message.received', data, { webhook: { signature: 'wrong_secret' } });
  await shop.settle();
  const [delivery] = await shop.account.deliveries({ event: deliveries[0]?.event_id });
  assert.equal(delivery?.attempts[0]?.status, 401);
  assert.deepEqual(await shop.account.messages(), []);
});

test('an event that comes three times is answered once', async (t) => {
  const shop = await openShop(t);
  await shop.account.rules.add({ when: 'webhook.deliver', then: { webhook: { duplicate: 2 } } });
  await shop.account.customer(ada).says('Hello?');
  await shop.advance('1m');
  const deliveries = await shop.account.deliveries({ event_type: 'message.received' });
  assert.equal(
    (await shop.account.messages({ to: ada })).filter(({ direction }) => direction === 'outbound').length,
    1,
  );
  const answers = deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status));
  assert.deepEqual(answers, [204, 204, 204]);
});

test('an event of a kind that is not known yet is taken and ignored', async (t) => {
  const shop = await openShop(t);
  await shop.account.emit('message.received', { from: ada }, { webhook: { body: 'unknown_type' } });
  await shop.settle();
  const deliveries = await shop.account.deliveries({ state: 'delivered', event_type: 'message.received' });
  assert.equal(deliveries.length, 1);
  assert.deepEqual(await shop.account.messages({ to: ada }), []);
});

test('a status never moves back, whatever the order of the events', async (t) => {
  const shop = await openShop(t);
  await shop.advance('1m');
  const to = '+12025550106'; // a magic number: read comes before delivered
  await shop.post('/orders', { number: '7', phone: to });
  await shop.post('/orders/7/ship');
  await shop.advance('1h');
  const events = await shop.account.events({ type: 'message.status' });
  assert.deepEqual(events.map(({ data }) => Object(data).status).slice(-2), ['read', 'delivered']);
  assert.equal((await shop.get('/orders/7')).body.notice, 'read');
});

test('a restart forgets nothing: no order, no event, no secret', async (t) => {
  const file = join(folder, 'restart.json');
  const shop = await openShop(t, { settings: { file, port: await freePort() } });
  await shop.advance('1m');
  await shop.account.customer(ada).says('Hello?');
  await shop.post('/orders', { number: '8', phone: ada });
  await shop.settle();
  const before = await shop.get('/received');
  await shop.restart();
  assert.deepEqual((await shop.get('/received')).body, before.body);
  assert.equal((await shop.account.requests({ operation: 'webhook.create' })).length, 1);
  const [event] = await shop.account.events({ type: 'message.received' });
  await shop.account.call('POST', `/_sandbox/events/${event?.id}/redeliver`);
  await shop.post('/orders/8/ship');
  await shop.advance('1m');
  const sent = (await shop.account.messages({ to: ada })).filter(({ direction }) => direction === 'outbound');
  assert.deepEqual(
    sent.map(({ type }) => type),
    ['text', 'template'],
  );
});

test('an event that was taken in before a crash is worked on after it', async (t) => {
  const file = join(folder, 'crash.json');
  const event = { id: 'evt_of_the_crash', type: 'message.received', created_at: '2026-03-02T08:59:00.000Z' };
  const data = { from: ada, text: 'Anybody there?', timestamp: event.created_at };
  const shop = await openShop(t, { settings: { file } });
  await shop.account.customer(ada).window.open();
  await shop.restart(async () => {
    const saved = JSON.parse(await readFile(file, 'utf8'));
    saved.inbox.push([event.id, { atMs: Date.parse(event.created_at), event: { ...event, data } }]);
    await writeFile(file, JSON.stringify(saved));
  });
  const [answer] = await shop.account.messages({ to: ada });
  assert.ok(answer, 'the event was lost');
});

/** A port that stays the same across a restart, like the public address of a shop. */
async function freePort() {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((done) => server.close(done));
  return port;
}
