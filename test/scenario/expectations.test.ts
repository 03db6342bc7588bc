import { describe, expect, it } from 'vitest';
import { judge, judgementOffsetMs, type EvidenceRecord } from '../../src/scenario/engine/expectations.js';
import type { Expectation } from '../../src/scenario/language/expectations.js';
import { evidenceOf } from './evidence.js';

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
    [{ where: { error: { missing: false } }, count: 1 }, true],
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
    [{ where: { operation: 'otp.verify' }, answered: '2xx' }, true],
    [{ answered: '2xx' }, false],
    [{ answered: ['2xx', '429'] }, true],
    [{ answered: ['4xx', '5xx'] }, false],
    [{ where: { operation: 'otp.send' }, answered: '2xx' }, false],
    [{ duplicates: 1 }, true],
    [{ duplicates: 0 }, false],
    [{ where: { status: '2xx' }, duplicates: 0 }, true],
  ])('of requests: %j → %j', (rest, passed) => {
    expect(onRequests(rest).passed).toBe(passed);
  });

  it.each<[Rest, boolean]>([
    [{ where: { error: 'undeliverable' }, count: 1 }, true],
    [{ where: { 'error.channel_code': '131026' }, count: 1 }, true],
    [{ where: { error: { missing: true } }, count: 1 }, true],
    [{ duplicates: 0 }, true],
  ])('of messages: %j → %j', (rest, passed) => {
    expect(onMessages(rest).passed).toBe(passed);
  });

  it('say what was expected and what was found', () => {
    expect(
      onRequests({ where: { operation: 'message.send' }, has: { status: '2xx' }, max: 1, because: 'Once is enough.' }),
    ).toEqual({
      passed: false,
      at: 'finish',
      that: 'requests where {"operation":"message.send"}: Once is enough.',
      expected: 'at most 1; every one has {"status":"2xx"}',
      found: '2 found; 1 of 2 do not, the first has {"status":429}',
    });
  });

  it.each<[Rest, string]>([
    [
      { where: { operation: 'otp.verify', status: '4xx' }, min: 1 },
      '0 found; of 3 others the nearest has {"status":200}',
    ],
    [{ where: { operation: 'otp.send' }, count: 1 }, '0 found; of 3 others the nearest has {"operation":"otp.verify"}'],
    [{ where: { status: '5xx' }, answered: '2xx' }, 'none found; of 3 others the nearest has {"status":200}'],
    [
      { where: { status: '429', 'request.body.to': '+2' }, has: { status: '429' } },
      'none found; of 3 others the nearest has {"request.body.to":"+1"}',
    ],
    [{ where: { operation: 'message.*' }, min: 3 }, '2 found; of 1 other the nearest has {"operation":"otp.verify"}'],
    // Too many, or all of them: nothing else would help.
    [{ where: { operation: 'message.*' }, max: 1 }, '2 found'],
    [{ min: 9 }, '3 found'],
  ])('say what came nearest where there are too few: %j', (rest, found) => {
    expect(onRequests(rest)).toMatchObject({ passed: false, found });
  });

  it('cut what came nearest, and say nothing of it when all is well', () => {
    const long = evidenceOf({ messages: [{ text: 'x'.repeat(5000), status: 'sent' }] });
    const judged = judge({ at: 'finish', that: 'messages', where: { text: 'hello' }, min: 1 }, long);
    expect(judged.found.length).toBeLessThan(400);
    expect(onRequests({ where: { operation: 'otp.verify' }, min: 1 }).found).toBe('1 found');
  });

  it('do not touch the prototype of a record', () => {
    expect(onRequests({ where: { 'constructor.name': 'Object' }, count: 0 }).passed).toBe(true);
  });
});

it('knows when it is to be judged', () => {
  expect(judgementOffsetMs({ at: '+24h2m', that: 'webhooks', max: 0 })).toBe(86_520_000);
  expect(judgementOffsetMs({ at: 'finish', that: 'webhooks', max: 0 })).toBeNull();
});
