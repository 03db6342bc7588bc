import { describe, expect, it } from 'vitest';
import type { Control, World } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { at, frozen, minutes, stage, startMs, trySend } from '../support/scenes.js';
import { spoil } from '../support/spoiled.js';

const { sandbox } = useSandbox({ clock: frozen });

const to = '+12025550110';
const received = (world: World) => world.items<Control['SinkRequest']>('/_sandbox/sink/app/received');

it('duplicate: so many more deliveries of one event, the same id and bytes, each with retries of its own', async () => {
  const { requests, deliveries, event } = await spoil(sandbox, { duplicate: 2 });
  expect(deliveries).toHaveLength(3);
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(3);
  expect(deliveries.every(({ event_id, state }) => event_id === event.id && state === 'delivered')).toBe(true);
  expect(requests.map(({ answered }) => answered)).toEqual([500, 200, 200, 200]);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect(deliveries[0]?.explain).toMatchObject({ by: 'rule', id: 'fault' });
  expect(deliveries.map(({ faults }) => faults)).toEqual([['duplicated'], ['duplicated'], ['duplicated']]);
});

it('receiver, contacted: the receiver has handled it, the sandbox records a timeout and tries again', async () => {
  const { requests, deliveries } = await spoil(sandbox, { receiver: { simulate: 'timeout', contacted: true } });
  expect(requests).toHaveLength(2);
  expect(requests[0]?.body).toBe(requests[1]?.body);
  expect(deliveries[0]).toMatchObject({
    state: 'delivered',
    attempts: [{ status: null, error: 'timeout', hint: expect.stringContaining('responded 500') as string }, {}],
  });
});

it.each([
  ['before', ['forged', 'true', 'true']],
  ['after', ['true', 'forged', 'true']],
] as const)('forged_copy: %s the true event goes one request that no secret of ours signed', async (when, order) => {
  const { world, event, requests, deliveries } = await spoil(sandbox, { forged_copy: when });
  const isTrue = ({ body }: { body: string }) => body.includes('"from":"+12025550110"');
  // The receiver answers the first request with 500, whichever that is; a forged one is not retried for it.
  const sent = order.slice(0, requests.length);
  expect(requests.map((request) => (isTrue(request) ? 'true' : 'forged'))).toEqual(sent);
  const forged = requests.filter((request) => !isTrue(request));
  expect(forged).toHaveLength(1);
  expect(forged[0]).toMatchObject({ signature_valid: false });
  expect(JSON.parse(forged[0]?.body ?? '')).toMatchObject({ id: event.id, data: { from: '+12025550199' } });
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

it('hold_until: goes out after the later event it waits for', async () => {
  const world = await stage(sandbox, [
    {
      id: 'late',
      when: 'webhook.deliver',
      match: { status: 'delivered' },
      then: { webhook: { hold_until: { status: 'read' } } },
    },
  ]);
  await trySend(world, to);
  await world.advance('999ms');
  expect(await world.deliveries()).toMatchObject([{ state: 'delivered' }, { state: 'pending', next_attempt_at: null }]);
  await world.advance('1ms');
  const told = (await received(world)).map(({ json, at: when }) => [
    (json as { data: { status: string } }).data.status,
    when,
  ]);
  expect(told).toEqual([
    ['sent', at(0)],
    ['read', at(1000)],
    ['delivered', at(1000)],
  ]);
});

it('hold_until a status that was reported already holds nothing', async () => {
  const world = await stage(sandbox, [
    { when: 'webhook.deliver', match: { status: 'read' }, then: { webhook: { hold_until: { status: 'sent' } } } },
  ]);
  await trySend(world, to);
  await world.advance('1s');
  expect((await world.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
});

it('every attempt is decided anew', async () => {
  const world = await stage(sandbox, [
    { id: 'down', when: 'webhook.deliver', pick: { first: 3 }, then: { webhook: { receiver: { simulate: 503 } } } },
    { id: 'forged', when: 'webhook.deliver', match: { attempt: '4' }, then: { webhook: { signature: 'missing' } } },
  ]);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 401, times: 1 }, { status: 200 }] });
  await world.inbound(to);
  await world.advance('2h');
  const [delivery] = await world.deliveries();
  expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 503, 401, 200]);
  expect((await received(world)).map(({ signature_valid }) => signature_valid)).toEqual([false, true]);
});

it('an event on demand, and a redelivery, take the same slot for all of their attempts', async () => {
  const world = await stage(sandbox);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }, { status: 200 }] });
  const webhook = { body: 'truncate' };
  const { event } = await world.post<Control['EmitResult']>('/_sandbox/events', { type: 'otp.verified', webhook });
  await world.advance('1m');
  await world.post(`/_sandbox/events/${event.id}/redeliver`, { webhook: { body: 'truncate' } });
  await world.idle();
  await world.post(`/_sandbox/events/${event.id}/redeliver`);
  await world.idle();
  const requests = await received(world);
  expect(requests.map(({ signature_valid }) => signature_valid)).toEqual([true, true, true, true]);
  expect(requests.map((request) => 'json' in request)).toEqual([false, false, false, true]);
});

describe('before a later attempt', () => {
  const down = { respond: [{ status: 500, times: 1 }, { status: 200 }] };
  const shown = async (world: World) => {
    const [delivery] = await world.deliveries();
    return {
      state: delivery?.state,
      next: delivery?.next_attempt_at ?? null,
      attempts: delivery?.attempts.map(({ at: when, status }) => [when, status]),
    };
  };

  it('delay puts it off, and the retry schedule goes on from there', async () => {
    const world = await stage(sandbox, [
      { id: 'late', when: 'webhook.deliver', match: { attempt: '2' }, then: { webhook: { delay: '10m' } } },
    ]);
    await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 2 }, { status: 200 }] });
    await world.inbound(to);
    await world.advance('1m');
    expect(await shown(world)).toEqual({
      state: 'retrying',
      next: at(minutes(11)),
      attempts: [[at(0), 500]],
    });
    expect((await world.deliveries())[0]?.explain).toMatchObject({ by: 'rule', id: 'late' });
    await world.advance('15m');
    expect((await shown(world)).attempts).toEqual([
      [at(0), 500],
      [at(minutes(11)), 500],
      [at(minutes(16)), 200],
    ]);
  });

  it('what else the rule says of that attempt holds when it is made', async () => {
    const world = await stage(sandbox, [
      {
        id: 'late-and-forged',
        when: 'webhook.deliver',
        match: { attempt: '2' },
        active: { to: '2m' },
        then: { webhook: { delay: '10m', signature: 'wrong_secret' } },
      },
    ]);
    await world.put('/_sandbox/sink/app', down);
    await world.inbound(to);
    await world.advance('11m');
    expect((await received(world)).map(({ signature_valid }) => signature_valid)).toEqual([true, false]);
    const [rule] = (await world.get<Control['ActiveScenario']>('/_sandbox/scenario')).rules;
    expect(rule?.hits).toBe(1);
  });

  it('drop gives the delivery up', async () => {
    const world = await stage(sandbox, [
      { id: 'give-up', when: 'webhook.deliver', match: { attempt: { min: 2 } }, then: { webhook: { drop: true } } },
    ]);
    await world.put('/_sandbox/sink/app', down);
    await world.inbound(to);
    await world.advance('2h');
    expect(await shown(world)).toEqual({ state: 'dropped', next: null, attempts: [[at(0), 500]] });
    expect((await world.deliveries())[0]?.explain).toMatchObject({ by: 'rule', id: 'give-up' });
    const { pending } = await world.get<Control['Clock']>('/_sandbox/clock');
    expect(pending).toBe(0);
  });

  it('hold_until lets it wait for the status', async () => {
    const world = await stage(sandbox, [
      {
        when: 'webhook.deliver',
        match: { status: 'sent', attempt: '2' },
        then: { webhook: { hold_until: { status: 'read' } } },
      },
      { when: 'message.send', then: { lifecycle: [{ sent: '0s' }, { read: '1h' }] } },
    ]);
    await world.put('/_sandbox/sink/app', down);
    await trySend(world, to);
    await world.advance('59m');
    expect(await shown(world)).toEqual({ state: 'retrying', next: null, attempts: [[at(0), 500]] });
    await world.advance('1m');
    expect((await shown(world)).attempts).toEqual([
      [at(0), 500],
      [at(minutes(60)), 200],
    ]);
  });

  it('a redelivery does not wait for what an attempt was put off for', async () => {
    const world = await stage(sandbox, [
      { when: 'webhook.deliver', match: { attempt: '2' }, then: { webhook: { delay: '10m' } } },
    ]);
    await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 2 }, { status: 200 }] });
    await world.inbound(to);
    await world.advance('11m');
    const [event] = await world.events();
    await world.post(`/_sandbox/events/${event?.id ?? ''}/redeliver`);
    await world.idle();
    expect((await shown(world)).attempts?.at(-1)).toEqual([at(minutes(11)), 200]);
  });
});

it('a rule that names no attempt decides about the delivery once, and counts deliveries', async () => {
  const world = await stage(sandbox, [
    { id: 'second', when: 'webhook.deliver', pick: { nth: 2 }, then: { webhook: { drop: true } } },
    { id: 'late', when: 'webhook.deliver', then: { webhook: { delay: '5m', signature: 'wrong_secret' } } },
  ]);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }, { status: 200 }] });
  await world.inbound(to);
  await world.advance('6m');
  await world.inbound(to);
  const [first, second] = await world.deliveries();
  expect(first?.attempts.map(({ at: when }) => when)).toEqual([at(minutes(5)), at(minutes(6))]);
  expect(second?.state).toBe('dropped');
  expect((await received(world)).map(({ signature_valid }) => signature_valid)).toEqual([false, false]);
});

it('hold_until holds nothing but statuses of messages', async () => {
  const world = await stage(sandbox, [
    { when: 'webhook.deliver', then: { webhook: { hold_until: { status: 'read' } } } },
  ]);
  await world.inbound(to);
  expect((await world.deliveries())[0]?.state).toBe('delivered');
});

describe('a redelivery', () => {
  const first = async () => {
    const world = await stage(sandbox, [
      { when: 'message.send', then: { lifecycle: [{ sent: '0s' }, { read: '1h' }] } },
    ]);
    await trySend(world, to);
    await world.idle();
    const [event] = await world.events();
    return { world, path: `/_sandbox/events/${event?.id ?? ''}/redeliver` };
  };

  it('is made as often as duplicate says', async () => {
    const { world, path } = await first();
    await world.post(path, { webhook: { duplicate: 2 } });
    await world.idle();
    expect((await world.deliveries()).map(({ attempts }) => attempts.length)).toEqual([2, 1, 1]);
    const [delivery] = await world.deliveries();
    await world.post(`/_sandbox/deliveries/${delivery?.id ?? ''}/redeliver`, { webhook: { duplicate: 1 } });
    await world.idle();
    expect((await world.deliveries()).map(({ attempts }) => attempts.length)).toEqual([3, 1, 1, 1]);
  });

  it('waits for the status that hold_until names', async () => {
    const { world, path } = await first();
    await world.post(path, { webhook: { hold_until: { status: 'read' } } });
    await world.advance('59m');
    expect(await received(world)).toHaveLength(1);
    await world.advance('1m');
    expect((await received(world)).map(({ json }) => (json as { data: { status: string } }).data.status)).toEqual([
      'sent',
      'read',
      'sent',
    ]);
    const [delivery] = await world.deliveries();
    expect(delivery?.attempts.map(({ trigger }) => trigger)).toEqual(['schedule', 'redelivery']);
  });

  it('of what was not made yet goes out plainly, and its attempt names no rule', async () => {
    const world = await stage(
      sandbox,
      [{ id: 'late', when: 'webhook.deliver', then: { webhook: { delay: '5m', signature: 'missing' } } }],
      { expect: [{ at: 'finish', that: 'attempts', where: { rule: 'late' }, count: 0 }] },
    );
    const { event_id } = await world.inbound(to);
    await world.post(`/_sandbox/events/${event_id}/redeliver`, {});
    await world.idle();
    expect((await received(world)).map(({ signature_valid }) => signature_valid)).toEqual([true]);
    const [delivery] = await world.deliveries();
    expect(delivery?.attempts).toMatchObject([{ number: 1, trigger: 'redelivery' }]);
    expect(delivery?.attempts[0]).not.toHaveProperty('explain');
    expect(await world.get('/_sandbox/verdict')).toMatchObject({ passed: true });
  });

  it('stays one where a rule lets it wait', async () => {
    const { world, path } = await first();
    const then = { webhook: { hold_until: { status: 'read' } } };
    await world.post('/_sandbox/rules', { when: 'webhook.deliver', match: { attempt: 2 }, then });
    await world.post(path, {});
    await world.advance('59m');
    expect(await received(world)).toHaveLength(1);
    await world.advance('1m');
    const [delivery] = await world.deliveries();
    expect(delivery?.attempts.map(({ trigger }) => trigger)).toEqual(['schedule', 'redelivery']);
  });

  it('cannot be dropped in the same call', async () => {
    const { world, path } = await first();
    const answer = await world.call('POST', path, { webhook: { drop: true } });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
    expect(answer.body.error.details).toMatchObject([{ field: 'webhook.drop' }]);
  });
});
