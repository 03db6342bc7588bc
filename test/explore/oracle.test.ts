import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { faultsAt, ruleOf } from '../../src/explore/catalogue.js';
import { deviationsOf } from '../../src/explore/compare.js';
import { referenceOf } from '../../src/explore/end-state.js';
import { explore } from '../../src/explore/explorer.js';
import { IgnoreError, parseIgnores } from '../../src/explore/ignore.js';
import { agreed, differences, normalForm, unstable } from '../../src/explore/normal-form.js';
import { pairsOf } from '../../src/explore/more-faults.js';
import { pointsOf } from '../../src/explore/points.js';
import { scenarioFile } from '../../src/explore/report-files.js';
import type { Facts, Fault, Placed, Point, Run } from '../../src/explore/types.js';

const to = '+12025550110';
const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 9, 0, seconds)).toISOString();

const message = (over: object = {}) => ({ id: 'm', to, type: 'text', text: 'Hello', created_at: at(1), ...over });
const endpoint = (over: object = {}) => ({
  url: 'https://127.0.0.1:4000/hooks',
  events: ['message.status'],
  status: 'active',
  ...over,
});

function run(facts: object = {}, ending: Partial<Run> = {}): Run {
  const empty = { messages: [], otps: [], templates: [], endpoints: [], requests: [], deliveries: [], hits: {} };
  const whole = { startedAt: at(0), endedAt: at(200_000), steered: true, ...empty, ...facts } as unknown as Facts;
  return { failure: null, timedOut: false, said: null, ...ending, facts: whole };
}

const point: Point = {
  id: 'p',
  title: '1st message.send',
  kind: 'message.send',
  when: 'message.send',
  match: { to, type: 'text' },
  nth: 1,
  to,
  template: null,
};
const fault = (id: string, over: Partial<Point> = {}): Placed => {
  const where = { ...point, ...over };
  const found = faultsAt(where, true).find((one) => one.id === id);
  if (!found) throw new Error(`there is no fault ${id} here`);
  return { point: where, fault: found };
};

const judge = (expected: Run, found: Run, placed: Placed) =>
  deviationsOf(referenceOf([expected, expected, expected]), found, [placed]).map(({ kind, doubt }) => [
    kind,
    doubt === null,
  ]);

describe('what an application says', () => {
  it('is compared without ids, times, ports, order and diaries', () => {
    const say = (id: string, port: number, list: number[]) => ({
      id,
      url: `http://127.0.0.1:${port}/x`,
      at: '2026-03-01T09:00:00Z',
      list,
      retryCount: port,
      duplicates: port,
      sent: 3,
    });
    const [a, b] = [
      say('6f1b1c6e-0000-4000-8000-000000000001', 4001, [1, 2]),
      say('6f1b1c6e-0000-4000-8000-000000000002', 4002, [2, 1]),
    ].map(normalForm);
    expect(differences(a ?? null, b)).toEqual([]);
  });

  it('may be a log, in which lines may be added, but none may be missing', () => {
    const log = (...lines: string[]) => normalForm(lines.map((line, i) => `12:00:0${i},001 ${line}\n`).join(''));
    const expected = log('start', 'Ada: attempt 1', 'Ada is notified');
    expect(differences(expected, log('start', 'busy, waiting', 'Ada: attempt 2', 'Ada is notified'))).toEqual([]);
    expect(differences(expected, log('start', 'Ada: attempt 1', 'gave up'))).toMatchObject([
      { path: 'line: <number> Ada is notified' },
    ]);
  });

  it('may have got further, but not back', () => {
    expect(differences({ order: 'delivered' }, { order: 'read' })).toEqual([]);
    expect(differences({ order: 'read' }, { order: 'delivered' })).toHaveLength(1);
  });

  it('is not compared where runs without faults differ', () => {
    const said = agreed({ a: 1, b: 2 }, { a: 1, b: 3 });
    expect(said).toEqual({ a: 1, b: unstable });
    expect(differences(said, { a: 1, b: 9 })).toEqual([]);
  });
});

describe('the oracle', () => {
  const sent = run({ messages: [message()], endpoints: [endpoint()] });

  it('accepts the same end by other traffic', () => {
    const calls = {
      requests: [{ status: 503, path: '/v1/messages', method: 'POST', request: { body: {} }, at: at(1) }],
    };
    expect(judge(sent, run({ ...sent.facts, ...calls }), fault('503'))).toEqual([]);
  });

  it.each([
    ['duplicate', run({ messages: [message(), message()], endpoints: [endpoint()] })],
    ['lost', run({ endpoints: [endpoint()] })],
    ['late', run({ messages: [message({ created_at: at(700) })], endpoints: [endpoint()] })],
    ['endpoint lost', run({ messages: [message()], endpoints: [endpoint({ status: 'paused' })] })],
    ['application failed', run({ ...sent.facts }, { failure: 'exit code 1' })],
    ['never settles', run({ ...sent.facts }, { timedOut: true })],
  ])('reports %s', (kind, found) => {
    expect(judge(sent, found, fault('503'))).toEqual([[kind, true]]);
  });

  it('takes another port and id of an endpoint for the same', () => {
    const again = run({ ...sent.facts, endpoints: [endpoint({ url: 'https://127.0.0.1:5000/hooks' })] });
    expect(judge(sent, again, fault('503'))).toEqual([]);
  });

  it('counts codes that were verified, not codes that were sent', () => {
    const code = (state: string) => ({ to, state, message_id: 'code' });
    const expected = run({ otps: [code('verified')], messages: [message({ id: 'code' })] });
    const more = run({ otps: [code('active'), code('verified')], messages: [message({ id: 'code' })] });
    expect(judge(expected, more, fault('reset taken', { kind: 'otp.send', when: 'otp.send' }))).toEqual([]);
    expect(judge(expected, run({ otps: [code('active')] }), fault('503'))).toEqual([['lost', true]]);
  });

  it('doubts a lost message, but no duplicate, of an application that cannot know', () => {
    const blind = run({ messages: [message()] });
    expect(judge(blind, run(), fault('reset'))).toEqual([['lost', false]]);
    expect(judge(blind, run({ messages: [message(), message()] }), fault('reset taken'))).toEqual([
      ['duplicate', true],
    ]);
  });

  it('reports a message that was not taken and that nobody speaks of; to send it only once is a decision', () => {
    const ends = (said: unknown) => run({ endpoints: [endpoint()] }, { said });
    const expected = run({ ...sent.facts }, { said: { orders: 'shipped', errors: 0 } });
    const silent = ends({ orders: 'shipped', errors: 0 });
    for (const id of ['reset', '500']) expect(judge(expected, silent, fault(id))).toEqual([['lost', true]]);
    for (const id of ['reset taken', 'hang']) expect(judge(expected, silent, fault(id))).toEqual([['lost', false]]);
    const heard = { event_type: 'message.received', payload: `{"from":"${to}"}`, created_at: at(9), attempts: [] };
    const went = run({ ...silent.facts, deliveries: [{ ...heard, state: 'delivered' }] }, { said: silent.said });
    expect(judge(expected, went, fault('reset'))).toEqual([['lost', false]]);
    expect(judge(expected, ends({ orders: 'shipped', errors: 1 }), fault('reset'))).toEqual([['lost', false]]);
    expect(judge(expected, ends({ orders: 'unknown', errors: 0 }), fault('reset'))).toEqual([
      ['lost', false],
      ['state differs', false],
    ]);
  });

  it('doubts what a story cuts off that ends before a retry', () => {
    const cut = run({ endpoints: [endpoint()], deliveries: [{ state: 'retrying', event_type: 'message.received' }] });
    expect(judge(sent, cut, fault('503'))).toEqual([['lost', false]]);
  });

  it('asks of what cannot be recovered from only that nothing is repeated', () => {
    expect(judge(sent, run({ endpoints: [endpoint()] }, { failure: 'exit code 1' }), fault('blocked'))).toEqual([]);
    const twice = run({ messages: [message(), message()], endpoints: [endpoint()] });
    expect(judge(sent, twice, fault('blocked'))).toEqual([['duplicate', true]]);
  });

  it('reports a rejected call that is repeated again and again, and no hourly one', () => {
    const refused = (seconds: number) => ({
      operation: 'sendMessage',
      status: 400,
      path: '/v1/messages',
      method: 'POST',
      request: { body: { to } },
      response: { headers: {} },
      at: at(seconds),
    });
    const often = run({ ...sent.facts, requests: [1, 2, 3, 4, 5, 6].map(refused) });
    const hourly = run({ ...sent.facts, requests: [1, 2, 3, 4, 5, 6].map((hour) => refused(hour * 3600)) });
    expect(judge(sent, often, fault('503'))).toEqual([['useless calls', true]]);
    expect(judge(sent, hourly, fault('503'))).toEqual([]);
    const throttled = (second: number) => {
      const headers = { 'Retry-After': '2' };
      return { ...refused(second), status: 429, response: { headers } };
    };
    const calls = (every: number) => [1, 2, 3, 4, 5, 6].map((nth) => throttled(nth * every));
    const of = (every: number, steered = false) => run({ ...sent.facts, steered, requests: calls(every) });
    expect(judge(sent, of(1), fault('503'))).toEqual([['useless calls', true]]);
    expect([judge(sent, of(2), fault('503')), judge(sent, of(0, true), fault('503'))]).toEqual([[], []]);
  });
});

describe('a busy machine', () => {
  const requests = [1, 2].map((seq) => ({
    operation: 'sendMessage',
    method: 'POST',
    path: '/v1/messages',
    at: at(1),
    seq,
    request: { body: { to, type: 'text' } },
    response: { headers: {} },
    status: 200,
  }));
  const settings = { budgetMs: 60_000, mostRuns: 5, mostPairs: 0, seed: 1 };
  const ended = run({ requests, messages: [message(), message()] }, { said: 'fine' });
  const hit = (ending: Run, placed: readonly Placed[]): Run => ({
    ...ending,
    facts: { ...ending.facts, hits: Object.fromEntries(placed.map(({ fault: { id } }) => [id, 1])) },
  });

  it.each([
    ['breaks nothing where the story fails without the fault as well', 0, 0],
    ['hides nothing that only the fault breaks', Infinity, 1],
  ])('%s', async (_, calmRuns, breaks) => {
    let plays = 0;
    const play = (placed: readonly Placed[]) => {
      const isFine = placed.length === 0 && (plays += 1) <= 3 + calmRuns;
      return Promise.resolve(hit(isFine ? ended : run({ requests, messages: [message()] }, { said: 'fine' }), placed));
    };
    const report = await explore({ ...settings, play, lanes: 1, now: () => 0 });
    expect(report.breaks.map(({ kind }) => kind)).toEqual(breaks === 0 ? [] : ['lost']);
    expect(report.cells.some(({ state }) => state === 'broken')).toBe(breaks > 0);
  });

  it('gets fewer tries side by side, if a story takes much longer there', async () => {
    let [nowMs, playing, most] = [0, 0, 0];
    const play = async (placed: readonly Placed[]) => {
      most = placed.length === 0 ? 0 : Math.max(most, (playing += 1));
      nowMs += 1000;
      await Promise.resolve();
      playing -= placed.length;
      return hit(ended, placed);
    };
    await explore({ ...settings, play, lanes: 6, now: () => nowMs });
    expect(most).toBe(2);
  });
});

it('a file that reproduces a break has the scenario of its story, with the fault ahead of its rules', () => {
  const cell = { placed: [fault('503')], state: 'broken' as const, deviations: [], outcome: null };
  const wanted = { that: 'messages', where: { to }, count: 1 };
  const deviation = { kind: 'lost' as const, subject: to, sentence: 'It is lost.', doubt: null, expect: wanted };
  const found = { kind: 'lost' as const, at: 'message.send', smallest: cell, deviation, tries: 1, ignored: null };
  const story = { given: { templates: [] }, timeline: [], rules: [{ id: 'own' }] };
  const text = scenarioFile(found, 'x.yaml', { command: 'explore --play', extends: null, quiet: null, story });
  expect(parse(text)).toMatchObject({
    ...story,
    rules: [{ when: 'message.send' }, { id: 'own' }],
    expect: [{ ...wanted, at: 'finish' }],
  });
});

describe('points and faults', () => {
  const request = (over: object) => ({
    operation: 'sendMessage',
    method: 'POST',
    path: '/v1/messages',
    at: at(1),
    seq: 1,
    request: { body: { to, type: 'text' } },
    ...over,
  });

  it('are numbered by what they are about, and kept where all runs have them', () => {
    const [two, one] = [
      run({ requests: [request({}), request({ seq: 2 })] }).facts,
      run({ requests: [request({})] }).facts,
    ];
    expect(pointsOf([two]).map(({ title }) => title)).toEqual([`1st message.send (${to})`, `2nd message.send (${to})`]);
    expect(pointsOf([two, one])).toHaveLength(1);
  });

  it('become rules that strike there alone', () => {
    expect(ruleOf(fault('503'), 'x')).toEqual({
      id: 'x',
      when: 'message.send',
      match: { to, type: 'text' },
      pick: { nth: 1 },
      then: { respond: { status: 503, code: 'unavailable' } },
    });
  });

  it('pair up where they meet, harmless and certain ones alone', () => {
    const single = (placed: Placed, state: 'fine' | 'broken' = 'fine') => ({
      placed: [placed],
      state,
      deviations: [],
      outcome: null,
    });
    const heard = { id: 'd', kind: 'message.status', when: 'webhook.deliver', match: { status: 'sent' } } as const;
    const [call, event] = [fault('reset'), fault('doubled', heard)];
    expect(pairsOf([single(call), single(event)], 10, 1)).toEqual([[call, event]]);
    expect(pairsOf([single(call), single(event, 'broken')], 10, 1)).toEqual([]);
    const doubtful: Fault = { ...event.fault, doubt: 'late' };
    expect(pairsOf([single(call), single({ ...event, fault: doubtful })], 10, 1)).toEqual([]);
  });
});

describe('what is ignored', () => {
  const cell = { placed: [fault('503')], state: 'broken' as const, deviations: [], outcome: null };

  it('is named by kind, point and fault, with a reason', () => {
    const ignores = parseIgnores("ignore: [{ kind: lost, at: message.send, because: 'it is' }]", 'x.yaml');
    expect([ignores('lost', cell), ignores('late', cell)]).toEqual(['it is', null]);
  });

  it.each([
    ['a: 1', 'x.yaml: the key "ignore" must be a list.'],
    ['ignore: [{ kind: gone, because: x }]', 'x.yaml: ignore[0].kind: unknown kind "gone". Allowed: duplicate, lost'],
    ['ignore: [{ kind: lost }]', '"because" is missing'],
    ['ignore: [{ sort: lost, because: x }]', 'unknown key "sort". Allowed: kind, at, fault, because.'],
    ['ignore: [', 'x.yaml is not YAML'],
  ])('is refused as %s', (text, words) => {
    expect(() => parseIgnores(text, 'x.yaml')).toThrow(IgnoreError);
    expect(() => parseIgnores(text, 'x.yaml')).toThrow(words);
  });
});
