/** The day that docs/time.md draws, hour by hour. */
import { expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

it('the day of docs/time.md happens as it is drawn', async () => {
  const startMs = Date.parse('2026-03-02T09:00:00Z');
  const sandbox = closing(await startTestSandbox({ clock: { mode: 'frozen', scale: 1, startMs } }));
  const world = newWorld(sandbox);
  const ada = '+12025550123';
  const statuses = async (id: string): Promise<unknown[]> =>
    (await world.events('?type=message.status'))
      .filter(({ data }) => data['message_id'] === id)
      .map(({ data }) => data['status']);

  expect((await world.register('https://sink.sandbox/app', ['message.received', 'message.status'])).status).toBe(
    'active',
  );
  await world.template('order_shipped');
  const template = { name: 'order_shipped', language: 'en', variables: ['A-17'] };
  const sent = await world.post<{ message_id: string; status: string }>('/v1/messages', {
    to: ada,
    type: 'template',
    template,
  });
  expect(sent.status).toBe('accepted');
  expect(await statuses(sent.message_id)).toStrictEqual(['sent']);
  await world.advance('1s');
  expect(await statuses(sent.message_id)).toStrictEqual(['sent', 'delivered', 'read']);

  await world.advance('9m59s');
  await world.inbound(ada, { text: 'Hello?' });
  await world.reply(ada, 'It left this morning.');
  await world.advance('2h50m');
  expect((await world.deliveries('?state=delivered')).map(({ event_type: type }) => type)).toContain(
    'message.received',
  );

  await world.put('/_sandbox/sink/app', { respond: [{ status: 503 }] });
  await world.reply(ada, 'Anything else?');
  await world.advance('21h10m');
  expect((await world.clock()).now).toBe('2026-03-03T09:10:00.000Z');
  const late = await world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'Too late.' });
  expect([late.status, late.body.error.code]).toStrictEqual([400, 'send_failed']);

  await world.advance('2h50m');
  const [endpoint] = (await world.get<{ webhooks: { status: string }[] }>('/v1/webhooks')).webhooks;
  expect(endpoint?.status).toBe('paused');
  const [first] = (await world.deliveries()).filter(({ attempts }) => (attempts[0]?.status ?? 0) === 503);
  const minutes = first?.attempts.map(({ at }) => (Date.parse(at) - startMs) / 60_000 - 180);
  expect(minutes?.slice(0, 5)).toStrictEqual([0, 1, 6, 36, 96]);
});
