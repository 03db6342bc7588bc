import { describe, expect, it } from 'vitest';
import type { Evidence, EvidenceRecord } from '../../src/rules/evidence.js';
import { judge } from '../../src/rules/expectations.js';
import type { Expectation } from '../../src/language/expect.js';
import type { Matcher } from '../../src/language/match.js';
import type { ExpectSubject } from '../../src/language/hooks.js';

/** Evidence of the given records; the subjects not named are empty. */
function evidenceOf(records: Partial<Record<ExpectSubject, readonly EvidenceRecord[]>>): Evidence {
  const all = (subject: ExpectSubject) => () => records[subject] ?? [];
  return {
    requests: all('requests'),
    webhooks: all('webhooks'),
    attempts: all('attempts'),
    deliveries: all('deliveries'),
    messages: all('messages'),
    sent: all('sent'),
    received: all('received'),
    templates: all('templates'),
    otps: all('otps'),
    events: all('events'),
  };
}

const requests: EvidenceRecord[] = [
  {
    operation: 'message.send',
    status: 429,
    path: '/v1/messages',
    method: 'POST',
    request: { body: { to: '+1' } },
    error: 'rate_limited',
  },
  { operation: 'message.send', status: 200, path: '/v1/messages', method: 'POST', request: { body: { to: '+1' } } },
  { operation: 'otp.verify', status: 200, path: '/v1/otp/verify', method: 'POST', request: { body: { code: '1' } } },
];
const messages: EvidenceRecord[] = [
  {
    direction: 'outbound',
    to: '+1',
    type: 'text',
    text: 'a',
    status: 'failed',
    error: { code: 'undeliverable', channel_code: 131026 },
  },
  { direction: 'outbound', to: '+2', type: 'text', text: 'a', status: 'read', error: null },
];
const evidence = evidenceOf({ requests, messages });
type Rest = Omit<Expectation, 'at' | 'that'>;
const onRequests = (rest: Rest) => judge({ at: 'finish', that: 'requests', ...rest }, evidence);
const onMessages = (rest: Rest) => judge({ at: 'finish', that: 'messages', ...rest }, evidence);

describe('judgements', () => {
  it.each<[Rest, boolean]>([
    [{ count: 3 }, true],
    [{ count: 2 }, false],
    [{ where: { operation: 'message.send' }, count: 2 }, true],
    [{ where: { operation: 'message.*', status: '2xx' }, count: 1 }, true],
    [{ where: { error: '*' }, count: 1 }, true],
    [{ where: { 'request.body.to': '+1' }, count: 2 }, true],
    [{ where: { 'request.nothing.to': '+1' }, count: 0 }, true],
    [{ where: { path: '/v1/otp/verify' }, count: 1 }, true],
    [{ min: 3 }, true],
    [{ min: 4 }, false],
    [{ max: 3 }, true],
    [{ max: 2 }, false],
    [{ min: 1, max: 2 }, false],
    [{ where: { operation: 'otp.verify' }, has: { status: '200' } }, true],
    [{ where: { operation: 'message.send' }, has: { status: '200' } }, false],
    [{ where: { operation: 'otp.send' }, has: { status: '200' } }, false],
    [{ in_order: [{ status: '429' }, { status: '2xx' }] }, true],
    [{ in_order: [{ status: '2xx' }, { status: '429' }] }, false],
    [{ in_order: [{ status: '2xx' }, { status: '2xx' }, { status: '2xx' }] }, false],
    [{ has: { status: ['2xx', '429'] } }, true],
    [{ has: { status: ['4xx', '5xx'] } }, false],
    [{ duplicate: 1 }, true],
    [{ duplicate: 0 }, false],
    [{ where: { status: '2xx' }, duplicate: 0 }, true],
  ])('of requests: %j → %j', (rest, passed) => {
    expect(onRequests(rest).passed).toBe(passed);
  });

  it.each<[Rest, boolean]>([
    [{ where: { error: 'undeliverable' }, count: 1 }, true],
    [{ where: { 'error.channel_code': '131026' }, count: 1 }, true],
    [{ where: { error: { not: '*' } }, count: 1 }, true],
    [{ duplicate: 0 }, true],
  ])('of messages: %j → %j', (rest, passed) => {
    expect(onMessages(rest).passed).toBe(passed);
  });

  it('say what was expected and what was found', () => {
    expect(
      onRequests({ where: { operation: 'message.send' }, has: { status: '2xx' }, max: 1, because: 'Once is enough.' }),
    ).toEqual({
      passed: false,
      at: 'finish',
      that: 'requests where {"operation":"message.send"}',
      because: 'Once is enough.',
      expected: 'at most 1; all have {"status":"2xx"}',
      found: '2 requests; 1 of 2 do not, the first has {"status":429}',
    });
  });

  it.each<[Rest, string]>([
    [
      { where: { operation: 'otp.verify', status: '4xx' }, min: 1 },
      '0 requests; of 3 others the nearest has {"status":200} (POST /v1/otp/verify: 200)',
    ],
    // A record that meets no condition is of another kind.
    [{ where: { operation: 'otp.send' }, count: 1 }, '0 requests'],
    [
      { where: { status: '429', 'request.body.to': '+2' }, has: { status: '429' } },
      'none; of 3 others the nearest has {"request.body.to":"+1"} (POST /v1/messages: 429 rate_limited)',
    ],
    // Too many, or all of them: nothing else would help.
    [{ where: { operation: 'message.*' }, max: 1 }, '2 requests'],
    [{ min: 9 }, '3 requests'],
  ])('say what came nearest where there are too few: %j', (rest, found) => {
    expect(onRequests(rest)).toMatchObject({ passed: false, found });
  });

  it('say what came nearest: what is about the same customer, or what happened at another time', () => {
    const at = (minute: number) => new Date(minute * 60_000).toISOString();
    const message = { direction: 'outbound', type: 'text', status: 'read' };
    const messages = [
      { ...message, to: '+1', text: 'Su pedido ha salido.', at: at(5), seq: 1 },
      { ...message, to: '+2', text: 'On its way.', at: at(9), seq: 2 },
    ];
    const found = (rest: Rest) =>
      judge({ at: 'finish', that: 'messages', min: 1, ...rest }, evidenceOf({ messages })).found;
    expect(found({ where: { to: '+1', text: 'On its way.' } })).toBe(
      '0 messages; of 2 others the nearest has {"text":"Su pedido ha salido."} (outbound text to +1 at +5m: "Su pedido ha salido.")',
    );
    // Records are made anew each time that they are asked for.
    const anew = { ...evidenceOf({}), messages: () => messages.map((one) => ({ ...one })) };
    expect(judge({ at: 'finish', that: 'messages', count: 5 }, anew).found).toBe('2 messages');
    expect(found({ where: { to: '+2' }, by: '5m' })).toBe(
      '0 messages; at another time: outbound text to +2 at +9m: "On its way."',
    );
    const attempts = [{ event: 'message.status', number: 1, status: null, failure: 'time-out after 10 s' }];
    const judged = judge({ at: 'finish', that: 'attempts', has: { status: '2xx' } }, evidenceOf({ attempts }));
    expect(judged.found).toBe('1 of 1 do not, the first has {"status":"time-out after 10 s"}');
  });

  it('cut what came nearest, and say nothing of it when all is well', () => {
    const long = evidenceOf({ messages: [{ text: 'x'.repeat(5000), status: 'sent' }] });
    const judged = judge({ at: 'finish', that: 'messages', where: { text: 'hello', status: 'sent' }, min: 1 }, long);
    expect(judged.found.length).toBeLessThan(500);
    expect(onRequests({ where: { operation: 'otp.verify' }, min: 1 }).found).toBe('1 request');
  });

  const numbered = (records: readonly EvidenceRecord[]) =>
    records.map((record, index) => ({ ...record, ref: `r${index}` }));

  it.each<[Rest, string[] | undefined]>([
    [{ max: 1 }, ['r1', 'r2']],
    [{ count: 2 }, ['r2']],
    [{ max: 3 }, undefined],
    [{ where: { operation: 'message.send' }, has: { status: '2xx' } }, ['r0']],
    [{ has: { status: '2xx' } }, ['r0']],
    [{ in_order: [{ status: '429' }, { status: '5xx' }] }, undefined],
    [{ duplicate: 0 }, ['r1']],
    [{ where: { operation: 'otp.verify', status: '4xx' }, min: 1 }, undefined],
    [{ min: 9 }, undefined],
    [{ max: 2, duplicate: 0 }, ['r2', 'r1']],
  ])('name the records that failed: %j → %j', (rest, records) => {
    const found = judge({ at: 'finish', that: 'requests', ...rest }, evidenceOf({ requests: numbered(requests) }));
    expect(found.records?.map(({ id }) => id)).toEqual(records);
  });

  it('name at most ten of them', () => {
    const many = evidenceOf({ requests: numbered(Array.from({ length: 30 }, () => ({ status: 500 }))) });
    expect(judge({ at: 'finish', that: 'requests', has: { status: '2xx' } }, many).records).toHaveLength(10);
  });

  it('do not touch the prototype of a record', () => {
    expect(onRequests({ where: { 'constructor.name': 'Object' }, count: 0 }).passed).toBe(true);
  });
});

describe('order and spacing', () => {
  const at = (second: number) => new Date(second * 1000).toISOString();
  const send = (second: number, rest: EvidenceRecord = {}): EvidenceRecord => ({
    operation: 'message.send',
    method: 'POST',
    path: '/v1/messages',
    status: 200,
    at: at(second),
    seq: second * 10,
    ...rest,
  });
  const wrote = (second: number, text: string, seq = second * 10): EvidenceRecord => ({
    direction: 'inbound',
    text,
    at: at(second),
    seq,
  });
  const stop: Expectation = { id: 'stop', at: 'finish', that: 'messages', where: { text: 'STOP' }, min: 1 };
  const judgeSends = (rest: Rest, requests: EvidenceRecord[], messages: EvidenceRecord[] = []) =>
    judge({ at: 'finish', that: 'requests', ...rest }, evidenceOf({ requests, messages }), {
      checks: [stop],
      activatedAtMs: 10_000,
    });

  it.each([
    ['after another check', { after: 'stop', max: 0 }, [5], true],
    ['after another check', { after: 'stop', max: 0 }, [5, 25], false],
    ['before another check', { before: 'stop', count: 1 }, [5, 25], true],
    ['soon enough after it', { after: 'stop', by: '10s', min: 1 }, [25], true],
    ['too late after it', { after: 'stop', by: '4s', min: 1 }, [25], false],
    ['not long before it', { before: 'stop', by: '10s', count: 1 }, [5, 12, 25], true],
    ['soon enough after the activation', { by: '5s', count: 2 }, [5, 12, 15, 16], true],
  ] as const)('%s: %j of sends at %j seconds', (_name, rest, seconds, passed) => {
    const judged = judgeSends(
      rest,
      seconds.map((second) => send(second)),
      [wrote(20, 'STOP'), wrote(30, 'STOP')],
    );
    expect(judged.passed).toBe(passed);
  });

  it('tells what happened first at one instant', () => {
    const requests = [send(20, { seq: 7 }), send(20, { seq: 9 })];
    expect(judgeSends({ after: 'stop', count: 1 }, requests, [wrote(20, 'STOP', 8)]).passed).toBe(true);
  });

  it('fails where the other check is about nothing: that would prove nothing', () => {
    expect(judgeSends({ after: 'stop', max: 0 }, [send(1)])).toMatchObject({
      passed: false,
      expected: 'a record that matches the check "stop"',
      that: 'requests after "stop"',
    });
  });

  it.each([
    [{ min: '2s' }, [1, 3, 5], true],
    [{ min: '2s' }, [1, 3, 4], false],
    [{ max: '2s' }, [1, 3, 5], true],
    [{ max: '2s' }, [1, 4], false],
    [{ min: '1s', max: '2s' }, [1], true],
  ] as const)('spacing %j of sends at %j seconds: %s', (spacing, seconds, passed) => {
    expect(
      judgeSends(
        { spacing },
        seconds.map((second) => send(second)),
      ).passed,
    ).toBe(passed);
  });

  it.each<[Matcher, number]>([
    ['+0s..+5s', 2],
    ['+5s..', 3],
    ['..+4s', 1],
    [['+0s..+1s', '+20s..+1h'], 3],
    [{ not: '+0s..+5s' }, 2],
    [{ clock: '00:00..00:01' }, 2],
    [{ clock: '23:00..00:01' }, 2],
    [{ clock: '00:01..23:00' }, 2],
    ['1970-01-01T00:01*', 2],
  ])('at %j finds %i of the sends at +1s, +5s, +50s and +51s', (time, count) => {
    const sends = [11, 15, 60, 61].map((second) => send(second));
    expect(judgeSends({ where: { at: time }, count }, sends)).toMatchObject({ passed: true });
  });

  it.each([
    [{ min: '2s', per: 'phone' }, true],
    [{ min: '6s', per: 'phone' }, false],
    [{ min: '2s' }, false],
  ] as const)('spacing %j of sends to two numbers, one of them in a batch', (spacing, passed) => {
    const sends = [send(1, { to: '+1' }), send(2, { to: '+2' }), send(6, { to: ['+1', '+2', '+3'] })];
    const judged = judgeSends({ spacing }, sends);
    expect(judged.passed).toBe(passed);
    if (!passed && 'per' in spacing)
      expect(judged).toMatchObject({ found: 'to +1: 1 are not, the first comes after 5s' });
  });

  describe('spacing by Retry-After', () => {
    const body = (text: string) => ({ request: { body: { text } } });
    const refused = (second: number, text: string, wait: string) =>
      send(second, { status: 429, response: { headers: { 'retry-after': wait } }, ...body(text) });

    it.each([
      ['one that waits', [refused(1, 'a', '3'), send(4, body('a'))], true],
      ['a timer a little early', [refused(1, 'a', '3'), send(3.99, body('a'))], true],
      ['a step of a timeline, at its minute', [refused(1.06, 'a', '300'), send(301, body('a'))], true],
      ['one that does not', [refused(1, 'a', '3'), send(2, body('a'))], false],
      ['another message meanwhile', [refused(1, 'a', '3'), send(2, body('b')), send(4, body('a'))], true],
      ['refused again, and then too soon', [refused(1, 'a', '1'), refused(2, 'a', '5'), send(4, body('a'))], false],
      ['again without being asked to wait', [send(1, body('a')), send(1, body('a'))], true],
    ])('%s', (_name, requests, passed) => {
      const judged = judgeSends({ spacing: { min: 'retry_after' } }, requests);
      expect(judged.passed).toBe(passed);
      if (!passed) expect(judged.found).toMatch(/^1 are not, the first comes after \d+s instead of \d+s$/);
    });
  });
});
