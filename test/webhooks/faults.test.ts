/** Faults that rules and callers put into deliveries: what the receiver gets, and what is on record. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Rule } from '../../src/scenario/schema/rule.js';
import type { WebhookSlot } from '../../src/scenario/schema/actions.js';
import { keptBody } from '../../src/domain/limits.js';
import { bodyToSend } from '../../src/webhooks/faults.js';
import type { Control, World } from '../support/client.js';
import { cases } from '../support/property.js';
import { useSandbox } from '../support/sandbox.js';
import { at, frozen, minutes, stage, startMs, trySend } from '../support/scenes.js';
import { spoil } from '../support/spoiled.js';

const { sandbox } = useSandbox({ clock: frozen });

const to = '+12025550110';
const received = (world: World) => world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');
const signed = (requests: readonly Control['SinkRequest'][]) => requests.map((request) => request.signature_valid);
const failing = (world: World, times: number) =>
  world.put('/_sandbox/sink/app', { respond: [{ status: 500, times }, { status: 200 }] });
/** A rule for deliveries, and for those attempts and statuses that it names. */
const rule = (
  webhook: WebhookSlot,
  match: { attempts?: string | { min: number }; status?: string } = {},
  id = 'fault',
) => ({ id, when: 'webhook.deliver', match, then: { webhook } }) as const;
const readLater: Rule = { when: 'message.send', then: { lifecycle: [{ sent: '0s' }, { read: '1h' }] } };

describe('a delivery', () => {
  it('duplicate: so many more deliveries of one event, the same id and bytes, each with retries of its own', async () => {
    const { requests, deliveries, event } = await spoil(sandbox, { duplicate: 2 });
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(3);
    for (const delivery of deliveries)
      expect(delivery).toMatchObject({ event_id: event.id, state: 'delivered', faults: ['duplicated'] });
    expect(requests.map(({ answered }) => answered)).toEqual([500, 200, 200, 200]);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(deliveries[0]?.explain).toMatchObject({ by: 'rule', id: 'fault' });
  });

  it.each([
    ['before', ['forged', 'true', 'true']],
    ['after', ['true', 'forged', 'true']],
  ] as const)('body: forged_%s the true event goes one request that no secret of ours signed', async (when, order) => {
    const { world, event, requests, deliveries } = await spoil(sandbox, { body: `forged_${when}` });
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

  it('delay: account time before the first attempt; the retry counts from there', async () => {
    const { world, requests, deliveries } = await spoil(sandbox, { delay: '5m' });
    expect(requests).toEqual([]);
    expect(deliveries).toMatchObject([{ state: 'pending', next_attempt_at: at(minutes(5)), faults: ['delayed'] }]);
    await world.advance('1h');
    expect((await received(world)).map(({ at: when }) => (Date.parse(when) - startMs) / 60_000)).toEqual([5, 6]);
  });

  it('drop: never made, but on record, with the reason', async () => {
    const { world, requests, deliveries } = await spoil(sandbox, { drop: true });
    await world.advance('48h');
    expect(requests).toEqual([]);
    expect(deliveries).toMatchObject([{ state: 'dropped', attempts: [], explain: { by: 'rule', id: 'fault' } }]);
    expect((await world.clock()).pending).toBe(0);
  });

  it.each([
    ['a later one goes out after it', 'delivered', 'read', ['sent', 'read', 'delivered'], [0, 1000, 1000]],
    ['one that was reported already holds nothing', 'read', 'sent', ['sent', 'delivered', 'read'], [0, 300, 1000]],
  ])('hold_until a status: %s', async (_what, status, until, order, times) => {
    const world = await stage(sandbox, [rule({ hold_until: { status: until as 'read' } }, { status })]);
    await trySend(world, to);
    await world.advance('999ms');
    if (status === 'delivered')
      expect((await world.deliveries()).at(-1)).toMatchObject({ state: 'pending', next_attempt_at: null });
    await world.advance('1ms');
    const told = await received(world);
    expect(told.map(({ json }) => (json as { data: { status: string } }).data.status)).toEqual(order);
    expect(told.map(({ at: when }) => when)).toEqual(times.map(at));
  });

  it('hold_until holds nothing but statuses of messages', async () => {
    const world = await stage(sandbox, [rule({ hold_until: { status: 'read' } })]);
    await world.inbound(to);
    expect((await world.deliveries())[0]?.state).toBe('delivered');
  });

  it('is decided once by a rule that names no attempt, which counts deliveries', async () => {
    const world = await stage(sandbox, [
      { ...rule({ drop: true }), pick: { calls: 2 } },
      rule({ delay: '5m', signature: 'wrong_secret' }, {}, 'late'),
    ]);
    await failing(world, 1);
    await world.inbound(to);
    await world.advance('6m');
    await world.inbound(to);
    const [first, second] = await world.deliveries();
    expect(first?.attempts.map(({ at: when }) => when)).toEqual([at(minutes(5)), at(minutes(6))]);
    expect(second?.state).toBe('dropped');
    expect(signed(await received(world))).toEqual([false, false]);
  });
});

describe('the body', () => {
  it.each(['truncate', 'reformatted', 'unknown_type', 'huge', 'forged'] as const)(
    '%s is rightly signed over the bytes that are sent; the log keeps the event, and the retry carries it',
    async (body) => {
      const { requests, deliveries, event } = await spoil(sandbox, { body });
      const payload = deliveries[0]?.payload ?? '';
      const sent = bodyToSend(body, payload).slice(0, keptBody);
      expect(requests.map((request) => request.body)).toEqual([sent, payload]);
      expect(requests[0]?.body).not.toBe(payload);
      expect(signed(requests)).toEqual([true, true]);
      expect(JSON.parse(payload)).toMatchObject({ id: event.id, type: 'message.received', data: event.data });
      expect(requests.map(({ headers }) => headers['x-service-event-id'])).toEqual([event.id, event.id]);
    },
  );

  it('reformatted: spaces and escapes as hardly any serialiser does', () => {
    const body = JSON.stringify({ data: { text: 'Größe 42 / „rot“' } });
    const other = bodyToSend('reformatted', body);
    expect(other).toContain('Gr\\u00f6\\u00dfe 42 \\/ \\u201erot\\u201c');
    expect(other).toMatch(/\n\t/);
    // A receiver that signs a re-serialised object signs other bytes.
    expect(JSON.stringify(JSON.parse(other))).toBe(body);
  });

  it('reformatted: means the same whatever the body says', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (body) => {
        expect(JSON.parse(bodyToSend('reformatted', body))).toEqual(JSON.parse(body));
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
    const { requests, event, deliveries } = await spoil(sandbox, { signature });
    expect(deliveries[0]?.attempts.map(({ faults }) => faults)).toEqual([[fault], undefined]);
    expect(deliveries[0]?.faults).toEqual([fault]);
    const [first, retry] = requests;
    expect(String(first?.headers['x-service-signature'])).toMatch(shape);
    expect(signed(requests)).toEqual([false, true]);
    expect(retry?.body).toBe(first?.body);
    expect(requests.map(({ headers }) => headers['x-service-event-id'])).toEqual([event.id, event.id]);
  });

  it('is wrong in every attempt under a rule that fits every attempt', async () => {
    const { requests } = await spoil(sandbox, { signature: 'wrong_secret' }, '*');
    expect(signed(requests)).toEqual([false, false]);
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
    const { requests, deliveries } = await spoil(sandbox, { receiver: { simulate } });
    const simulated = {
      ...{ number: 1, at: at(0), status, duration_ms: 0, error: code },
      hint: expect.stringContaining('simulates') as string,
      request: { headers: { 'X-Service-Signature': expect.any(String) as string } },
    };
    const real = { number: 2, at: at(minutes(1)), status: 500 };
    expect(deliveries[0]?.attempts).toMatchObject([simulated, real]);
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['2']);
  });

  it('with 2xx delivers without anybody hearing of it', async () => {
    const { requests, deliveries } = await spoil(sandbox, { receiver: { simulate: 204 } });
    expect(requests).toEqual([]);
    expect(deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
  });

  it('that responds late has handled it, the sandbox records a timeout and tries again', async () => {
    const { requests, deliveries } = await spoil(sandbox, { receiver: { simulate: 'late' } });
    expect(requests).toHaveLength(2);
    expect(requests[0]?.body).toBe(requests[1]?.body);
    const hint = expect.stringContaining('responded 500') as string;
    expect(deliveries[0]).toMatchObject({
      state: 'delivered',
      attempts: [{ status: null, error: 'timeout', hint }, {}],
    });
  });
});

describe('a later attempt', () => {
  const shown = async (world: World) => {
    const [delivery] = await world.deliveries();
    const { state, next_attempt_at: next = null } = delivery ?? {};
    return [state, next, delivery?.attempts.map(({ at: when, status }) => [when, status])];
  };
  const inMinutes = (attempts: [number, number][]) => attempts.map(([when, status]) => [at(minutes(when)), status]);

  it('is decided anew', async () => {
    const world = await stage(sandbox, [
      { ...rule({ receiver: { simulate: 503 } }), pick: { calls: '1..3' } },
      rule({ signature: 'missing' }, { attempts: '4' }, 'forged'),
    ]);
    await world.put('/_sandbox/sink/app', { respond: [{ status: 401, times: 1 }, { status: 200 }] });
    await world.inbound(to);
    await world.advance('2h');
    const [delivery] = await world.deliveries();
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 503, 401, 200]);
    expect(signed(await received(world))).toEqual([false, true]);
  });

  it('is put off by delay, and the retry schedule goes on from there', async () => {
    const world = await stage(sandbox, [rule({ delay: '10m' }, { attempts: '2' })]);
    await failing(world, 2);
    await world.inbound(to);
    await world.advance('1m');
    expect(await shown(world)).toEqual(['retrying', at(minutes(11)), inMinutes([[0, 500]])]);
    expect((await world.deliveries())[0]?.explain).toMatchObject({ by: 'rule', id: 'fault' });
    await world.advance('15m');
    const attempts: [number, number][] = [
      [0, 500],
      [11, 500],
      [16, 200],
    ];
    expect(await shown(world)).toEqual(['delivered', null, inMinutes(attempts)]);
  });

  it('has what else the rule says of it when it is made', async () => {
    const late = rule({ delay: '10m', signature: 'wrong_secret' }, { attempts: '2' });
    const world = await stage(sandbox, [{ ...late, active: { before: '2m' } }]);
    await failing(world, 1);
    await world.inbound(to);
    await world.advance('11m');
    expect(signed(await received(world))).toEqual([true, false]);
    const { rules } = await world.get<Control['ActiveScenario']>('/_sandbox/scenario');
    expect(rules[0]?.hits).toBe(1);
  });

  it('is given up by drop, with the delivery', async () => {
    const world = await stage(sandbox, [rule({ drop: true }, { attempts: { min: 2 } })]);
    await failing(world, 1);
    await world.inbound(to);
    await world.advance('2h');
    expect(await shown(world)).toEqual(['dropped', null, inMinutes([[0, 500]])]);
    expect(await world.deliveries()).toMatchObject([{ explain: { by: 'rule', id: 'fault' }, faults: ['dropped'] }]);
    expect((await world.clock()).pending).toBe(0);
  });

  it('waits for the status that hold_until names', async () => {
    const held = rule({ hold_until: { status: 'read' } }, { status: 'sent', attempts: '2' });
    const world = await stage(sandbox, [held, readLater]);
    await failing(world, 1);
    await trySend(world, to);
    await world.advance('59m');
    expect(await shown(world)).toEqual(['retrying', null, inMinutes([[0, 500]])]);
    await world.advance('1m');
    const attempts: [number, number][] = [
      [0, 500],
      [60, 200],
    ];
    expect(await shown(world)).toEqual(['delivered', null, inMinutes(attempts)]);
  });

  it('that was put off does not hold up a redelivery', async () => {
    const world = await stage(sandbox, [rule({ delay: '10m' }, { attempts: '2' })]);
    await failing(world, 2);
    const { event_id } = await world.inbound(to);
    await world.advance('11m');
    await world.post(`/_sandbox/events/${event_id}/redeliver`);
    await world.idle();
    expect((await world.deliveries())[0]?.attempts.at(-1)).toMatchObject({ at: at(minutes(11)), status: 200 });
  });
});

describe('a redelivery', () => {
  const first = async () => {
    const world = await stage(sandbox, [readLater]);
    await trySend(world, to);
    await world.idle();
    const [event] = await world.events();
    return { world, path: `/_sandbox/events/${event?.id ?? ''}/redeliver` };
  };
  const triggers = async (world: World) => (await world.deliveries())[0]?.attempts.map(({ trigger }) => trigger);

  it('takes the slot of its call for all of its attempts, as an event on demand does', async () => {
    const world = await stage(sandbox);
    await failing(world, 1);
    const webhook = { body: 'truncate' };
    const { event } = await world.post<Control['EmitResult']>('/_sandbox/events', { type: 'otp.verified', webhook });
    await world.advance('1m');
    for (const body of [{ webhook }, undefined]) {
      await world.post(`/_sandbox/events/${event.id}/redeliver`, body);
      await world.idle();
    }
    const requests = await received(world);
    expect(signed(requests)).toEqual([true, true, true, true]);
    expect(requests.map((request) => 'json' in request)).toEqual([false, false, false, true]);
  });

  it('is made as often as duplicate says', async () => {
    const { world, path } = await first();
    const counts = async () => (await world.deliveries()).map(({ attempts }) => attempts.length);
    await world.post(path, { webhook: { duplicate: 2 } });
    await world.idle();
    expect(await counts()).toEqual([2, 1, 1]);
    const [delivery] = await world.deliveries();
    await world.post(`/_sandbox/deliveries/${delivery?.id ?? ''}/redeliver`, { webhook: { duplicate: 1 } });
    await world.idle();
    expect(await counts()).toEqual([3, 1, 1, 1]);
  });

  it.each([
    ['its call', true],
    ['a rule', false],
  ])('waits for the status that hold_until of %s names, and stays one', async (_whose, inCall) => {
    const { world, path } = await first();
    const webhook = { hold_until: { status: 'read' } } as const;
    if (!inCall) await world.post('/_sandbox/rules', rule(webhook, { attempts: '2' }));
    await world.post(path, inCall ? { webhook } : {});
    await world.advance('59m');
    expect(await received(world)).toHaveLength(1);
    await world.advance('1m');
    const told = (await received(world)).map(({ json }) => (json as { data: { status: string } }).data.status);
    expect(told).toEqual(['sent', 'read', 'sent']);
    expect(await triggers(world)).toEqual(['schedule', 'redelivery']);
  });

  it('of what was not made yet goes out plainly, and its attempt names no rule', async () => {
    const none = { at: 'finish', that: 'attempts', where: { rule: 'fault' }, count: 0 } as const;
    const world = await stage(sandbox, [rule({ delay: '5m', signature: 'missing' })], { expect: [none] });
    const { event_id } = await world.inbound(to);
    await world.post(`/_sandbox/events/${event_id}/redeliver`, {});
    await world.idle();
    expect(signed(await received(world))).toEqual([true]);
    const [delivery] = await world.deliveries();
    expect(delivery?.attempts).toMatchObject([{ number: 1, trigger: 'redelivery' }]);
    expect(delivery?.attempts[0]).not.toHaveProperty('explain');
    expect(await world.get('/_sandbox/verdict')).toMatchObject({ passed: true });
  });

  it('cannot be dropped in the same call', async () => {
    const { world, path } = await first();
    const answer = await world.call('POST', path, { webhook: { drop: true } });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
    expect(answer.body.error.details).toMatchObject([{ field: 'webhook.drop' }]);
  });
});
