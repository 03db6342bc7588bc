/** Waiting: its results, their types, and its error if nothing happens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type SandboxAccount, type SandboxClient } from '../../src/index.js';

const start = '2026-03-01T09:00:00.000Z';
const ada = '+12025550110';

let client: SandboxClient;
beforeAll(async () => {
  client = await createSandbox({ clock: `frozen:${start}` });
});
afterAll(() => client.close());

const send = async (own: SandboxAccount) => {
  await own.customer(ada).window.open();
  await own.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'Hello' });
};

describe('waitFor', () => {
  it('sees what happened already, and what happens meanwhile', async () => {
    const own = client.account('meanwhile');
    await send(own);
    expect(await own.waitFor.event({ type: 'message.status' })).toMatchObject({ data: { status: 'sent' } });
    const read = own.waitFor.message({ to: ada, status: 'read', timeout: '10s' });
    await own.clock.advance('2s');
    expect(await read).toMatchObject({ to: ada, status: 'read' });
    const events = await own.waitFor.event({ type: 'message.status', count: 3 });
    expect(events.map(({ data }) => data.status)).toStrictEqual(['sent', 'delivered', 'read']);
    const [first] = events;
    expect(await own.waitFor.event({ after: first?.seq ?? 0 })).toMatchObject({ data: { status: 'delivered' } });
  });

  it('filters by what the items show, numbers included', async () => {
    const own = client.account('filters');
    await own.webhooks.register(own.sink('app').url);
    await own.customer(ada).says('Hi');
    await send(own);
    await own.clock.advance('1s');
    const [sent] = await own.messages();
    const event = await own.waitFor.event({ type: 'message.status', status: 'delivered', to: ada });
    expect(event.data.status).toBe('delivered');
    expect(await own.waitFor.message({ id: sent?.id ?? '' })).toMatchObject({ text: 'Hello' });
    expect(await own.waitFor.message({ direction: 'inbound' })).toMatchObject({ text: 'Hi', from: ada });
    expect(await own.messages({ direction: 'inbound' })).toMatchObject([{ text: 'Hi' }]);
    expect(await own.waitFor.delivery({ status: 200 })).toMatchObject({ state: 'delivered' });
    expect(await own.waitFor.request({ operation: 'sendMessage', status: 200, to: ada })).toMatchObject({
      status: 200,
    });
    expect(await own.requests({ to: ada })).toHaveLength(1);
    // @ts-expect-error: an operation that does not exist would be waited for in vain.
    await expect(own.requests({ operation: 'sendMesage' })).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('takes a predicate, and looks at what changed meanwhile', async () => {
    const own = client.account('predicates');
    await send(own);
    const event = await own.waitFor.event(({ data }) => 'status' in data && data.status === 'sent');
    expect(event.type).toBe('message.status');
    const read = own.waitFor.message(({ history }) => history.length === 4, { to: ada });
    await own.clock.advance('1s');
    expect(await read).toMatchObject({ status: 'read' });
    const called = await own.waitFor.request(({ request }) => JSON.stringify(request.body).includes('Hello'));
    expect(called).toMatchObject({ operation: 'sendMessage', request: { body: { to: ada } } });
    expect(await own.waitFor.request({ operation: 'sendMessage' })).toEqual(called);
    await expect(own.waitFor.message(() => false, { timeout: '0s' })).rejects.toMatchObject({
      code: 'wait_timeout',
      message: 'Within 0s none of 1 message satisfied the predicate.',
    });
  });

  it('tells what came closest, and that time stands still', async () => {
    const own = client.account('late');
    await send(own);
    const [sent] = await own.messages();
    await expect(own.waitFor.message({ to: ada, status: 'read', timeout: '1ms' })).rejects.toMatchObject({
      name: 'SandboxError',
      status: 408,
      code: 'wait_timeout',
      message: [
        `Within 1 ms 0 of 1 message matched to=${ada}, status=read.`,
        'What came closest:',
        `  ${sent?.message_id} (seq ${sent?.seq}): status is "sent", not "read"`,
        `The clock is frozen at ${start} with 2 jobs ahead, the next due at 2026-03-01T09:00:00.300Z: call clock.advance(…).`,
      ].join('\n'),
      details: [{ id: sent?.message_id, differs: [{ field: 'status', expected: 'read', found: 'sent' }] }],
    });
  });

  it('tells when there is nothing at all', async () => {
    const own = client.account('nothing');
    await expect(own.waitFor.request({ timeout: '1ms' })).rejects.toMatchObject({
      message: 'Within 1 ms 0 of 1 request matched anything.\nThere are none at all.',
    });
  });
});
