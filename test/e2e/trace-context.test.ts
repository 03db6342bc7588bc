/** The trace of a call reaches the deliveries that the call causes, in the form of W3C Trace Context. */
import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../src/dialect/index.js';
import type { Control, World } from '../support/client.js';
import { answering, useFrozenReceivers } from '../support/frozen-receivers.js';

const { newWorld } = useFrozenReceivers();
const bare = useFrozenReceivers({
  dialect: { ...defaultDialect, webhooks: { ...defaultDialect.webhooks, extra_headers: false } },
});
const trace = (digit: string) => `00-${digit.repeat(32)}-b7ad6b7169203331-01`;
const customer = '+12025550110';

/** An account whose receiver gets every event, and a call that can have the header. */
async function set(world = newWorld()) {
  const app = await answering(() => 200);
  await world.register(app.url(), ['message.status', 'template.status', 'otp.verified']);
  await world.template('login', { category: 'authentication' });
  await world.idle();
  const seen = app.received.length;
  const call = async (path: string, body: object, traceparent: string) =>
    (await world.call<Record<string, string>>('POST', path, body, { traceparent })).body;
  const traces = async () => {
    await world.advance('1m');
    return app.received.slice(seen).map(({ headers }) => headers['traceparent']);
  };
  return { app, world, call, traces };
}

const open = (world: World) => world.put(`/_sandbox/customers/${encodeURIComponent(customer)}/window`, { open: true });

describe('traceparent', () => {
  it('of a send is in the journal and on each delivery about the message', async () => {
    const { world, call, traces } = await set();
    await open(world);
    await call('/v1/messages', { to: customer, type: 'text', text: 'Hello' }, trace('a'));
    expect(await traces()).toStrictEqual([trace('a'), trace('a'), trace('a')]);
    const entries = await world.items<Control['JournalRequest']>('/_sandbox/requests?operation=sendMessage');
    expect(entries.at(-1)?.request.headers).toMatchObject({ traceparent: trace('a') });
  });

  it('of a verification replaces that of the code', async () => {
    const { world, call, traces } = await set();
    const { otp_id: id = '' } = await call('/v1/otp/send', { to: customer }, trace('b'));
    const { code } = await world.get<{ code: string }>(`/_sandbox/otps/${id}`);
    await call('/v1/otp/verify', { otp_id: id, code }, trace('c'));
    expect(await traces()).toContain(trace('c'));
  });

  it('of a template is on the event of its review', async () => {
    const { call, traces } = await set();
    await call('/v1/templates', { name: 'n', language: 'en', category: 'utility', body: 'Hi' }, trace('d'));
    expect(await traces()).toStrictEqual([trace('d')]);
  });

  it.each(['', 'x', trace('0'), `ff${trace('a').slice(2)}`, `${trace('a')}-x`, trace('A')])(
    'that is not valid is left out: "%s"',
    async (text) => {
      const { world, call, traces } = await set();
      await open(world);
      await call('/v1/messages', { to: customer, type: 'text', text: 'Hello' }, text);
      expect(await traces()).toStrictEqual([undefined, undefined, undefined]);
    },
  );

  it('is left out where the dialect has no further headers, like all of them but the signature', async () => {
    const { app, world, call, traces } = await set(bare.newWorld());
    await open(world);
    await call('/v1/messages', { to: customer, type: 'text', text: 'Hello' }, trace('a'));
    expect(await traces()).toStrictEqual([undefined, undefined, undefined]);
    const own = Object.keys(app.received.at(-1)?.headers ?? {}).filter((name) => name.startsWith('x-service-'));
    expect(own).toStrictEqual(['x-service-signature']);
  });
});
