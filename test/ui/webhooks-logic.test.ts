import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Attempt, Delivery, Endpoint } from '../../src/ui/page/core/records.js';
import { emitBody } from '../../src/ui/page/panels/webhooks/emit.js';
import { noFault, slotOf } from '../../src/ui/page/panels/webhooks/fault.js';
import { filtered, filterOf } from '../../src/ui/page/panels/webhooks/filter.js';
import { ladderWords } from '../../src/ui/page/panels/webhooks/ladder-words.js';
import { healthOf } from '../../src/ui/page/panels/webhooks/health.js';
import { gapAfterMs, laddersOf, outcomeOf, placeOf, ticksOf } from '../../src/ui/page/panels/webhooks/ladder.js';
import { rewritten, signatureHeader, signatureOf, verdictOf } from '../../src/ui/page/panels/webhooks/signature.js';
import { subjectOf } from '../../src/ui/page/panels/webhooks/subject.js';
import { nextAttemptDelayMs } from '../../src/webhooks/outcome.js';
import { at, hours, minutes, startMs } from '../support/scenes.js';

function attempt(number: number, offsetMs: number, fields: Partial<Attempt> = {}): Attempt {
  const request = { url: 'https://app.test/hook', headers: {}, body: '{}' };
  const failed = { status: 503, duration_ms: 3, trigger: 'schedule', error: 'non_2xx', request };
  return { number, at: at(offsetMs), ...failed, ...fields } as Attempt;
}

const good = { status: 200, error: undefined } as unknown as Partial<Attempt>;

function delivery(fields: Partial<Delivery> = {}): Delivery {
  const ids = { id: 'd-1', seq: 5, event_id: 'evt_1', event_type: 'message.status', webhook_id: 'w-1' };
  const state = { state: 'retrying', attempts: [], next_attempt_at: null, url: 'https://app.test/hook' };
  const payload = '{"id":"evt_1","data":{"to":"+12025550110","message_id":"m-1"}}';
  return { ...ids, ...state, payload, created_at: at(0), ...fields } as unknown as Delivery;
}

const endpoint = (fields: Partial<Endpoint> = {}) =>
  ({ id: 'w-1', status: 'active', failing_since: null, updated_at: at(0), ...fields }) as Endpoint;

describe('the retry ladder', () => {
  it('knows the gaps that the sandbox keeps', () => {
    for (let step = 1; step <= 30; step += 1) expect(gapAfterMs(step)).toBe(nextAttemptDelayMs(step));
  });

  it('shows what is to come up to the pause, 24 hours after the first failure', () => {
    const [ladder, ...more] = laddersOf(
      delivery({ attempts: [attempt(1, 0)], next_attempt_at: at(minutes(1)) }),
      endpoint({ failing_since: at(0) }),
    );
    expect(more).toStrictEqual([]);
    const ahead = ladder?.ahead.map(({ number, atMs }) => [number, (atMs - startMs) / minutes(1)]);
    expect(ahead?.slice(0, 5)).toStrictEqual([
      [2, 1],
      [3, 6],
      [4, 36],
      [5, 96],
      [6, 156],
    ]);
    expect(ahead?.at(-1)).toStrictEqual([27, 1416]);
    expect(ladder?.deadlineMs).toBe(startMs + hours(24));
  });

  it('ends in the pause', () => {
    const held = delivery({ state: 'held', attempts: [attempt(1, 0), attempt(2, minutes(1))] });
    const [ladder] = laddersOf(held, endpoint({ status: 'paused', updated_at: at(hours(24)) }));
    expect(ladder).toMatchObject({ ahead: [], deadlineMs: null, pausedMs: startMs + hours(24) });
    expect(ladder && ladderWords(ladder, held, startMs + hours(30))).toBe(
      'Attempts 1 to 2 within 1 min: all failed · endpoint paused on Mon 2 Mar 2026 09:00.',
    );
  });

  it('begins another run with a redelivery, and says what a success spared', () => {
    const attempts = [attempt(1, 0), attempt(2, minutes(1)), attempt(3, hours(30), { ...good, trigger: 'redelivery' })];
    const [first, second, ...more] = laddersOf(delivery({ state: 'delivered', attempts }), endpoint());
    expect(more).toStrictEqual([]);
    expect(first).toMatchObject({ latest: false, startMs, pausedMs: null });
    expect(second).toMatchObject({ latest: true, startMs: startMs + hours(30) });
    expect(second?.made).toMatchObject([{ number: 3, outcome: 'delivered' }]);
    expect(second?.spared).toHaveLength(26);
    expect(second?.spared[0]).toBe(startMs + hours(30) + minutes(1));
  });

  it('counts the steps of a run, and not the attempts of its delivery', () => {
    const attempts = [attempt(1, 0), attempt(2, hours(1), { trigger: 'redelivery' })];
    const next = at(hours(1) + minutes(1));
    const ladder = laddersOf(delivery({ attempts, next_attempt_at: next }), endpoint({ failing_since: at(0) })).at(-1);
    expect(ladder?.ahead.slice(0, 2)).toStrictEqual([
      { number: 3, atMs: startMs + hours(1) + minutes(1) },
      { number: 4, atMs: startMs + hours(1) + minutes(6) },
    ]);
  });

  it('shows a redelivery that has not begun', () => {
    const asked = delivery({ state: 'pending', attempts: [attempt(1, 0, good)], next_attempt_at: at(hours(2)) });
    expect(laddersOf(asked, endpoint())).toMatchObject([
      { latest: false, made: [{ number: 1 }], ahead: [] },
      { latest: true, made: [], startMs: startMs + hours(2) },
    ]);
  });

  it('has its last attempt at the very instant of the pause, should one fall there', () => {
    const [ladder] = laddersOf(
      delivery({ attempts: [attempt(1, 0)], next_attempt_at: at(hours(24)) }),
      endpoint({ failing_since: at(0) }),
    );
    expect(ladder?.ahead).toStrictEqual([{ number: 2, atMs: startMs + hours(24) }]);
    const earlier = delivery({ attempts: [attempt(1, 0)], next_attempt_at: at(hours(24) - minutes(5)) });
    expect(laddersOf(earlier, endpoint({ failing_since: at(0) }))[0]?.ahead).toHaveLength(2);
  });

  it('stands for a delivery that was never tried, too', () => {
    const [ladder] = laddersOf(delivery({ state: 'pending', next_attempt_at: at(minutes(5)) }), undefined);
    expect(ladder).toMatchObject({ made: [], startMs: startMs + minutes(5) });
    expect(ladder && ladderWords(ladder, { state: 'pending' }, startMs)).toBe('No attempt yet · attempt 1 in 5 min.');
  });

  it('places instants between its ends, the first minutes apart, and marks of the axis never too close', () => {
    const ladder = { startMs, endMs: startMs + hours(24) };
    expect(placeOf(ladder, startMs - 1)).toBe(0);
    expect(placeOf(ladder, startMs + hours(48))).toBe(1);
    expect(placeOf(ladder, startMs + hours(6))).toBe(0.5);
    expect(ticksOf(ladder, 0.15).map((ms) => ms / hours(1))).toStrictEqual([2, 6, 12, 24]);
  });

  it('tells a refusal from silence', () => {
    expect(outcomeOf(attempt(1, 0))).toBe('refused');
    expect(outcomeOf(attempt(1, 0, { status: null }))).toBe('unanswered');
    expect(outcomeOf(attempt(1, 0, good))).toBe('delivered');
    expect(outcomeOf(attempt(1, 0, { status: 200, error: 'timeout' }))).toBe('refused');
  });
});

describe('the signature, computed again', () => {
  const body = '{"text":"Grüße ✓"}';
  const right = `sha256=${createHmac('sha256', 'whsec_a').update(body).digest('hex')}`;

  it('is what the sandbox and a receiver compute', async () => {
    expect(await signatureOf('whsec_a', body)).toBe(right);
    expect(await signatureOf('whsec_b', body)).not.toBe(right);
    expect(await signatureOf('', body)).toBeNull();
  });

  it('is judged against the header', () => {
    expect(verdictOf(right, right)).toBe('matches');
    expect(
      verdictOf(
        right.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        right,
      ),
    ).toBe('differs');
    expect(verdictOf(right.slice(7), right)).toBe('malformed');
    expect(verdictOf(null, right)).toBe('missing');
  });

  it('finds the header in any spelling', () => {
    const sent = attempt(1, 0, { request: { url: 'https://a.test', headers: { 'x-service-SIGNATURE': right }, body } });
    expect(signatureHeader(sent)).toBe(right);
    expect(signatureHeader(attempt(1, 0))).toBeNull();
  });

  it('names the bytes that a careless receiver would sign', () => {
    expect(rewritten('{ "a": 1 }')).toBe('{"a":1}');
    expect(rewritten('{"a":1}')).toBeNull();
    expect(rewritten('{"a":')).toBeNull();
  });
});

it('the health of an endpoint is that of its latest real attempts', () => {
  const rows = [
    delivery({
      attempts: [
        attempt(1, 0, { status: 503, error: 'non_2xx', duration_ms: 30 }),
        attempt(2, 60_000, { ...good, duration_ms: 10 }),
        attempt(3, 120_000, { ...good, duration_ms: 20 }),
        attempt(4, 180_000, { status: null, error: 'timeout', faults: ['simulated'] }),
      ],
    }),
    delivery({ webhook_id: 'another', attempts: [attempt(1, 0)] }),
  ];
  const { webhook_id: id } = delivery();
  expect(healthOf(rows, id, 10)).toMatchObject({ succeeded: 2, medianMs: 20, slowestMs: 30 });
  expect(healthOf(rows, id, 2).attempts.map(({ number }) => number)).toStrictEqual([2, 3]);
  expect(healthOf([], id, 2)).toStrictEqual({ attempts: [], succeeded: 0, medianMs: null, slowestMs: null });
});

describe('the deliveries one looks at', () => {
  it('stand together with their copies, and are chosen by what was done to them', () => {
    const rule = { by: 'rule' as const, id: 'r-1', text: '' };
    const rows = [
      delivery({ id: 'd-1', state: 'delivered', faults: ['duplicated'], explain: rule }),
      delivery({ id: 'd-2', event_id: 'evt_2', state: 'held' }),
      delivery({ id: 'd-3', state: 'delivered', faults: ['duplicated', 'wrong_secret'] }),
    ];
    const ids = (query: Record<string, string>) =>
      filtered(rows, filterOf(query)).map(({ copies }) => copies.map(({ id }) => id));
    expect(ids({})).toStrictEqual([['d-2'], ['d-1', 'd-3']]);
    expect(ids({ only: 'problems' })).toStrictEqual([['d-2']]);
    expect(ids({ fault: 'wrong_secret' })).toStrictEqual([['d-3']]);
    expect(ids({ rule: 'r-1' })).toStrictEqual([['d-1']]);
    expect(ids({ status: 'read' })).toStrictEqual([]);
  });

  const rows = [
    delivery({ id: 'd-1', state: 'delivered' }),
    delivery({
      id: 'd-2',
      event_id: 'evt_2',
      webhook_id: 'w-2',
      payload: null,
      attempts: [attempt(1, 0, { error: 'tls_error' })],
    }),
    delivery({ id: 'd-3', event_id: 'evt_3', event_type: 'otp.verified', payload: '{"data":{"to":"+12025550199"}}' }),
  ];
  const ids = (query: Record<string, string>) => filtered(rows, filterOf(query)).map(({ delivery: { id } }) => id);

  it('are chosen by state, event, endpoint and any text, newest first', () => {
    expect(ids({})).toStrictEqual(['d-3', 'd-2', 'd-1']);
    expect(ids({ state: 'retrying' })).toStrictEqual(['d-3', 'd-2']);
    expect(ids({ type: 'otp.verified' })).toStrictEqual(['d-3']);
    expect(ids({ endpoint: 'w-2' })).toStrictEqual(['d-2']);
    expect(ids({ q: ' M-1 ' })).toStrictEqual(['d-1']);
    expect(ids({ q: 'TLS' })).toStrictEqual(['d-2']);
    expect(ids({ q: '550199', state: 'held' })).toStrictEqual([]);
  });

  it('are about a customer or a template', () => {
    expect(subjectOf(delivery())).toMatchObject({ words: '+12025550110', phone: '+12025550110', messageId: 'm-1' });
    const received = delivery({ event_type: 'message.received', payload: '{"data":{"from":"+1","to":"+2"}}' });
    expect(subjectOf(received).phone).toBe('+1');
    const template = delivery({ event_type: 'template.status', payload: '{"data":{"name":"promo"}}' });
    expect(subjectOf(template)).toMatchObject({ words: 'promo', phone: null, messageId: null });
    expect(subjectOf(delivery({ payload: null })).words).toBe('');
  });
});

describe('forms', () => {
  it('make a fault of what was changed alone', () => {
    expect(slotOf(noFault)).toBeUndefined();
    expect(
      slotOf({
        ...noFault,
        body: 'huge',
        receiver: 'status',
        status: '500',
        delay: ' 30s ',
        duplicate: '2',
        holdUntil: 'read',
      }),
    ).toStrictEqual({
      body: 'huge',
      receiver: { simulate: 500 },
      delay: '30s',
      duplicate: 2,
      hold_until: { status: 'read' },
    });
    expect(slotOf({ ...noFault, receiver: 'refused' })).toStrictEqual({ receiver: { simulate: 'refused' } });
  });

  it('make an event of the fields of its type, and of more', () => {
    const form = {
      type: 'message.status',
      values: { to: '+12025550110', text: 'no field of it' },
      more: '',
      endpoint: '',
    } as const;
    expect(emitBody(form, undefined)).toStrictEqual({ type: 'message.status', data: { to: '+12025550110' } });
    const spaced = { ...form, values: { to: ' +12025550110 ', status: ' ' } };
    expect(emitBody(spaced, undefined)).toStrictEqual({ type: 'message.status', data: { to: '+12025550110' } });
    expect(emitBody({ ...form, values: {}, endpoint: 'w-1' }, { duplicate: 1 })).toStrictEqual({
      type: 'message.status',
      webhook_id: 'w-1',
      webhook: { duplicate: 1 },
    });
    expect(emitBody({ ...form, more: '{"to":"+1999"}' }, undefined)).toMatchObject({ data: { to: '+1999' } });
    expect(emitBody({ ...form, more: '[1]' }, undefined)).toMatch(/an array, not an object\. Write an object/);
    expect(emitBody({ ...form, more: '{' }, undefined)).toMatch(/not JSON\. Write an object/);
  });
});
