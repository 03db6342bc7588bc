/** Faults that rules and callers put into deliveries: what the receiver gets, and what is on record. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebhookSlot } from '../../src/language/actions.js';
import { keptBody } from '../../src/domain/limits.js';
import { defaultWire } from '../../src/dialect/wire.js';
import { bodyToSend, type SentEvent } from '../../src/webhooks/faults.js';
import type { Control, World } from '../support/client.js';
import { cases } from '../support/property.js';
import { holdingReceiver } from '../support/receivers.js';
import { useSandbox } from '../support/sandbox.js';
import { at, frozen, minutes, stage, trySend } from '../support/scenes.js';

const { sandbox } = useSandbox({ clock: frozen });

const to = '+12025550110';
const signed = (requests: readonly Control['SinkRequest'][]) => requests.map((request) => request.signature_valid);

interface Spoiled {
  readonly world: World;
  readonly event: Control['Event'];
  readonly deliveries: readonly Control['Delivery'][];
  /** The requests to the receiver, in order. */
  readonly requests: readonly Control['SinkRequest'][];
}

/**
 * Writes as a customer, so that the event is delivered first according to `webhook`. The receiver rejects the first request,
 * so that there is a retry a minute later.
 */
async function spoil(webhook: WebhookSlot): Promise<Spoiled> {
  const rule = { id: 'fault', when: 'webhook.deliver', match: { attempts: '1' }, then: { webhook } } as const;
  const world = await stage(sandbox, [rule]);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }, { status: 200 }] });
  await world.inbound('+12025550110', { text: 'Größe 42 / „rot“?', profile_name: 'Ada' });
  await world.advance('1m');
  const [event] = await world.events();
  if (!event) throw new Error('no event was made');
  const requests = await world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');
  return { world, event, deliveries: await world.deliveries(), requests };
}

describe('a delivery', () => {
  it('duplicate: so many more deliveries of one event, the same id and bytes, each with retries of its own', async () => {
    const { requests, deliveries, event } = await spoil({ duplicate: 2 });
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(3);
    for (const delivery of deliveries)
      expect(delivery).toMatchObject({ event_id: event.id, state: 'delivered', faults: ['duplicated'] });
    expect(requests.map(({ answered }) => answered)).toEqual([500, 200, 200, 200]);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(deliveries[0]?.explain).toMatchObject({ by: 'rule', id: 'fault' });
  });

  it('hold_until: is sent once the receiver has responded to the later status', async () => {
    const hold_until = { status: 'delivered' } as const;
    const world = await stage(sandbox, [
      { id: 'late', when: 'webhook.deliver', match: { status: 'sent' }, then: { webhook: { hold_until } } },
    ]);
    const { app, release } = await holdingReceiver();
    await world.register(app.url());
    await trySend(world, to);
    const moving = world.advance('300ms');
    await app.nextRequest();
    // A request that was sent beside the first would be here, too.
    await world.clock();
    const inFlight = app.received.map(({ body }) => body);
    release();
    await moving;
    expect(inFlight).toMatchObject([expect.stringContaining('"status":"delivered"')]);
    expect(app.received.map(({ body }) => /"status":"(\w+)"/.exec(body)?.[1])).toEqual(['delivered', 'sent']);
  });

  it('starts when the receiver has responded to the event before it of this message; other messages do not wait', async () => {
    const lifecycle = [{ sent: '0s' }, { delivered: '0s' }, { read: '0s' }];
    const world = await stage(sandbox, [{ id: 'at-once', when: 'message.send', then: { lifecycle } }]);
    const { app, release } = await holdingReceiver();
    await world.register(app.url());
    for (const customer of [to, '+12025550111']) await trySend(world, customer);
    const moving = world.advance('1s');
    while (app.received.length < 2) await app.nextRequest();
    await world.clock();
    const statuses = (customer = '') =>
      app.received.flatMap(({ body }) => (body.includes(customer) ? /"status":"(\w+)"/.exec(body)?.[1] : []));
    expect(statuses()).toEqual(['sent', 'sent']);
    release();
    await moving;
    expect([statuses(to), statuses('+12025550111')]).toEqual([
      ['sent', 'delivered', 'read'],
      ['sent', 'delivered', 'read'],
    ]);
  });

  it('signature: missing belongs to the forged request, if there is one', async () => {
    const { requests } = await spoil({ body: 'forged_before', signature: 'missing' });
    const signatures = requests.map(({ headers }) => headers['x-service-signature'] !== undefined);
    expect(signatures).toEqual([false, ...signatures.slice(1).map(() => true)]);
  });

  it.each([
    ['before', ['forged', 'true', 'true']],
    ['after', ['true', 'forged', 'true']],
  ] as const)('body: forged_%s the true event goes one request that no secret of ours signed', async (when, order) => {
    const { world, event, requests, deliveries } = await spoil({ body: `forged_${when}` });
    const isTrue = ({ body }: { body: string }) => body.includes(`"from":"${to}"`);
    // The receiver answers the first request with 500, whichever that is; a forged one is not retried for it.
    expect(requests.map((request) => (isTrue(request) ? 'true' : 'forged'))).toEqual(order.slice(0, requests.length));
    const [forged, ...more] = requests.filter((request) => !isTrue(request));
    expect([forged?.signature_valid, more]).toEqual([false, []]);
    expect(JSON.parse(forged?.body ?? '')).toMatchObject({ id: event.id, data: { from: '+12025550199' } });
    await world.advance('2h');
    expect(deliveries).toHaveLength(2);
    const endpoints = await world.items<Control['Endpoint']>('/_sandbox/webhooks');
    expect(endpoints).toMatchObject([{ status: 'active', failing_since: null }]);
  });
});

/** An event with this text, in the default dialect. */
function sentAs(body: string): SentEvent {
  const { created_at: at, ...event } = (JSON.parse(body) ?? {}) as SentEvent['event'] & { readonly created_at: string };
  return { body, wire: defaultWire, event: { ...event, createdAtMs: Date.parse(at) } };
}

describe('the body', () => {
  it.each(['truncate', 'reformatted', 'unknown_type', 'huge', 'forged'] as const)(
    '%s is rightly signed over the bytes that are sent; the log keeps the event, and the retry carries it',
    async (body) => {
      const { requests, deliveries, event } = await spoil({ body });
      const payload = deliveries[0]?.payload ?? '';
      const sent = bodyToSend(body, sentAs(payload)).slice(0, keptBody);
      expect(requests.map((request) => request.body)).toEqual([sent, payload]);
      expect(requests[0]?.body).not.toBe(payload);
      expect(signed(requests)).toEqual([true, true]);
      expect(JSON.parse(payload)).toMatchObject({ id: event.id, type: 'message.received', data: event.data });
      expect(requests.map(({ headers }) => headers['x-service-event-id'])).toEqual([event.id, event.id]);
    },
  );

  it('reformatted: spaces and escapes as hardly any serialiser does', () => {
    const body = JSON.stringify({ data: { text: 'Größe 42 / „rot“' } });
    const other = bodyToSend('reformatted', sentAs(body));
    expect(other).toContain('Gr\\u00f6\\u00dfe 42 \\/ \\u201erot\\u201c');
    expect(other).toMatch(/\n\t/);
    // A receiver that signs a re-serialised object signs other bytes.
    expect(JSON.stringify(JSON.parse(other))).toBe(body);
  });

  it('reformatted: means the same whatever the body says', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (body) => {
        expect(JSON.parse(bodyToSend('reformatted', sentAs(body)))).toEqual(JSON.parse(body));
      }),
      { numRuns: cases(200) },
    );
  });
});

describe('the signature', () => {
  it.each([
    ['wrong_secret', 'wrong_secret', /^sha256=[0-9a-f]{64}$/],
    ['malformed', 'malformed_signature', /^[0-9a-f]{56}-zzzzzz-$/],
    ['missing', 'missing_signature', /^undefined$/],
  ] as const)('%s: the receiver can tell, and the retry is signed rightly', async (signature, fault, shape) => {
    const { requests, event, deliveries } = await spoil({ signature });
    expect(deliveries[0]?.attempts.map(({ faults }) => faults)).toEqual([[fault], undefined]);
    expect(deliveries[0]?.faults).toEqual([fault]);
    const [first, retry] = requests;
    expect(String(first?.headers['x-service-signature'])).toMatch(shape);
    expect(signed(requests)).toEqual([false, true]);
    expect(retry?.body).toBe(first?.body);
    expect(requests.map(({ headers }) => headers['x-service-event-id'])).toEqual([event.id, event.id]);
  });
});

describe('a simulated receiver', () => {
  it.each([
    ['refused', null, 'connection_refused'],
    ['timeout', null, 'timeout'],
    ['reset', null, 'connection_reset'],
    [500, 500, 'non_2xx'],
    [302, 302, 'non_2xx'],
  ] as const)('%s: is not contacted, the retry comes at its time and is real', async (simulate, status, code) => {
    const { requests, deliveries } = await spoil({ receiver: { simulate } });
    const simulated = {
      ...{ number: 1, at: at(0), status, duration_ms: 0, error: code },
      hint: expect.stringContaining('simulates') as string,
      request: { headers: { 'X-Service-Signature': expect.any(String) as string } },
    };
    const real = { number: 2, at: at(minutes(1)), status: 500 };
    expect(deliveries[0]?.attempts).toMatchObject([simulated, real]);
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['2']);
  });

  it('that responds late has handled it, the sandbox records a timeout and tries again', async () => {
    const { requests, deliveries } = await spoil({ receiver: { simulate: 'late' } });
    expect(requests).toHaveLength(2);
    expect(requests[0]?.body).toBe(requests[1]?.body);
    const hint = expect.stringContaining('responded 500') as string;
    expect(deliveries[0]).toMatchObject({
      state: 'delivered',
      attempts: [{ status: null, error: 'timeout', hint }, {}],
    });
  });
});
