import { sign, verify } from '@octokit/webhooks-methods';
import { describe, expect, test } from 'vitest';
import { parseWebhookRoute } from '../../src/domain/webhook.js';
import { closing } from '../support/closing.js';
import { newWorld } from '../support/client.js';
import { receiver, type Received } from '../support/receivers.js';
import { startTestSandbox, useSandbox } from '../support/sandbox.js';
import { frozen, inFlight } from '../support/scenes.js';
import { dialects } from '../support/strange-dialect.js';

const signatureOf = ({ headers }: Received): string => String(headers['x-service-signature']);

describe.each(dialects)('a signed event, in the $name dialect', ({ name, dialect, inOurs }) => {
  const { sandbox } = useSandbox({ clock: frozen, dialect });

  test.each([
    ['plain HTTP behind an https:// URL', false],
    ['TLS with a self-signed certificate', true],
  ])('reaches a receiver that speaks %s, and its signature holds', async (_how, tls) => {
    const app = await receiver(undefined, { tls });
    const world = newWorld(sandbox);
    const { secret } = await world.register(app.url('/hooks?from=sandbox'));
    const id = await world.text('+12025550110', 'Grüße 👋 "quoted" \\ \u2028');
    await world.advance('10s');

    expect(app.received).toHaveLength(3);
    for (const request of app.received) {
      expect(await verify(secret, request.body, signatureOf(request))).toBe(true);
      expect(await verify(`${secret}x`, request.body, signatureOf(request))).toBe(false);
      // A receiver that signs what it parsed and serialised again is right only by chance; the contract requires the
      // raw bytes.
      expect(signatureOf(request)).toBe(await sign(secret, request.body));
    }
    const bodies = app.received.map((request) => JSON.parse(inOurs(request).body) as { data: { status: string } });
    expect(bodies.map(({ data }) => data.status)).toEqual(['sent', 'delivered', 'read']);
    const first = await world.firstDelivery();
    expect(first).toMatchObject({ state: 'delivered', next_attempt_at: null });
    expect(first.attempts).toMatchObject([
      { number: 1, status: 200, plain: !tls, trigger: 'schedule', response: { body: 'ok' } },
    ]);
    expect(bodies[0]).toMatchObject({ type: 'message.status', data: { message_id: id } });
  });

  test('has the same bytes on every attempt, and they are those of the event and delivery logs', async () => {
    const app = await receiver((response) => response.writeHead(503).end());
    const world = newWorld(sandbox);
    const { secret } = await world.register(app.url(), ['message.received']);
    const { event_id } = await world.inbound('+12025550110', { text: 'emoji 🧪, <b>, "é"' });
    await world.advance('3h');
    expect(app.received).toHaveLength(6);
    expect(new Set(app.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(app.received.map(signatureOf))).toEqual(new Set([await sign(secret, app.received[0]!.body)]));
    const requests = app.received.map((request) => inOurs(request).headers);
    expect(requests.map((headers) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5', '6']);
    const deliveries = new Set(requests.map((headers) => headers['x-service-delivery']));
    expect([deliveries.size, deliveries.has(undefined)]).toEqual([1, name === 'strange']);

    const event = await world.get<{ id: string; seq: number }>(`/_sandbox/events/${event_id}`);
    const { seq: _seq, ...fact } = event;
    expect(JSON.parse(inOurs(app.received[0]!).body)).toEqual(fact);
    const delivery = await world.firstDelivery();
    expect(delivery.payload).toBe(app.received[0]!.body);
    expect(delivery.attempts.map(({ request }) => request.body)).toEqual(app.received.map(({ body }) => body));
    const [listed] = await world.deliveries();
    for (const { request, response } of listed?.attempts ?? []) {
      expect([Object.keys(request), Object.keys(response ?? {})]).toEqual([['url', 'headers'], ['headers']]);
    }
  });
});

describe.each(dialects)('who gets an event, in the $name dialect', ({ dialect, inOurs }) => {
  const { sandbox } = useSandbox({ clock: frozen, dialect });
  const typesOf = (received: readonly Received[]) =>
    received.map((request) => inOurs(request).headers['x-service-event']);

  test('is every endpoint that subscribed to its type, each with its own secret', async () => {
    const [all, statuses, otps] = [await receiver(), await receiver(), await receiver()];
    const world = newWorld(sandbox);
    const first = await world.register(all.url(), [
      'message.received',
      'message.status',
      'otp.verified',
      'template.status',
    ]);
    const second = await world.register(statuses.url(), ['message.status']);
    await world.register(otps.url(), ['otp.verified', 'otp.verified']);
    await world.template('login_code', { category: 'authentication', body: 'Code {{1}}' });
    const { otp_id } = await world.post<{ otp_id: string }>('/v1/otp/send', { to: '+12025550110' });
    const { code } = await world.get<{ code: string }>(`/_sandbox/otps/${otp_id}`);
    await world.post('/v1/otp/verify', { otp_id, code });
    await world.inbound('+12025550110');
    await world.reply('+12025550110');
    await world.advance('5s');

    expect(typesOf(statuses.received)).toEqual(['message.status', 'message.status', 'message.status']);
    expect(typesOf(otps.received)).toEqual(['otp.verified']);
    expect(typesOf(all.received)).toEqual([
      'template.status',
      'otp.verified',
      'message.received',
      ...typesOf(statuses.received),
    ]);
    expect(second.secret).not.toBe(first.secret);
    const last = all.received.at(-1)!;
    expect(statuses.received.at(-1)?.body).toBe(last.body);
    expect(await verify(first.secret, last.body, signatureOf(last))).toBe(true);
    expect(await verify(second.secret, last.body, signatureOf(last))).toBe(false);
    expect(await verify(second.secret, last.body, signatureOf(statuses.received.at(-1)!))).toBe(true);
  });
});

const { sandbox, it } = useSandbox({ clock: frozen });

describe('where an attempt goes', () => {
  it('is told by a route, and the endpoint keeps its public URL', async () => {
    const app = await receiver();
    const routes = [parseWebhookRoute(`https://app.example.com/hooks=http://localhost:${app.port}/local`)];
    const own = closing(await startTestSandbox({ clock: frozen, webhookRoutes: routes }));
    const world = newWorld(own);
    const url = 'https://app.example.com/hooks/status?x=1';
    const { secret } = await world.register(url, ['message.received']);
    await world.inbound('+12025550110');
    await world.idle();
    const [request] = app.received;
    expect(request?.path).toBe('/local/status?x=1');
    expect(await verify(secret, request?.body ?? '', signatureOf(request!))).toBe(true);
    expect(await world.deliveries()).toMatchObject([
      {
        url,
        state: 'delivered',
        attempts: [{ plain: true, sent_to: `http://localhost:${app.port}/local/status?x=1` }],
      },
    ]);
  });

  it('takes ten at a time per endpoint, first come first served', async () => {
    const open: (() => void)[] = [];
    let holding = true;
    let tenArrived: () => void = () => undefined;
    const ten = new Promise<void>((resolve) => (tenArrived = resolve));
    const app = await receiver((response) => {
      if (!holding) response.end();
      else if (open.push(() => response.end()) === 10) tenArrived();
    });
    const world = newWorld(sandbox);
    await world.register(app.url(), ['message.received']);
    const eventIds: string[] = [];
    for (let i = 0; i < 25; i += 1) eventIds.push((await world.inbound('+12025550110')).event_id);
    await ten;
    expect(await world.call('POST', '/_sandbox/idle?timeout=0s')).toMatchObject({ body: { error: { in_flight: 25 } } });
    expect(app.received).toHaveLength(10);
    holding = false;
    open.forEach((release) => release());
    await world.idle();
    const arrived = app.received.map(({ headers }) => String(headers['x-service-event-id']));
    expect(new Set(arrived.slice(0, 10))).toEqual(new Set(eventIds.slice(0, 10)));
    expect(new Set(arrived)).toEqual(new Set(eventIds));
  });
});

it('an API call does not wait for the receivers of its events', async ({ world }) => {
  const { release } = await inFlight(world);
  // The receiver still holds its response, and the account continues.
  expect((await world.deliveries()).map(({ state }) => state)).toEqual(['pending']);
  await world.reply('+12025550110');
  release();
  await world.idle();
  expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered']);
});
