/** What counts as a deviation, and what does not: by runs that are made up. */
import { describe, expect, it } from 'vitest';
import { cellOf, endOf } from '../../src/explore/tries/cells.js';
import { referenceOf } from '../../src/explore/facts/end-state.js';
import { faultsAt } from '../../src/explore/faults/faults.js';
import { restartsIn } from '../../src/beside/server-story.js';
import type { StoryFile } from '../../src/beside/story-file.js';
import { deviationsOf, judgementOf } from '../../src/explore/oracle/oracle.js';
import { sentInstead } from '../../src/explore/oracle/required.js';
import { ruleIdOf } from '../../src/explore/faults/placed.js';
import { pointsOf } from '../../src/explore/faults/points.js';
import { unlike } from '../../src/explore/facts/alike.js';
import { inOrder } from '../../src/explore/faults/placed.js';
import { agreed, differences } from '../../src/explore/facts/differences.js';
import { customersIn } from '../../src/explore/facts/leaves.js';
import { paused } from '../../src/explore/faults/paused.js';
import { place } from '../../src/explore/faults/placed.js';
import { normalForm, unstable } from '../../src/explore/facts/state.js';
import { maybeOfOthers } from '../../src/explore/oracle/told.js';
import type { Facts } from '../../src/explore/facts/facts.js';
import type { Placed, Point, Run } from '../../src/explore/facts/types.js';
import { at, fault, message, point, request, run, to } from './runs.js';

describe('the state of an application', () => {
  const paths = (expected: unknown, found: unknown) =>
    differences(normalForm(expected), normalForm(found)).map(({ path }) => path.join('.'));

  it('is compared without ids, times, ports and order', () => {
    const say = (id: string, port: number, list: number[]) => ({
      id,
      url: `http://127.0.0.1:${port}/x`,
      list,
      sent: 3,
    });
    const [a, b] = [
      say('6f1b1c6e-0000-4000-8000-000000000001', 4001, [1, 2]),
      say('6f1b1c6e-0000-4000-8000-000000000002', 4002, [2, 1]),
    ];
    expect(paths(a, b)).toEqual([]);
  });

  it('shows of which customer a record is that names the record of that customer', () => {
    const [ann, bob] = ['+447700900101', '+447700900102'];
    const state = {
      commissions: [ann, bob].map((phone, i) => ({ id: `c${i}`, phone })),
      jobs: [bob, ann].map((customer, i) => ({ id: i + 1, customer })),
      messages: [{ commission: 'c0' }, { job_id: 1 }, { visit_id: 1 }, { job_id: 1, phone: ann }, { commission: 'c9' }],
    };
    const of = customersIn(state, [ann, bob]);
    const all = state.messages.map((_, i) => of(['messages', String(i), 'status']));
    expect(all).toEqual([[ann], [bob], [ann, bob], [ann], [ann, bob]]);
    // One that has no number where others have one is of neither.
    const duty = { commission: 'c0', phone: null };
    expect(customersIn({ ...state, messages: [duty] }, [ann, bob])(['messages', '0', 'commission'])).toEqual([
      ann,
      bob,
    ]);
    // A number that counts jobs names none, nor does an id that records of two customers have.
    const shared = [ann, bob, ann].map((phone) => ({ ref: 'r1', phone }));
    const others = { jobs: state.jobs, shared, crew: { jobs: 1, day: 'x' }, note: { about: 'r1', day: 'x' } };
    const ofOthers = customersIn(others, [ann, bob]);
    expect([ofOthers(['crew', 'day']), ofOthers(['note', 'day'])]).toEqual([
      [ann, bob],
      [ann, bob],
    ]);
  });

  it('is compared with the names of its fields, and with ids that are too short to be ids of the sandbox', () => {
    expect(normalForm({ job_id: 'job_7', req_no: 'req_0123456789abcdef' })).toEqual({
      job_id: 'job_7',
      req_no: '<id>',
    });
  });

  it('is compared without the numbers of records, which depend on the order in which they are made', () => {
    const record = (id: number, unit: string) => ({ id, unit, notice_id: id + 1, messageId: id + 2 });
    expect(paths([record(1, 'A'), record(2, 'B')], [record(1, 'B'), record(2, 'A')])).toEqual([]);
    expect(paths([record(1, 'A'), record(2, 'B')], [record(1, 'B'), record(2, 'C')])).toEqual(['0.unit']);
    expect(paths([{ id: 1, paid: 4 }], [{ id: 1, paid: 5 }])).toEqual(['0.paid']);
  });

  it('is compared record by record, and records of two customers are two records', () => {
    const record = (phone: string, state: string) => ({ to: phone, purpose: 'reply', state });
    const [one, two] = ['+12025550121', '+12025550122'];
    expect(paths([record(one, 'read')], [record(two, 'read')])).toEqual(['0', '1']);
    expect(paths([record(one, 'read'), record(two, 'read')], [record(two, 'read'), record(one, 'failed')])).toEqual([
      '0.state',
    ]);
  });

  it('keeps each of several records whose names are ids', () => {
    const replies = (...states: string[]) =>
      Object.fromEntries(states.map((state, i) => [`reply:6f1b1c6e-0000-4000-8000-00000000000${i}`, { state }]));
    expect(paths(replies('read', 'read'), replies('read', 'read'))).toEqual([]);
    expect(paths(replies('read', 'read'), replies('failed', 'read'))).toEqual(['reply:<id>.1.state']);
  });

  it.each([
    ['a later status', { order: 'delivered' }, { order: 'read' }, []],
    ['an earlier status', { order: 'read' }, { order: 'delivered' }, ['order']],
    ['a note where there was none', { error: null, retries: 0 }, { error: '503', retries: 2, last: 'x' }, []],
    ['a lost count', { sent: 3 }, { sent: 2 }, ['sent']],
    ['a second record', { tickets: { a: { n: 1 } } }, { tickets: { a: { n: 1 }, b: { n: 1 } } }, ['tickets.b']],
    ['a log with more lines', { log: 'start\nsent\n' }, { log: 'start\nbusy\nsent\n' }, []],
    ['a log without a line', { log: 'start\nsent\n' }, { log: 'start\ngave up\n' }, ['log.sent']],
    [
      'entries of a list by what names them',
      [
        { phone: '1', state: 'in' },
        { phone: '2', state: 'in' },
      ],
      [
        { phone: '2', state: 'wrong' },
        { phone: '1', state: 'in' },
      ],
      ['1.state'],
    ],
  ])('says of %s what is at fault', (_, expected, found, wanted) => expect(paths(expected, found)).toEqual(wanted));

  it('has an expectation of each message, by its text if a condition can have it', () => {
    const seat = (text: string) => run({ messages: [message({ text })] });
    const expectations = (usual: string, found: string) =>
      deviationsOf(referenceOf([seat(usual)]), seat(found), fault('503')).map(({ expect: one }) => one);
    const where = { direction: 'outbound', to, type: 'text' };
    expect(expectations('No seat left.', 'It is yours.')).toEqual([
      { that: 'messages', where: { ...where, text: 'It is yours.' }, count: 0 },
      { that: 'messages', where: { ...where, text: 'No seat left.' }, count: 1 },
    ]);
    expect(expectations('/ * /', '*')).toEqual([
      { that: 'messages', where, count: 1 },
      { that: 'messages', where, count: 1 },
    ]);
  });

  it('is an expectation of a file where the application shows it at a path', () => {
    const ended = (state: string | null) =>
      run({}, { said: { '/orders': state === null ? [] : [{ n: 42, state }], '/at#last': '2026-03-01T09:00:00Z' } });
    const expected = (found: Run) => deviationsOf(referenceOf([ended('sent')]), found, null).map((one) => one.expect);
    expect(expected(ended('lost'))).toEqual([{ state: { '/orders#0.state': 'sent' } }]);
    expect(expected(ended(null))).toEqual([{ state: { '/orders#0': { n: 42, state: 'sent' } } }]);
    expect(expected(run({}, { said: { '/orders': [{ n: 42, state: 'sent' }] } }))).toEqual([null]);
    // A command reports its state in the last line of its output.
    const [reported] = deviationsOf(
      referenceOf([run({}, { said: { counts: { sent: 3 } } })]),
      run({}, { said: { counts: { sent: 2 } } }),
      null,
    );
    expect(reported?.expect).toEqual({ state: { 'stdout#counts.sent': 3 } });
  });

  it('is not compared where runs without faults differ', () => {
    const said = agreed({ a: 1, b: 2 }, { a: 1, b: 3 });
    expect(said).toEqual({ a: 1, b: unstable });
    expect(differences(said, { a: 1, b: 9 })).toEqual([]);
  });
});

const endpoint = (over: object = {}) => ({
  url: 'https://127.0.0.1:4000/hooks',
  events: ['message.status'],
  status: 'active',
  ...over,
});
const judge = (expected: Run, found: Run, id: string, where: Partial<Point> = {}) =>
  deviationsOf(referenceOf([expected, expected]), found, fault(id, where)).map(({ kind, doubt }) => [
    kind,
    doubt === null,
  ]);

describe('a required message', () => {
  const template = message({ id: 't', type: 'template', template: { name: 'call_us' } });
  const missing = (required: Placed['required'], before: object[], messages: object[], where = {}) => {
    const placed = { ...fault('window-closed', where), ...(required && { required }) };
    return deviationsOf(referenceOf([run({ messages: before })]), run({ messages }), placed)
      .filter(({ kind, doubt }) => kind === 'check failed' && doubt === null)
      .map(({ expect: wanted }) => wanted);
  };

  it('goes to the customer of the fault, and in addition to the usual ones', () => {
    const required = { template: 'call_us' };
    const where = { direction: 'outbound', to, template: 'call_us' };
    expect(missing(required, [], [template])).toEqual([]);
    expect(missing(required, [], [])).toEqual([{ that: 'messages', where, min: 1 }]);
    expect(missing(required, [template], [template])).toEqual([{ that: 'messages', where, min: 2 }]);
    expect(missing(required, [], [{ ...template, to: '+12025550199' }])).toHaveLength(1);
    expect(missing(required, [], [{ ...template, status: 'failed' }])).toHaveLength(1);
    expect(missing(undefined, [], [])).toEqual([]);
    // Follows also without the fault.
    expect(missing(required, [template], [template], { isRejected: true })).toEqual([]);
  });

  it('is learnt from a run in which it was sent', () => {
    const learnt = (before: object[], messages: object[], where = {}, besides: Placed[] = []) => {
      const placed = fault('window-closed', where);
      return sentInstead(run({ messages: before }).facts, run({ messages }).facts, placed, [placed, ...besides]);
    };
    const failed = message({ status: 'failed' });
    const toOffice = { ...template, to: '+12025550199' };
    expect(learnt([message()], [failed, template, template])).toEqual([{ template: 'call_us' }]);
    expect(learnt([message(), template], [failed, template, template])).toEqual([{ template: 'call_us' }]);
    expect(learnt([message()], [failed, message()])).toEqual([]);
    expect(learnt([], [failed, message()], { isRejected: true })).toEqual([]);
    expect(learnt([message()], [failed, toOffice])).toEqual([{ to: '+12025550199', template: 'call_us' }]);
    // One that no customer gets, by a rule of the story, was sent all the same.
    const explain = (id: string) => ({ explain: { by: 'rule', id, text: 'Rule.' } });
    const unreached = { ...template, status: 'failed', ...explain('rules[0]') };
    expect(learnt([message()], [failed, unreached])).toEqual([{ template: 'call_us' }]);
    expect(learnt([message()], [failed, { ...unreached, ...explain('explore-blocked') }])).toEqual([]);
    // A reminder, since its customer had nothing to answer.
    expect(learnt([message()], [failed, { ...template, created_at: at(3600) }])).toEqual([]);
    // Another fault may be its cause.
    expect(learnt([message()], [failed, toOffice], {}, [fault('blocked', { to: '+12025550114' })])).toEqual([]);
    const besides = (atSeconds: number, sentAt: number) =>
      learnt([message()], [failed, { ...template, created_at: at(sentAt) }], { atMs: 60_000 }, [
        fault('refused', { atMs: atSeconds * 1000 }),
      ]);
    expect(besides(120, 90)).toEqual([{ template: 'call_us' }]);
    expect(besides(120, 130)).toEqual([]);
    expect(besides(30, 90)).toEqual([{ template: 'call_us' }]);
    expect(besides(30, 40)).toEqual([]);
  });

  it('can go to somebody else, or to anybody', () => {
    const other = '+12025550199';
    const toOther = { ...template, to: other };
    expect(missing({ to: other }, [], [toOther])).toEqual([]);
    expect(missing({ to: other, type: 'text' }, [], [toOther])).toHaveLength(1);
    expect(missing({ to: '*', template: 'call_us' }, [], [toOther])).toEqual([]);
  });
});

describe('the oracle', () => {
  it('finds a test that passes although it read that its message failed', () => {
    const lookup = (status: string) =>
      request({
        ...{ operation: 'getMessage', method: 'GET', path: '/v1/messages/m', request: { headers: {}, body: null } },
        response: { headers: {}, body: { message_id: 'm', status } },
      });
    const ended = (status: string, ending: Partial<Run> = {}, more: object[] = []) =>
      run({ messages: [message({ status }), ...more], requests: [request(), lookup(status)] }, ending);
    const usual = ended('delivered');
    const hidden = ['failure hidden', true];
    expect(judge(usual, ended('failed'), 'blocked')).toEqual([hidden]);
    expect(judge(usual, ended('failed', { flows: true }), 'blocked')).toEqual([['failure hidden', false]]);
    expect(judge(usual, ended('failed', { failure: 'exit code 1' }), 'blocked')).toEqual([]);
    expect(judge(usual, ended('failed', {}, [message({ to: '+12025550111' })]), 'blocked')).toEqual([]);
    expect(judge(usual, ended('sent'), 'blocked')).toEqual([]);
    const batch = (ok: boolean) =>
      request({
        request: { headers: {}, body: { to: [to], type: 'template' } },
        response: { headers: {}, body: { status: 'queued', results: [{ to, ok }] } },
      });
    const arrived = message({ status: 'delivered' });
    const sent = run({ messages: [arrived], requests: [batch(true)] });
    const where = { batch: true, recipients: [to] };
    // A test may allow that one of many fails.
    expect(judge(sent, run({ requests: [batch(false)] }), 'entry-refused', where)).toEqual([['failure hidden', false]]);
    expect(
      judge(sent, run({ messages: [arrived], requests: [batch(false), request()] }), 'entry-refused', where),
    ).toEqual([]);
  });

  it('doubts what follows from a rule of the story that counted a call of the fault', () => {
    const picked = (hits: number, when = 'message.send') => ({ picked: [{ id: 'first-fails', when, hits }] });
    const usual = run({ messages: [message()], ...picked(1) });
    const broken = ['lost', true];
    expect(judge(usual, run(picked(0)), '503')).toEqual([['lost', false]]);
    expect(judge(usual, run(picked(1)), '503')).toEqual([broken]);
    const reviewed = run({ messages: [message()], ...picked(1, 'template.review') });
    expect(judge(reviewed, run(picked(0, 'template.review')), '503')).toEqual([broken]);
  });

  /** The news of a message that failed on the channel. */
  const failedNews = {
    deliveries: [
      { state: 'delivered', event_type: 'message.status', attempts: [], payload: `{"to":"${to}","status":"failed"}` },
    ],
  };
  const sent = run({ messages: [message()], endpoints: [endpoint()] });

  it.each([
    ['duplicate', run({ messages: [message(), message()], endpoints: [endpoint()] })],
    ['lost', run({ endpoints: [endpoint()] })],
    ['endpoint lost', run({ messages: [message()], endpoints: [endpoint({ status: 'paused' })] })],
    ['application failed', run({ ...sent.facts }, { failure: 'exit code 1' })],
  ])('reports %s, whatever else happened', (kind, found) => {
    expect(judge(sent, found, '503')).toEqual([[kind, true]]);
  });

  it.each([
    [30, false],
    [0, true],
    [5_000, true],
  ])('doubts the loss of a message to a customer who wrote before it was due again: after %i s', (second, isBreak) => {
    const received = [message({ from: to, to: '+1', created_at: at(second) })];
    expect(judge(sent, run({ endpoints: [endpoint()], received }), '503')).toEqual([['lost', isBreak]]);
    const others = [message({ from: '+12025550199', created_at: at(30) })];
    expect(judge(sent, run({ endpoints: [endpoint()], received: others }), '503')).toEqual([['lost', true]]);
  });

  it('doubts it, and what the state shows of it, also where the call was to several customers', () => {
    const other = '+12025550198';
    const state = (...reached: string[]) => ({
      said: { reached: Object.fromEntries(reached.map((one) => [one, 'yes'])) },
    });
    const both = run({ messages: [message(), message({ to: other })] }, state(to, other));
    const writes = (from: string) =>
      run({ messages: [message()], received: [message({ from, created_at: at(30) })] }, state(to));
    const batch = { match: { phone: to, type: 'text' }, batch: true };
    expect(judge(both, writes(other), '503', batch).map(([, isBreak]) => isBreak)).toEqual([false, false]);
    expect(judge(both, writes(to), '503', batch).map(([, isBreak]) => isBreak)).toEqual([true, true]);
    expect(judge(both, writes(other), '502', batch).map(([, isBreak]) => isBreak)).not.toContain(true);
    // After another call, an application may be late for longer: only an opt-out stops it then. Only what is missing was stopped.
    const create = { kind: 'template.create', to: null, template: 'news', match: { name: 'news' } };
    expect(judge(both, writes(other), '503', create).map(([, isBreak]) => isBreak)).toEqual([true, true]);
    const stop = run(
      { messages: [message()], received: [message({ from: other, text: 'STOP', created_at: at(300) })] },
      state(to),
    );
    expect(judge(both, stop, '503', create).map(([, isBreak]) => isBreak)).toEqual([false, false]);
    const lookup = { kind: 'template.list', to: null, match: { method: 'GET', path: '/v1/templates' } };
    expect(judge(both, stop, '502', lookup).map(([, isBreak]) => isBreak)).toEqual([false, false]);
    const more = run(
      { messages: [message(), message({ to: other })], received: writes(other).facts.received },
      state(to),
    );
    expect(judge(run({ messages: [message()] }, state(to)), more, '503', batch)).toEqual([['state differs', true]]);
  });

  it('takes a story without an end for a break only if the application cannot be waiting for its own retry', () => {
    const endless = run({}, { timedOut: true });
    const seen = new Map([['message.send', { realMs: 900, accountMs: 1000 }]]);
    const judged = (id: string, returns = seen) =>
      deviationsOf({ ...referenceOf([sent]), returns }, endless, fault(id)).map(({ kind, doubt }) => [
        kind,
        doubt === null,
      ]);
    // What it had not done by then is not lost.
    expect(judged('503')).toEqual([['never settles', true]]);
    expect(judged('window-closed')).toEqual([['never settles', true]]);
    expect(judged('503', new Map())).toEqual([['never settles', false]]);
    expect(judged('reset-taken')).toEqual([['never settles', false]]);
    expect(judged('throttled')).toEqual([]);
  });

  it.each([
    ['blocked', [['duplicate', false]]],
    ['503', [['duplicate', false]]],
    ['outage', [['duplicate', false]], { kind: 'service' }],
    ['twice', [['duplicate', false]], { kind: 'message.received', when: 'webhook.deliver' }],
  ] as [string, unknown, Partial<Point>?][])(
    'takes a text that answers another message of the customer each time for no certain duplicate: after %s',
    (id, of, where = {}) => {
      const replied = (...seconds: number[]) => seconds.map((second) => message({ created_at: at(second) }));
      const received = [5, 10].map((second) => message({ from: to, to: '+1', created_at: at(second) }));
      const expected = run({ messages: replied(6), received });
      expect(judge(expected, run({ messages: replied(6, 11), received }), id, where)).toEqual(of);
      const late = judge(expected, run({ messages: replied(12, 12), received }), id, where);
      expect(late).toEqual(where.when === undefined ? of : [['duplicate', true]]);
      expect(judge(expected, run({ messages: replied(6, 7), received }), id, where)).toEqual([['duplicate', true]]);
    },
  );

  it('doubts another message where no lookup succeeded, and takes the same one again for a duplicate', () => {
    const lookup = { kind: 'message.get', when: 'message.get' as const };
    const with2nd = (more: object) => run({ ...sent.facts, messages: [message({ status: 'read' }), message(more)] });
    const usual = run({ ...sent.facts, messages: [message({ status: 'read' })] });
    const short = { id: 'short', type: 'template', template: { name: 'short_form' } };
    expect(judge(usual, with2nd(short), 'no-lookup', lookup)).toEqual([['state differs', false]]);
    expect(judge(usual, with2nd({ id: 'again' }), 'no-lookup', lookup)).toEqual([['duplicate', true]]);
    // Its control shows whether it sends the other one whenever it knows of no arrival.
    const beside = (control: Run | null) => {
      const reference = referenceOf([usual, usual]);
      reference.controls.set(fault('no-lookup', lookup).id, control);
      return deviationsOf(reference, with2nd(short), fault('no-lookup', lookup)).map(({ doubt }) => doubt === null);
    };
    expect([beside(null), beside(with2nd(short)), beside(usual)]).toEqual([[false], [false], [true]]);
  });

  it('takes a message that is sent again after it failed for no duplicate', () => {
    const again = (status: string) =>
      run({ ...sent.facts, messages: [message({ status }), message({ id: 'again', status: 'read' })] });
    expect(judge(sent, again('failed'), 'blocked')).toEqual([]);
    expect(judge(sent, again('sent'), 'blocked')).toEqual([['duplicate', true]]);
    // In a story that lets a message fail, an application need not send it again if it was late, and arrived.
    const once = run({ ...sent.facts, messages: [message({ status: 'read' })] });
    expect(judge(again('failed'), once, '503')).toEqual([]);
    expect(judge(again('sent'), once, '503')).toEqual([['lost', true]]);
  });

  it('does not compare the numbers of records, nor what refers to them', () => {
    const phones = ['+12025550111', '+12025550112', '+12025550113', '+12025550114'];
    const state = (order: number[], ask: number, total = 4) => ({
      messages: phones.map((phone, i) => ({ no: order[i] ?? 0, phone })),
      gigs: [{ title: 'Verdi', players: [{ phone: '+12025550114', ask }] }],
      total,
    });
    const usual = state([1, 2, 3, 4], 4);
    expect(differences(usual, state([1, 2, 4, 3], 3))).toEqual([]);
    expect(differences(usual, state([1, 2, 4, 3], 2)).map(({ path }) => path.join('.'))).toEqual([
      'gigs.0.players.0.ask',
    ]);
    expect(differences(usual, state([1, 2, 3, 4], 4, 3)).map(({ path }) => path)).toEqual([['total']]);
    // Some differ between runs without faults, too.
    const moving = referenceOf([run({}, { said: usual }), run({}, { said: state([2, 1, 3, 4], 4) })]).said;
    expect(differences(moving, state([1, 2, 4, 3], 3))).toEqual([]);
    // With a gap, they number nothing.
    expect(differences(usual, state([1, 2, 3, 5], 4))).toHaveLength(1);
  });

  it('numbers the entries of a list in an end state as without the fault', () => {
    const said = { letters: [{ to: 'Bo' }, { to: 'Cy' }, { to: 'Al', state: 'read' }] };
    const end = endOf(run({}, { said }), { letters: [{ to: 'Al', state: 'sent' }, { to: 'Bo' }] });
    expect(end.filter((line) => line.startsWith('says'))).toEqual([
      'says letters.0.to: "Al"',
      'says letters.0.state: "read"',
      'says letters.1.to: "Bo"',
      'says letters.2.to: "Cy"',
    ]);
  });

  it('names an entry of a list by its customer, and not by its place', () => {
    const people = (score: number) => [
      { name: 'Cyd', phone: '+12025550119', score: 1 },
      { name: 'Dee', phone: to, score },
    ];
    const sentence = (a: unknown, b: unknown) =>
      deviationsOf(referenceOf([run({}, { said: a })]), run({}, { said: b }), null).map((one) => one.sentence);
    expect(sentence({ '/results': { people: people(5) } }, { '/results': { people: people(2) } })).toEqual([
      `The application reports /results.people[${to}].score: 2 instead of 5.`,
    ]);
    expect(sentence({ '/orders': [{ id: 7, state: 'sent' }] }, { '/orders': [{ id: 7, state: 'lost' }] })).toEqual([
      'The application reports /orders[7].state: "lost" instead of "sent".',
    ]);
  });

  it('blames nothing on an application that asked its user to come back later than a user of a try does', () => {
    const sentAway = { failure: 'POST /login got the response 503', sentAway: true };
    const found = run({ endpoints: [endpoint()] }, sentAway);
    expect(judge(sent, found, '503')).toEqual([
      ['application failed', false],
      ['lost', false],
    ]);
    const twice = run({ ...sent.facts, messages: [message(), message()] }, sentAway);
    expect(judge(sent, twice, '503')).toEqual([
      ['application failed', false],
      ['duplicate', true],
    ]);
  });

  it('finds a number of arrived messages that is right without the fault, and too high with it', () => {
    const customers = ['+12025550111', to];
    const with_ = (statuses: string[], said: object) =>
      run({ messages: customers.map((one, i) => message({ to: one, status: statuses[i] })) }, { said });
    const usual = (said: object) => with_(['read', 'delivered'], said);
    const judged = (found: Run, said: object = { reached: 2 }, id = 'blocked') =>
      judge(usual(said), found, id).map(([kind]) => kind);
    expect(judged(with_(['read', 'failed'], { reached: 2 }))).toEqual(['failure hidden']);
    expect(judged(with_(['read', 'failed'], { reached: 1 }))).toEqual([]);
    expect(
      judged(with_(['read', 'sent'], { totals: { delivered: 2 } }), { totals: { delivered: 2 } }, 'stuck'),
    ).toEqual(['failure hidden']);
    // A batch was rejected as a whole.
    expect(judged(run({}, { said: { reached: 2 } }), { reached: 2 }, 'refused')).toContain('failure hidden');
    // It counts something else.
    expect(judged(with_(['read', 'failed'], { reached: 5 }), { reached: 5 })).toEqual([]);
    expect(judged(with_(['read', 'failed'], { sent: 2 }), { sent: 2 })).toEqual([]);
  });

  it('blames a command that lets other batches down after one was rejected, also if it ends with an error', () => {
    const other = message({ id: 'o', to: '+12025550119', type: 'template', template: { name: 'visit' } });
    const batch = {
      batch: true,
      recipients: [to, '+12025550111'],
      template: 'visit',
      match: { phone: to, type: 'template' },
    };
    const usual = run(
      { messages: [message({ type: 'template', template: { name: 'visit' } }), other] },
      { said: { open: 0 } },
    );
    const ending = { said: { open: 2 }, failure: 'exit code 1', exited: true };
    const judged = (found: Run) => judge(usual, found, 'refused', batch).map(([kind]) => kind);
    expect(judged(run({ messages: [] }, ending))).toEqual(['lost']);
    expect(judged(run({ messages: [other] }, ending))).toEqual([]);
    expect(judged(run({ messages: [] }, { ...ending, said: null }))).toEqual([]);
    // A message that follows a failed one comes when the command is run again.
    const failed = message({ id: 'f', to: '+12025550118', status: 'failed', created_at: at(0) });
    const following = run({ ...usual.facts, messages: [...usual.facts.messages, failed] }, { said: { done: true } });
    const later = run({ messages: [failed] }, { ...ending, said: { done: false } });
    expect(judge(following, later, 'refused', batch)).toContainEqual(['lost', false]);
    const ended = { ...later, failure: null, exited: false };
    expect(judge(following, ended, 'refused', batch)).toContainEqual(['lost', true]);
    const single = { template: 'visit', match: { phone: to, type: 'template' } };
    const kinds = (more: Partial<Run>) =>
      judge(usual, run({ messages: [] }, { ...ending, ...more }), 'refused', single).map(([kind]) => kind);
    // A test may stop at its first error.
    expect([kinds({}), kinds({ tests: new Map() })]).toEqual([['lost'], []]);
  });

  it('finds a call, or a text, that contains a value which the application did not get', () => {
    const looked = (path: string) => request({ operation: 'getMessage', method: 'GET', path });
    const usual = run({ requests: [looked('/v1/messages/1')], messages: [message()] });
    const judged = (path: string, text: string) =>
      judge(usual, run({ requests: [looked(path)], messages: [message({ text })] }), 'blocked');
    expect(judged('/v1/messages/undefined', 'Hello')).toEqual([['useless calls', true]]);
    expect(judged('/v1/messages/', 'Hello')).toEqual([['useless calls', true]]);
    // A suite whose first test failed, and says so.
    const failed = run({ requests: [looked('/v1/messages/undefined')] }, { failure: 'exit code 1', exited: true });
    expect(judge(usual, failed, 'blocked')).toEqual(expect.arrayContaining([['useless calls', false]]));
    expect(judged('/v1/messages/None', 'Hello')).toEqual([['useless calls', true]]);
    expect(judged('/v1/messages/none-such', 'Hello, nobody is undefinedly late.')).toEqual([]);
    expect(judged('/v1/messages/1', 'Your code is undefined.')).toEqual([['useless calls', true]]);
    expect(
      judge(
        run({ requests: [looked('/v1/messages/undefined')] }),
        run({ requests: [looked('/v1/messages/undefined')] }),
        'blocked',
      ),
    ).toEqual([]);
  });

  it('takes a review that ended meanwhile for no difference', () => {
    const template = (status: string) => run({ templates: [{ name: 'news', status }] });
    const kinds = (usual: string, found: Run) => judge(template(usual), found, '503').map(([kind]) => kind);
    expect([
      kinds('pending', template('approved')),
      kinds('pending', run({})),
      kinds('approved', template('pending')),
    ]).toEqual([[], ['state differs'], ['state differs']]);
  });

  it('takes another port of an endpoint and a further code for the same end', () => {
    const again = run({ ...sent.facts, endpoints: [endpoint({ url: 'https://127.0.0.1:5000/hooks' })] });
    expect(judge(sent, again, '503')).toEqual([]);
    const code = (state: string) => ({ to, state, message_id: 'code' });
    const coded = run({ otps: [code('verified')], messages: [message({ id: 'code' })] });
    const more = run({ otps: [code('active'), code('verified')], messages: [message({ id: 'code' })] });
    expect(judge(coded, more, 'reset-taken')).toEqual([]);
    expect(judge(coded, run({ otps: [code('active')] }), '503')).toEqual([['lost', true]]);
  });

  it('asks after an unknown outcome that nothing is sent twice, and that a loss is said', () => {
    const silent = run({ endpoints: [endpoint()] }, { said: { order: 'shipped' }, output: 'start' });
    const expected = run({ ...sent.facts }, { said: { order: 'shipped' }, output: 'start' });
    const twice = run({ ...sent.facts, messages: [message(), message()] }, { said: { order: 'shipped' } });
    expect(judge(expected, twice, 'reset-taken')).toEqual([['duplicate', true]]);
    expect(judge(expected, twice, '504-taken')).toEqual([['duplicate', false]]);
    expect(judge(expected, silent, '502')).toEqual([['lost', true]]);
    // The application may have decided to send at most once.
    expect(judge(expected, silent, 'hang')).toEqual([['lost', false]]);
    expect(judge(expected, { ...silent, said: { order: 'unknown' } }, '502')).toEqual([]);
    expect(judge(expected, { ...silent, output: 'start\nunknown outcome' }, '502')).toEqual([['lost', false]]);
    expect(judge(expected, { ...silent, failure: 'exit code 3' }, '502')).toEqual([]);
    // The response to its repetition says what became of the first call.
    const again = run(
      { ...sent.facts, requests: [request({ status: 409, error: 'template_exists' })] },
      { failure: 'exit code 3' },
    );
    const create = { kind: 'template.create', to: null, template: 'hello' };
    expect(judge(sent, again, 'reset-taken', create)).toEqual([['application failed', true]]);
    // It says nothing of a message.
    const unknown = {
      ...silent,
      said: { order: 'unknown' },
      facts: { ...silent.facts, requests: again.facts.requests },
    };
    expect(judge(expected, unknown, '502')).toEqual([]);
    expect(judge(expected, { ...silent, failure: 'exit code 1', crashed: true }, '502')[0]).toEqual([
      'application failed',
      true,
    ]);
  });

  it('counts the fallback of a call that is rejected without a fault as the outcome of this call', () => {
    const fallback = message({ type: 'template', template: { name: 'note' } });
    const expected = run({ messages: [fallback] });
    const lost = run({ endpoints: [endpoint()] });
    const after = (id: string, isRejected: boolean) =>
      judge(expected, lost, id, { ...(isRejected && { isRejected }) }).filter(([, isCertain]) => isCertain);
    for (const id of ['502', '504-taken', 'reset-taken']) {
      expect(after(id, true)).toEqual([]);
      expect(after(id, false)).toEqual([['lost', true]]);
    }
    const { requests: _none, ...facts } = run().facts;
    const rejected = request({ status: 400, error: 'send_failed' });
    const points = pointsOf([run({ ...facts, requests: [rejected] })]);
    expect(points[0]).toMatchObject({ kind: 'message.send', isRejected: true });
    // Its customer's number may be dead in the story.
    const sends = ['m1', 'm2'].map((id) => request({ response: { headers: {}, body: { message_id: id } } }));
    const messages = [message({ id: 'm1', status: 'failed' }), message({ id: 'm2', status: 'read' })];
    const found = pointsOf([run({ requests: sends, messages })]).filter(({ kind }) => kind === 'message.send');
    expect(found.map((one) => one.isRejected)).toEqual([true, undefined]);
  });

  it('reports an endpoint that rejects an event of an unknown type', () => {
    const after = (...statuses: number[]) => {
      const unknown = { faults: ['unknown_type'], attempts: statuses.map((status) => ({ status })) };
      const found = run({ ...sent.facts, deliveries: [unknown] });
      return judge(sent, found, 'unknown-event', { kind: 'webhook.create', when: 'webhook.create', match: {} });
    };
    expect([after(500, 500), after(503, 200), after()]).toEqual([[['endpoint lost', true]], [], []]);
  });

  it('leaves what concerns the customer of another fault of the run to that one', () => {
    const [own, other] = [fault('503'), fault('503', { to: '+12025550122', match: { phone: '+12025550122' } })];
    const messages = [to, '+12025550122', '+12025550133'].map((phone) => message({ to: phone }));
    const reference = referenceOf([run({ messages })]);
    const lacking = (phone: string) => run({ messages: messages.filter((one) => one.to !== phone) });
    const of = (phone: string) => deviationsOf(reference, lacking(phone), own, [own, other]).map(({ kind }) => kind);
    expect([of(to), of('+12025550122'), of('+12025550133')]).toEqual([['lost'], [], ['lost']]);
    // An entry that is added is about the customer that it names, not about one in the list.
    const listing = (...phones: string[]) =>
      run({ messages }, { said: { calls: phones.map((phone) => ({ phone, why: 'no answer' })) } });
    const entries = (phone: string) =>
      deviationsOf(referenceOf([listing('+12025550122')]), listing(phone, '+12025550122'), own, [own, other]);
    expect(entries(to).map(({ sentence }) => sentence)).toEqual([
      `The application reports one more entry in calls: {"phone":"${to}","why":"no answer"}.`,
    ]);
    // A check names the customers whose messages failed it.
    const failing = (customers: string[]) =>
      run({ messages }, { failedChecks: [{ sentence: 'Too many.', isForbidden: true, customers }] });
    const checked = (customers: string[]) => deviationsOf(reference, failing(customers), own, [own, other]).length;
    expect([checked([to]), checked(['+12025550122']), checked([])]).toEqual([1, 0, 1]);
  });

  it('judges no test that ends before the event of a fault arrives', () => {
    const received = { kind: 'message.received', when: 'webhook.deliver' as const, match: {}, account: '.a' };
    const delivery = (state: string) => ({
      event_type: 'message.received',
      state,
      attempts: state === 'pending' ? [] : [{}],
      explain: { by: 'default', text: '' },
    });
    const ended = (state: string, steered = true) =>
      run(
        { account: '.a', steered, hits: { [ruleIdOf(fault('forged', received))]: 1 }, deliveries: [delivery(state)] },
        { failure: 'its test failed' },
      );
    const expected = run({ account: '.a', deliveries: [delivery('delivered')] });
    const stateOf = (found: Run) => cellOf(referenceOf([expected]), found, fault('forged', received)).state;
    expect(stateOf(ended('pending'))).toBe('not reached');
    expect(stateOf(ended('delivered'))).toBe('broken');
    expect(stateOf(ended('delivered', false))).toBe('doubtful');
  });

  it('takes a log for a word about a loss, unless the state says that the message was sent', () => {
    const ending = (receipt: string, output = '') => ({ said: { receipt }, output });
    const expected = run({ ...sent.facts }, ending('delivered'));
    const after = (...end: Parameters<typeof ending>) => {
      const found = run({ endpoints: [endpoint()] }, ending(...end));
      const service = { kind: 'service', when: 'api.any' as const, match: {}, to: null };
      return judge(expected, found, 'outage', service).map(([kind]) => kind);
    };
    expect(after('failed')).toEqual([]);
    expect(after('queued', 'gave up')).toEqual([]);
    expect(after('accepted', 'gave up')).toEqual(['lost']);
  });

  it('takes no number or id of the output for a word about the outcome if it differs between runs without faults', () => {
    const expected = ['1.5, id 6a7f', '2.25, id b0c1'].map((ms) =>
      run({ ...sent.facts }, { output: `passed in ${ms}\n3 sent` }),
    );
    const found = (output: string) => run({ endpoints: [endpoint()] }, { output });
    const kinds = (output: string) =>
      deviationsOf(referenceOf(expected), found(output), fault('502')).map(({ kind }) => kind);
    expect([kinds('passed in 7.75, id ff3a\n3 sent'), kinds('passed in 7.75, id ff3a\n2 sent')]).toEqual([
      ['lost'],
      [],
    ]);
  });

  it('takes what is missing from the state for no word about other messages', () => {
    const next = message({ id: 'n', type: 'template', template: { name: 'tips' } });
    const expected = run({ messages: [message(), next] }, { said: { welcome: 'sent', tips: 'sent' } });
    const ends = (said: object) => run({ messages: [message()] }, { said });
    expect(judge(expected, ends({}), 'reset-taken')).toEqual([['lost', true]]);
    expect(judge(expected, ends({ welcome: 'unknown' }), 'reset-taken')).toEqual([]);
    // Another message with the same template is another one, since the service has taken the first.
    const [one, two] = ['1', '2'].map((text) => message({ id: text, text }));
    const both = run({ messages: [one, two] }, { said: { first: 'read', second: 'read' } });
    const blocked = run({ messages: [one] }, { said: { first: 'sending', second: 'queued' } });
    expect(judge(both, blocked, 'reset-taken')).toEqual([['lost', true]]);
  });

  it('finds a call without a time limit: of a server while it is open, of a command that does not make it again', () => {
    const expected = run({ messages: [message()] }, { said: { state: 'sent' } });
    const judged = (ending: Partial<Run>, ...requests: object[]) =>
      judge(expected, run({ requests, messages: [message()] }, { said: { state: 'sent' }, ...ending }), 'hang');
    const endless = { timedOut: true };
    const found = [['never settles', true]];
    const doubt = [['never settles', false]];
    expect(judged({ flows: true, waits: true, ...endless })).toEqual(found);
    expect(judged({ flows: true, waits: false, ...endless })).toEqual(doubt);
    expect(judged(endless, request())).toEqual(found);
    expect(judged(endless, request(), request({ seq: 2 }))).toEqual(doubt);
    const toOther = request({ seq: 2, request: { headers: {}, body: { to: '+12025550111' } } });
    expect(judged(endless, request(), toOther)).toEqual(found);
    expect(judged({}, request())).toEqual([]);
  });

  it('takes no word at a place that several customers share for one about the customer of a fault', () => {
    const other = '+12025550111';
    const state = (answer: string) => ({
      users: { ann: { phone: to, answer }, bob: { phone: other } },
      notices: ['read', 'read'],
    });
    const notices = [1, 2].map(() => message({ to: other, status: 'read' }));
    const expected = run({ messages: [message({ status: 'read' }), ...notices] }, { said: state('sent') });
    const refused = request({
      status: 400,
      error: 'send_failed',
      request: { headers: {}, body: { to, type: 'text' } },
    });
    const after = (answer: string) => run({ requests: [refused], messages: notices }, { said: state(answer) });
    expect(judge(expected, after('window_closed'), 'window-closed')).toEqual([]);
    expect(judge(expected, after('sent'), 'window-closed')).toEqual([['failure hidden', true]]);
  });

  it('takes no word about another fault of the run for one about this one', () => {
    const other = '+12025550111';
    const people = (...answers: string[]) => ({
      users: answers.map((answer, i) => ({ phone: [to, other][i], answer })),
    });
    const messages = [to, other].map((phone) => message({ to: phone, status: 'read' }));
    const refused = (phone: string, more = {}) =>
      request({
        status: 400,
        error: 'send_failed',
        request: { headers: {}, body: { to: phone, type: 'text' } },
        ...more,
      });
    const expected = referenceOf([run({ messages }, { said: people('told', 'told'), flows: true })]);
    const [own, next] = [to, other].map((phone) => fault('window-closed', { to: phone }));
    const judged = (said: object, one = own, requests = [refused(to), refused(other)], messages_: object[] = []) =>
      deviationsOf(expected, run({ requests, messages: messages_ }, { said, flows: true }), one!, [own!, next!]).map(
        ({ kind, doubt }) => [kind, doubt],
      );
    const hidden = [['failure hidden', maybeOfOthers]];
    expect(judged(people('told', 'closed'))).toEqual(hidden);
    expect(judged(people('told', 'closed'), next)).toEqual([]);
    expect(judged(people('closed', 'closed'))).toEqual([]);
    // One of them may have ended the story early.
    expect(judged(people('told', 'told'))).toEqual(hidden);
    const fallback = message({ type: 'template', template: { name: 'visit' } });
    expect(judged(people('told', 'closed'), own, [refused(to), refused(other)], [fallback])).toEqual([]);
    // A message that was lost is excused only by a word about its customer.
    const lost = (said: object) => {
      const both = [to, other].map((phone) => fault('502', { to: phone }));
      return deviationsOf(expected, run({}, { said, flows: true }), both[0]!, both).map(({ kind }) => kind);
    };
    expect([lost(people('told', 'unknown')), lost(people('unknown', 'told'))]).toEqual([['lost'], []]);
  });

  it('takes a missing value for no word of a failure', () => {
    const refused = request({ response: { headers: {}, body: { results: [{ to, ok: false }] } } });
    const state = (word: string, id: string | null) => ({
      said: { holders: { ann: { state: word, message_id: id } } },
    });
    const expected = run({ messages: [message({ status: 'delivered' })] }, state('delivered', 'wamid.1'));
    const after = (word: string) =>
      judge(expected, run({ requests: [refused] }, state(word, null)), 'entry-refused', { batch: true });
    expect(after('accepted')).toEqual([['failure hidden', true]]);
    expect(after('refused')).toEqual([]);
  });

  it('takes no message for sent that a field with a word of its template calls sent', () => {
    const where = (template: string) => ({ template, match: { to, type: 'template', template } });
    const ended = (template: string, reminder: string, messages: string[]) =>
      run(
        { messages: messages.map((id) => message({ id, type: 'template', template: { name: template } })) },
        { said: { visits: [{ to, reminder, day: 'Monday' }], messages } },
      );
    const after = (reminder: string, template = 'visit_reminder', id = 'refused') =>
      judge(ended(template, 'sent', ['m1']), ended(template, reminder, []), id, where(template));
    expect(after('sent')).toEqual([['failure hidden', true]]);
    expect(after('sent', 'visit_reminder', 'no-send')).toContainEqual(['failure hidden', true]);
    expect(after('due')).toEqual([]);
    // The field may be about something else.
    expect([after('sent', 'visit_notice'), after('sent', 'reminder_sent')]).toEqual([[], []]);
  });

  it('takes no message for sent that the state has under no id', () => {
    const refused = request({ response: { headers: {}, body: { results: [{ to, ok: false }] } } });
    const state = (id: string, status: string) => ({ said: { messages: { [id]: { to, status } } } });
    const expected = run({ messages: [message({ status: 'read' })] }, state('wamid.1', 'read'));
    const after = (id: string, status = 'accepted') =>
      judge(expected, run({ requests: [refused] }, state(id, status)), 'entry-refused', { batch: true });
    expect([after('null'), after('undefined')]).toEqual(Array(2).fill([['failure hidden', true]]));
    expect(after('null', 'failed')).toEqual([]);
  });

  it('takes no message for sent whose id is missing', () => {
    const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    const refused = request({ response: { headers: {}, body: { results: [{ to, ok: false }] } }, at: at(1) });
    const later = request({ at: at(2), request: { headers: {}, body: { to, type: 'text' } } });
    const state = (message_id: string | null, status: string | null, word = 'sent') => ({
      said: { alerts: [{ phone: to, state: word, message_id, status }] },
    });
    const expected = run({ messages: [message({ status: 'read' })], requests: [later] }, state(id, 'read'));
    const after = (ending: object) =>
      judge(expected, run({ requests: [refused, later] }, ending), 'entry-refused', { batch: true });
    expect(after(state(null, null))).toEqual([['failure hidden', true]]);
    expect(after(state(null, null, 'failed'))).toEqual([]);
    // An empty field for how far it got shows the same, if nothing says that it failed.
    const visit = (delivery: string | null, more = {}) => ({
      said: { visits: [{ to, reminder: 'sent', delivery }], ...more },
    });
    const usual = run({ messages: [message({ status: 'read' })] }, visit('read'));
    const entry = (ending: object) =>
      judge(usual, run({ requests: [refused] }, ending), 'entry-refused', { batch: true });
    expect(entry(visit(null))).toEqual([['failure hidden', true]]);
    expect(entry(visit(null, { calls: [{ to, why: 'no reminder' }] }))).toEqual([]);
    // The other records of the customer have moved up in the list.
    const records = (...all: (string | null)[]) => ({
      said: { replies: all.map((message_id) => ({ to, message_id, status: message_id === null ? 'failed' : 'read' })) },
    });
    const read = ['a', 'b', 'c'].map((text) => message({ id: text, text, status: 'read' }));
    const three = run({ messages: read, requests: [later] }, records(id, id, id));
    const moved = run({ messages: read.slice(1), requests: [refused, later] }, records(null, id, id));
    expect(judge(three, moved, 'refused')).toEqual([]);
  });

  it('insists that it says the outcome of a message that was rejected, and failed when it was sent again', () => {
    const send = (seq: number, status: number, body: object) =>
      request({ seq, status, at: at(seq), response: { headers: {}, body } });
    const lookup = {
      operation: 'getMessage',
      method: 'GET',
      path: '/v1/messages/m',
      request: { headers: {}, body: null },
    };
    const ended = (status: string) =>
      run({
        messages: [message({ status })],
        requests: [
          send(1, 409, { error: {} }),
          send(2, 200, { message_id: 'm' }),
          request({ ...lookup, seq: 3, response: { headers: {}, body: { message_id: 'm', status } } }),
        ],
      });
    expect(judge(ended('delivered'), ended('failed'), 'blocked')).toEqual([['failure hidden', true]]);
  });

  it('does not insist that a state says the outcome of a reply, or of a message that another one followed', () => {
    const send = (status: number) =>
      request({
        status,
        error: status === 200 ? null : 'send_failed',
        request: { headers: {}, body: { to, type: 'text' } },
      });
    const expected = run({ messages: [message({ status: 'read' })] }, { said: { order: 'sent' } });
    const after = (facts: object, order = 'sent') => judge(expected, run(facts, { said: { order } }), 'window-closed');
    const wrote = (second: number) => [{ from: to, created_at: at(second) }];
    expect(after({ requests: [send(400)] })).toEqual([['failure hidden', true]]);
    expect(after({ requests: [send(400), send(200)] })).toEqual([['failure hidden', false]]);
    expect(after({ requests: [send(400)], received: wrote(0) })).toEqual([['failure hidden', false]]);
    expect(after({ requests: [send(400)], received: wrote(5) })).toEqual([['failure hidden', true]]);
    // A rejected entry of a batch.
    const batch = request({
      request: { headers: {}, body: { to: [to, '+12025550111'], type: 'text' } },
      response: { headers: {}, body: { results: [{ to, ok: false }] } },
    });
    expect(after({ requests: [batch] })).toEqual([['failure hidden', true]]);
    expect(after({ requests: [batch, send(200)] })).toEqual([['failure hidden', false]]);
  });

  it('does not insist after an outage that a state says the loss of a message that another one followed', () => {
    const sent = (seconds: number, text: string) => message({ id: text, text, created_at: at(seconds) });
    const state = { said: { notice: 'read' } };
    const usual = run({ messages: [sent(1, 'go'), sent(2, 'stop')] }, state);
    const judged = (lost: string) => {
      const messages = [sent(1, 'go'), sent(2, 'stop')].filter(({ id }) => id !== lost);
      return judge(usual, run({ messages }, state), 'outage', { kind: 'service' });
    };
    expect([judged('go'), judged('stop')]).toEqual([[['lost', false]], [['lost', true]]]);
  });

  it('asks after an outage that the state says the loss of a customer’s own message', () => {
    const other = '+12025550111';
    const reminder = (over: object) => message({ type: 'template', template: { name: 'reminder' }, ...over });
    const told = (...states: string[]) => ({ said: [to, other].map((phone, i) => ({ phone, reminder: states[i] })) });
    const usual = run({ messages: [reminder({ id: 'a' }), reminder({ id: 'b', to: other })] }, told('sent', 'sent'));
    const service = { kind: 'service', when: 'api.any' as const, match: {}, to: null };
    const judged = (...states: string[]) => judge(usual, run({}, told(...states)), 'outage', service);
    expect(judged('open', 'open')).toEqual([]);
    expect(judged('sent', 'open')).toEqual([['lost', true]]);
    // So is a call that fails for one customer only.
    const ofTemplate = { template: 'reminder', match: { to, type: 'template', template: 'reminder' } };
    const down = (...states: string[]) =>
      judge(usual, run({ messages: [reminder({ id: 'b', to: other })] }, told(...states)), 'no-send', ofTemplate);
    expect(down('open', 'sent')).toEqual([]);
    expect(down('sent', 'sent')).toContainEqual(['lost', true]);
  });

  it('does not ask after an outage that the state says the loss of a reply', () => {
    const service = { kind: 'service', when: 'api.any' as const, match: {}, to: null };
    const received = [{ from: to, created_at: at(1) }];
    const failed = request({ status: 503, at: at(2) });
    const usual = run({ received, messages: [message()] }, { said: { [to]: 'open' } });
    const judged = (over: object) =>
      judge(usual, run({ received, requests: [failed], ...over }, { said: { [to]: 'open' } }), 'outage', service);
    expect([judged({}), judged({ received: [] })]).toEqual([[['lost', false]], [['lost', true]]]);
  });

  it('asks that an application says the loss of a message that waited when it was restarted', () => {
    const [queued] = restartsIn({ ...({} as StoryFile), stepsMs: [1] }, [point]);
    const endpoints = [endpoint()];
    const usual = run({ endpoints, messages: [message()] }, { said: { job: 'done', outbox: { to, status: 'sent' } } });
    const judged = (said: object) => {
      const lacking = run({ endpoints, messages: [] }, { said, restarted: true });
      return deviationsOf(referenceOf([usual]), lacking, queued ?? null).map(({ kind, doubt }) => [
        kind,
        doubt === null,
      ]);
    };
    expect(judged({ job: 'done' })).toContainEqual(['lost', true]);
    expect(judged({ job: 'done', outbox: { to, status: 'unconfirmed' } })).toEqual([]);
    // Nothing sends it any more.
    const outbox = { to, status: 'queued', reason: 'unavailable' };
    expect(judged({ job: 'done', outbox })).toContainEqual(['lost', true]);
  });

  it('doubts the loss of a message that a restart cut off if its customer answers all the same', () => {
    const endpoints = [endpoint()];
    const cut = restartsIn({ ...({} as StoryFile), stepsMs: [1] }, [point]).find(
      ({ fault: own }) => own.id === 'restart-unsent',
    );
    const usual = run({ endpoints, messages: [message()] }, { said: { [to]: 'accepted' } });
    const judged = (...received: object[]) =>
      deviationsOf(
        referenceOf([usual]),
        run({ endpoints, messages: [], received }, { said: { [to]: 'accepted' }, restarted: true }),
        cut ?? null,
      ).map(({ kind, doubt }) => [kind, doubt === null]);
    expect(judged()).toEqual([['lost', true]]);
    expect(judged({ from: to, created_at: at(600), text: 'YES' })).toEqual([['lost', false]]);
    // A reply, whose event does not come again once it was accepted.
    const received = [{ from: to, created_at: at(0) }];
    const replied = run({ ...usual.facts, received }, { said: usual.said });
    const event = (...statuses: (number | null)[]) => ({
      ...{ event_type: 'message.received', event_id: 'e', state: 'delivered', payload: JSON.stringify({ from: to }) },
      attempts: statuses.map((status) => ({ status })),
    });
    const after = (...statuses: (number | null)[]) =>
      deviationsOf(
        referenceOf([replied]),
        run(
          { endpoints, messages: [], received, deliveries: [event(...statuses)] },
          { said: usual.said, restarted: true },
        ),
        cut ?? null,
      ).map(({ kind, doubt }) => [kind, doubt === null]);
    expect([after(200), after(null, 200)]).toEqual([[['lost', false]], [['lost', true]]]);
  });

  it('asks after a final failure that it is said, and that nothing is repeated', () => {
    const refused = request({
      status: 400,
      error: 'send_failed',
      request: { headers: {}, body: { to, type: 'text' } },
    });
    const ends = (said: object, over: object = {}) => run({ requests: [refused], ...over }, { said });
    const expected = run({ messages: [message({ status: 'read' })] }, { said: { order: 'sent' } });
    expect(judge(expected, ends({ order: 'sent' }), 'window-closed')).toEqual([['failure hidden', true]]);
    expect(judge(expected, ends({ order: 'refused' }), 'window-closed')).toEqual([]);
    const [hidden] = deviationsOf(
      referenceOf([run({}, { said: { '/orders': [{ state: 'read' }] } })]),
      ends({ '/orders': [{ state: 'sent' }] }),
      fault('window-closed'),
    );
    expect(hidden?.expect).toEqual({ state: { '/orders#0.state': 'sent' }, max: 0 });
    const counted = (counts: object) => ({ said: { counts } });
    const [numbers] = deviationsOf(
      referenceOf([run({}, counted({ delivered: 2 }))]),
      run({ requests: [refused] }, counted({ delivered: 1, accepted: 1 })),
      fault('window-closed'),
    );
    expect(numbers?.expect).toEqual({ state: { 'stdout#counts': { delivered: 1, accepted: 1 } }, max: 0 });
    // What differs between runs without faults may say so.
    const varying = referenceOf([expected, run({ ...expected.facts }, { said: { order: 'seen' } })]);
    expect(deviationsOf(varying, ends({ order: 'refused' }), fault('window-closed'))).toEqual([]);
    // A refusal that the story has anyway, of another customer, is not this one.
    const other = request({ ...refused, request: { headers: {}, body: { to: '+12025550111', type: 'text' } } });
    const usual = run({ ...expected.facts, requests: [other] }, { said: { order: 'sent' } });
    const both = ends({ order: 'sent' }, { requests: [other, refused] });
    expect(judge(usual, both, 'window-closed')).toEqual([['failure hidden', true]]);
    expect(judge(usual, ends({ order: 'sent' }, { requests: [other] }), 'window-closed')).toEqual([]);
    const fallback = message({ type: 'template', template: { name: 'hello' } });
    expect(judge(expected, ends({ order: 'sent' }, { messages: [fallback] }), 'window-closed')).toEqual([]);
    const twice = ends({ order: 'refused' }, { messages: [message(), message()] });
    expect(judge(expected, twice, 'window-closed')).toEqual([['duplicate', true]]);
  });

  it('takes a state on the way, and the number of messages in it, for no word about a final failure', () => {
    const entry = request({ response: { headers: {}, body: { results: [{ to, ok: false }] } } });
    const batch = { match: { phone: to, type: 'text' }, batch: true };
    const told = (said: object) =>
      judge(run({}, { said: { delivered: 2 } }), run({ requests: [entry] }, { said }), 'entry-refused', batch);
    expect(told({ delivered: 1, accepted: 1 })).toEqual([['failure hidden', true]]);
    expect(told({ delivered: 1, failed: 1 })).toEqual([]);
    // Somebody disappears, and nobody failed.
    const reached = (numbers: string[], more: object) => ({ said: { reached: numbers, ...more } });
    const without = (more: object, before: object = { failed: [] }) =>
      judge(run({}, reached([to], before)), run({ requests: [entry] }, reached([], more)), 'entry-refused', batch);
    expect(without({ failed: [] })).toEqual([['failure hidden', true]]);
    expect(without({ failed: 0 }, { failed: 0 })).toEqual([['failure hidden', true]]);
    expect([without({ failed: [to] }), without({ failed: [], complete: false }), without({}, {})]).toEqual([
      [],
      [],
      [],
    ]);
    // Only the record of the message is missing.
    const records = (count: number, job: string) => ({
      jobs: [{ phone: to, job }],
      news: Array.from({ length: count }, () => ({ phone: to, kind: 'news' })),
    });
    const unlisted = (job: string, ending: Partial<Run> = {}) =>
      judge(
        run({ messages: [message()] }, { said: records(1, 'notified') }),
        run({ requests: [entry] }, { said: records(0, job), ...ending }),
        'entry-refused',
        { ...batch, template: 'news' },
      );
    expect(unlisted('notified')).toEqual([['failure hidden', true]]);
    expect([unlisted('failed'), unlisted('notified', { output: 'news not sent' })]).toEqual([[], []]);
    const answers = [{ call: 'POST /news', said: { failed: [to] }, status: 200 }];
    expect(unlisted('notified', { answers })).toEqual([]);
    // Results that are read by their position blame another recipient.
    const holder = (failed: number) => ({
      said: { holders: [to, '+12025550111'].map((phone, i) => ({ phone, state: i === failed ? 'failed' : 'sent' })) },
    });
    const messages = [to, '+12025550111'].map((one) => message({ to: one }));
    const blames = (failed: number) =>
      judge(
        run({ messages }, holder(-1)),
        run({ messages, requests: [entry] }, holder(failed)),
        'entry-refused-last',
        batch,
      );
    expect([blames(0), blames(1).some(([, isBreak]) => isBreak === true)]).toEqual([[], true]);
    // A batch that was rejected as a whole failed for all of its recipients.
    const whole = { ...batch, recipients: [to, '+12025550111'] };
    const both = { said: { holders: [to, '+12025550111'].map((phone) => ({ phone, state: 'failed' })) } };
    expect(judge(run({ messages }, holder(-1)), run({ requests: [entry] }, both), 'refused', whole)).toEqual([]);
    // A rejected template is never approved later.
    const create = { kind: 'template.create', match: { name: 'hello' }, to: null, template: 'hello' };
    const look = request({ method: 'GET', response: { headers: {}, body: [{ name: 'hello', status: 'rejected' }] } });
    const send = request({ request: { headers: {}, body: { to, template: { name: 'hello' } } } });
    const waits = (status: string, id: string, where: Partial<Point>, calls: object[], usual = [send]) =>
      judge(
        run({ requests: usual }, { said: { status: 'read' } }),
        run({ requests: calls }, { said: { status } }),
        id,
        where,
      );
    expect(waits('waiting', 'rejected', create, [look])).toEqual([['failure hidden', true]]);
    // Nobody needs it; a code may do so without naming it.
    expect(waits('waiting', 'rejected', create, [look], [])).toEqual([['failure hidden', false]]);
    const code = request({ operation: 'sendOtp', request: { headers: {}, body: { to } } });
    expect(waits('waiting', 'rejected', create, [look], [code])).toEqual([['failure hidden', true]]);
    expect(waits('failed', 'rejected', create, [look])).toEqual([]);
    expect(waits('waiting', 'rejected', create, [])).toEqual([]);
  });

  it('doubts the loss of another customer who gets the same template with other words', () => {
    const other = '+12025550111';
    const offer = (seat: string, phone = other) =>
      message({ id: seat, to: phone, type: 'template', text: `Seat ${seat}.`, template: { name: 'offer' } });
    const usual = run({ messages: [offer('C7', to), offer('D8')] });
    const lost = (...messages: object[]) =>
      judge(usual, run({ messages: [{ ...offer('C7', to), status: 'failed' }, ...messages] }), 'blocked', {
        template: 'offer',
      }).filter(([kind]) => kind === 'lost');
    expect(lost()).toEqual([['lost', true]]);
    expect(lost(offer('C7'))).toEqual([['lost', false]]);
    // A report that counts the others has other words as well.
    const limited = (...messages: object[]) =>
      judge({ ...usual, said: { [to]: 'fine' } }, run({ messages }, { said: { [to]: 'failed' } }), 'entry-limited', {
        ...{ batch: true, recipients: [to], template: 'offer' },
      }).filter(([kind]) => kind === 'lost');
    expect(limited()).toEqual([['lost', true]]);
    expect(limited(offer('C7'))).toEqual([['lost', false]]);
  });

  it('takes an entry that does not name the customer of its record for one about somebody else', () => {
    const usual = run({ messages: [message(), message({ to: '+12025550119' })] });
    const job = (offer: object) => ({ said: { jobs: [{ phone: '+12025550119', offers: [{ by: 'Ann', ...offer }] }] } });
    const judged = (offer: object) =>
      judge(
        { ...usual, ...job({ result: 'no answer', ...offer }) },
        { ...usual, ...job({ result: 'failed', ...offer }) },
        'blocked',
      );
    expect(judged({})).toEqual([]);
    expect(judged({ phone: '+12025550119' })).toEqual([['state differs', true]]);
  });

  it('counts words of arrival as a state without faults shows them: in a list and in a detail view', () => {
    const views = (status: string) => ({ said: { '/orders': [{ to, status }], '/orders/1': { to, status } } });
    const expected = run({ messages: [message({ status: 'read' })] }, views('read'));
    const blocked = message({ status: 'failed' });
    const news = { ...failedNews, messages: [blocked] };
    expect(judge(expected, run(news, views('failed')), 'blocked')).toEqual([]);
    expect(judge(expected, run(news, views('read')), 'blocked')).toEqual([['failure hidden', true]]);
    // It shows reminders, in two places, and not how far its replies got.
    const replies = (result: string) => ({
      said: { visits: [{ to, reminder: 'read' }], customers: { [to]: { latest: 'read' } }, replies: [{ to, result }] },
    });
    const read = message({ status: 'read' });
    const answered = run({ messages: [read, read, read] }, replies('sent'));
    const rejected = run({ ...failedNews, messages: [read] }, replies('failed'));
    expect(judge(answered, rejected, 'refused')).toEqual([]);
  });

  it('compares what is shown of the customer of the fault, wherever it stands in a list', () => {
    const other = '+12025550111';
    const list = (...orders: [string, string][]) => ({
      said: { '/orders': orders.map(([customer, status]) => ({ phone: customer, status })) },
    });
    const all = [message({ status: 'read' }), message({ id: 'n', to: other, status: 'read' })];
    const expected = run({ messages: all }, list([to, 'read'], [other, 'read']));
    const news = { ...failedNews, messages: [message({ status: 'failed' }), all[1]] };
    expect(judge(expected, run(news, list([other, 'read'], [to, 'failed'])), 'blocked')).toEqual([]);
    const found = run(news, list([other, 'failed'], [to, 'read']));
    const deviations = deviationsOf(referenceOf([expected]), found, fault('blocked'));
    // The "failed" of another customer is no word about this one, and is wrong itself.
    expect(deviations.map(({ kind, sentence, doubt }) => [kind, sentence, doubt])).toEqual([
      ['state differs', 'The application reports /orders[+12025550111].status: "failed" instead of "read".', null],
      [
        'failure hidden',
        'It got "failed" in message.status. The application reports /orders[+12025550110].status: "read".',
        null,
      ],
    ]);
  });

  it('takes words about one message for none about another, however often the state shows it', () => {
    const state = (question: string) => {
      const notice = { [to]: { children: { mia: 'read', max: 'read' } } };
      const messages = [
        { phone: to, about: 'delay', state: 'read' },
        ...(question === '' ? [] : [{ phone: to, about: 'stop', state: question }]),
      ];
      return { said: { notice, messages } };
    };
    const all = [message({ status: 'read' }), message({ id: 'n', status: 'read' })];
    const expected = run({ messages: all }, state('read'));
    const news = { ...failedNews, messages: [message({ status: 'failed' }), all[1]] };
    expect(judge(expected, run(news, state('failed')), 'blocked')).toEqual([]);
    expect(judge(expected, run(news, state('read')), 'blocked')).toEqual([['failure hidden', true]]);
  });

  it('lets an application wait for a paused template that it looked up, which is still approved', () => {
    const sent = run({ messages: [message({ status: 'read' })] }, { said: { status: 'read' } });
    const paused = request({ status: 400, error: 'template_not_approved' });
    const look = request({ operation: 'listTemplates', method: 'GET', path: '/v1/templates' });
    const judged = (...requests: object[]) =>
      judge(sent, run({ requests }, { said: { status: 'queued' } }), 'template-paused', {
        ...{ template: 'notice', match: { type: 'template' } },
      });
    expect(judged(paused, look)).toEqual([['failure hidden', false]]);
    expect(judged(look, paused)).toEqual([['failure hidden', true]]);
  });

  it('lets an application say that it could not check a code, of a customer who gets codes only', () => {
    const state = (word: string) => ({ said: { arrived: ['+12025550111'], pins: { [to]: word } } });
    const facts = (code: string) => ({
      otps: [{ otp_id: 'o', to, state: code }],
      messages: [message({ to: '+12025550111' })],
    });
    const where = { kind: 'otp.verify', when: 'otp.verify', match: { phone: to } } as const;
    const [usual, found] = [run(facts('verified'), state('open')), run(facts('active'), state('try again'))];
    expect(judge(usual, found, 'no-check', where)).toEqual([]);
  });

  it('demands that an application which looks at its endpoints registers a paused one again', () => {
    const point = { id: 'application:1', title: '', kind: 'application', when: 'api.any', match: {}, nth: 1 } as const;
    const placed = place({ ...point, to: null, template: null, account: '', atMs: 5_000 }, paused);
    const usual = run({ endpoints: [endpoint()] }, { said: { webhook: 'active' } });
    const after = (requests: object[], said = 'active', messages: object[] = []) => {
      const found = run({ requests, messages }, { said: { webhook: said } });
      return cellOf(referenceOf([usual]), found, placed).deviations.map(({ kind, doubt }) => [kind, doubt]);
    };
    const look = (seconds: number) => request({ operation: 'listWebhooks', method: 'GET', at: at(seconds) });
    expect(after([look(6)])).toEqual([['endpoint lost', null]]);
    // What follows from lost events may be anything.
    expect([after([]), after([look(4)]), after([look(6)], 'paused'), after([], 'active', [message()])]).toEqual(
      Array(4).fill([]),
    );
  });

  it('takes the arrival of what is sent instead for no claim about what failed', () => {
    const other = '+12025550111';
    const state = (second: string) => ({
      said: {
        visits: [to, other].map((phone, i) => ({ phone, reminder: i === 0 ? 'read' : second })),
        log: ['read', second],
      },
    });
    const send = (template: string, phone: string, status: string) =>
      message({ id: phone, to: phone, template: { name: template }, status });
    const expected = run(
      { messages: [send('reminder', to, 'read'), send('reminder', other, 'failed')] },
      state('failed'),
    );
    const read = request({
      operation: 'getTemplate',
      method: 'GET',
      response: { headers: {}, body: { name: 'reminder', status: 'rejected' } },
    });
    const found = run(
      { messages: [send('plain', to, 'read'), send('plain', other, 'read')], requests: [read] },
      state('read'),
    );
    const where = { kind: 'template.create', when: 'template.create', to: null, template: 'reminder' } as const;
    expect(judge(expected, found, 'rejected', where)).toEqual([]);
  });

  it('leaves a word that several customers share to the customer of the fault', () => {
    const others = ['+12025550111', '+12025550112'];
    const state = (report: string) => ({
      said: { report, notices: others.map((phone) => ({ phone, state: 'read' })) },
    });
    const all = [message({ status: 'read' }), ...others.map((one) => message({ id: one, to: one, status: 'read' }))];
    const expected = run({ messages: all }, state('delivered'));
    const news = { ...failedNews, messages: [message({ status: 'failed' }), ...all.slice(1)] };
    expect(judge(expected, run(news, state('failed')), 'blocked')).toEqual([]);
  });

  it('finds that a message counts as arrived that was looked up in vain', () => {
    const look = request({ operation: 'getMessage', method: 'GET', path: '/v1/messages/m' });
    const looks = (count: number, said: object, output = '') =>
      run({ messages: [message()], requests: Array.from({ length: count }, () => look) }, { said, output });
    const judged = (count: number, said: object, usual = said, output = '') =>
      judge(looks(2, usual), looks(count, said, output), 'stuck');
    expect(judged(9, { notified: [to] })).toEqual([['failure hidden', true]]);
    expect(judged(9, { pending: [to] }, { notified: [to] })).toEqual([]);
    // For an application that does not wait, it may be enough that the message was sent.
    expect([judged(2, { notified: [to] }), judged(0, { notified: [to] })]).toEqual([[['failure hidden', false]], []]);
    const failing = run({ messages: [message({ status: 'failed' })], requests: [look] }, { said: { notified: [to] } });
    const read = run({ ...failing.facts, messages: [message({ status: 'read' })] }, { said: { notified: [to] } });
    expect(judge(read, failing, 'blocked')).toEqual([['failure hidden', false]]);
    expect(judged(9, { reports: 2 })).toEqual([['failure hidden', false]]);
    // It may mean no more than that it sent the message, or says so elsewhere.
    expect(judged(9, { [to]: 'sent' })).toEqual([]);
    expect(judged(9, { notified: [to] }, { notified: [to] }, 'gave up')).toEqual([]);
  });

  it('lets an application call the outcome of a 503 unknown', () => {
    const state = (status: string) => run({ messages: [message()] }, { said: { messages: [{ to, status }] } });
    const after = (status: string) =>
      judge(state('sent'), run({}, { said: { messages: [{ to, status }] } }), '503').map(([, isBreak]) => isBreak);
    expect(after('unknown')).toEqual([false, false]);
    expect(after('failed')).toEqual([true, true]);
  });

  it('doubts a test that waits for a message in vain, and passes', () => {
    const look = request({ operation: 'getMessage', method: 'GET', path: '/v1/messages/m' });
    const looks = (count: number, ending: Partial<Run> = {}) =>
      run({ messages: [message()], requests: Array.from({ length: count }, () => look) }, ending);
    expect(judge(looks(1), looks(9), 'stuck')).toEqual([['failure hidden', false]]);
    expect([judge(looks(1), looks(1), 'stuck'), judge(looks(1), looks(9, { flows: true }), 'stuck')]).toEqual([[], []]);
    expect(judge(looks(1), looks(9, { failure: 'exit code 1' }), 'stuck')).toEqual([]);
    // A command that waits for it may do so for ever.
    const waits = (more: object) => judge(looks(1), looks(9, { timedOut: true, ...more }), 'stuck');
    expect([waits({}), waits({ flows: true })]).toEqual([[['never settles', false]], []]);
    expect(judge(looks(1), looks(9, { output: '4 passed, 1 skipped' }), 'stuck')).toEqual([]);
  });

  it('finds a template in place of a message that was processed, whatever the state says', () => {
    const sent = message();
    const template = message({ id: 't', type: 'template', template: { name: 'link' } });
    const other = message({ id: 'u', to: '+12025550111', type: 'template', template: { name: 'link' } });
    const usual = run({ messages: [sent] }, { said: { [to]: 'document' } });
    const after = (second: object, id: string) =>
      judge(usual, run({ messages: [sent, second] }, { said: { [to]: 'unknown' } }), id);
    expect(after(template, 'reset-taken')).toEqual([['state differs', true]]);
    expect(after(template, '504-taken')).toEqual([['state differs', false]]);
    expect([after(other, 'reset-taken'), after(template, '502')]).toEqual([[], []]);
  });

  it('blames no send of a rejected template on a test that has its own account, if another test sends it', () => {
    const create = { kind: 'template.create', to: null, template: 'hello', account: 'own' };
    const look = (status: string) =>
      request({
        operation: 'listTemplates',
        method: 'GET',
        response: { headers: {}, body: [{ name: 'hello', status }] },
      });
    const send = request({ request: { headers: {}, body: { to, type: 'template', template: { name: 'hello' } } } });
    const usual = run({ requests: [look('approved'), send] });
    const account = (own: string, ...requests: object[]) => run({ account: own, requests }).facts;
    const judged = (...accounts: Run['accounts']) =>
      judge(
        usual,
        {
          ...run({ requests: accounts.flatMap((one) => one.requests) }, { exited: true, failure: 'exit code 1' }),
          accounts,
        },
        'rejected',
        create,
      );
    expect(judged(account('own', look('rejected'), send))).toEqual([['useless calls', false]]);
    expect(judged(account('own', look('rejected')), account('other', send))).toEqual([]);
    // Also of a suite that prints what it has seen; a command is one application.
    const alone = (more: Partial<Run>) =>
      judge(usual, run({ requests: [look('rejected'), send] }, { said: { sent: 1 }, ...more }), 'rejected', {
        ...{ ...create, account: '' },
      }).filter(([kind]) => kind === 'useless calls');
    expect([alone({ tests: new Map() }), alone({})]).toEqual([[['useless calls', false]], [['useless calls', true]]]);
  });

  it('lets an application repeat each of several calls to which the story leads', () => {
    const check = (status: number) =>
      request({
        operation: 'verifyOtp',
        path: '/v1/otp/verify',
        status,
        error: 'otp_max_attempts',
        request: { headers: {}, body: { code: '12' } },
      });
    const usual = (count: number) => run({ requests: Array.from({ length: count }, () => check(200)) });
    const locked = run({ requests: Array.from({ length: 14 }, () => check(429)) });
    const kindsAfter = (count: number) =>
      deviationsOf(referenceOf([usual(count)]), locked, null).map(({ kind }) => kind);
    expect([kindsAfter(1), kindsAfter(6)]).toEqual([['useless calls'], []]);
  });

  it('finds a test that is content with another error than the one that it expects', () => {
    const calls = (...errors: (string | undefined)[]) =>
      run({ requests: errors.map((error) => request({ status: 400, error })) }, { exited: true });
    const judged = (found: Run, said: unknown = null) =>
      judge({ ...calls('send_failed'), said }, { ...found, said }, '503', { isRejected: true }).filter(
        ([kind]) => kind === 'failure hidden',
      );
    expect(judged(calls('unavailable'))).toEqual([['failure hidden', true]]);
    // It repeated the call, failed, or is no test.
    expect(judged(calls('unavailable', 'send_failed'))).toEqual([]);
    expect(judged({ ...calls('unavailable'), failure: 'exit code 1' })).toEqual([]);
    expect(judged({ ...calls('unavailable'), output: 'could not reach Ada' })).toEqual([]);
    expect(judged(calls('unavailable'), { [to]: 'called' })).toEqual([]);
    expect(
      judge(calls('send_failed', 'send_failed'), calls('send_failed', undefined), '503', { isRejected: true }),
    ).toContainEqual(['failure hidden', true]);
  });

  it('does not ask for news of a call that is also rejected without the fault', () => {
    const refused = request({ status: 400, error: 'undeliverable' });
    const usual = run({ requests: [request({ status: 400, error: 'send_failed' })] }, { said: { [to]: 'called' } });
    const judged = (isRejected: boolean) =>
      judge(usual, run({ requests: [refused] }, { said: { [to]: 'called' } }), 'refused', { isRejected });
    expect([judged(true), judged(false)]).toEqual([[], [['failure hidden', true]]]);
  });

  it('forgives no loss of others, unless they write in the story, which may change whose turn it is', () => {
    const other = '+12025550111';
    const offer = (phone: string) => message({ to: phone, type: 'template', template: { name: 'hello' } });
    const point = { template: 'hello', match: { phone: to, type: 'template' } };
    const judged = (received: object[]) =>
      judge(run({ messages: [offer(to), offer(other)], received }), run({ received }), 'refused', point);
    expect(judged([])).toEqual([['lost', true]]);
    expect(judged([message({ from: other })])).toEqual([['lost', false]]);
  });

  it('takes a template that replaces a text outside the window for no duplicate', () => {
    const template = message({ id: 't', type: 'template', template: { name: 'hello' } });
    const usual = run({ messages: [template, message()] }, { said: 'x' });
    const judged = (messages: object[], id: string) =>
      judge(usual, run({ messages }, { said: 'y' }), id).map(([kind]) => kind);
    expect(judged([template, template], 'window-closed')).not.toContain('duplicate');
    expect(judged([template, template], 'refused')).toContain('duplicate');
    expect(judged([template, message(), message()], 'window-closed')).toContain('duplicate');
  });

  it('does not insist on a message that may follow another one that fails', () => {
    const sent = (phone: string, over: object = {}) =>
      message({ to: phone, type: 'template', template: { name: 'hello' }, ...over });
    const other = sent('+12025550111');
    const batch = { batch: true, recipients: [to], template: 'hello', match: { phone: to, type: 'template' } };
    const judged = (messages: object[]) =>
      judge(run({ messages }), run(), 'refused', batch).filter(([kind]) => kind === 'lost');
    expect(judged([other])).toEqual([['lost', true]]);
    expect(judged([other, sent(to, { status: 'failed' })])).not.toContainEqual(['lost', true]);
  });

  it('asks first whether the effect was reached after all', () => {
    const otp = (state: string) => ({ otp_id: 'o', message_id: 'x', to, state });
    const expected = run({ otps: [otp('verified')] }, { said: { user: 'verified' } });
    const refused = request({ operation: 'verifyOtp', path: '/v1/otp/verify', status: 400, error: 'otp_expired' });
    const ends = (otps: object[], user: string) => run({ requests: [refused], otps }, { said: { user } });
    const code = { kind: 'otp.send', when: 'otp.send' as const, match: { phone: to } };
    expect(judge(expected, ends([otp('expired'), otp('verified')], 'verified'), 'code-expired', code)).toEqual([]);
    expect(judge(expected, ends([otp('expired')], 'verified'), 'code-expired', code)).toEqual([
      ['failure hidden', true],
    ]);
  });

  it('finds an application that verifies an expired code again where it sends the next one without the fault', () => {
    const otp = (id: string, state: string) => ({ otp_id: id, message_id: id, to, state });
    const send = (minute: number) =>
      request({ operation: 'sendOtp', at: at(60 * minute), request: { headers: {}, body: { to } } });
    const refused = (minute: number, id: string) =>
      request({
        ...{ operation: 'verifyOtp', status: 400, error: 'otp_expired', at: at(60 * minute) },
        request: { headers: {}, body: { otp_id: id } },
      });
    const verified = [otp('a', 'verified'), otp('b', 'verified')];
    const expected = run({ otps: verified, requests: [send(1), send(5)] }, { said: { user: 'in' } });
    const code = { kind: 'otp.send', when: 'otp.send' as const, match: { phone: to } };
    const after = (otps: object[], ...requests: object[]) =>
      judge(expected, run({ otps, requests }, { said: { user: 'out' } }), 'code-expired', code);
    const expired = [otp('a', 'expired')];
    expect(after(expired, send(1), refused(2, 'a'), refused(6, 'a'))).toEqual([['lost', true]]);
    // The user types it once more before the next one is due, or is never asked for it again.
    expect(after(expired, send(1), refused(2, 'a'), refused(3, 'a'))).toEqual([]);
    expect(after(expired, send(1), refused(2, 'a'))).toEqual([]);
    expect(after([...expired, otp('b', 'verified')], send(1), refused(2, 'a'), send(5), refused(6, 'a'))).toEqual([]);
  });

  it('takes the loss of a call for one of each customer of its batch', () => {
    const other = '+12025550111';
    const both = run({ messages: [message(), message({ to: other })], endpoints: [endpoint()] }, { said: { sent: 2 } });
    const batch = { match: { phone: to, type: 'text' }, batch: true, recipients: [to, other] };
    const none = run({ endpoints: [endpoint()] }, { said: { sent: 2, unconfirmed: [other] } });
    expect(judge(both, none, 'hang', batch)).toEqual([]);
    const silent = run({ endpoints: [endpoint()] }, { said: { sent: 2 } });
    const doubts = (recipients: string[]) => judge(both, silent, 'hang', { ...batch, recipients });
    expect(doubts([to, other])).toEqual([
      ['lost', false],
      ['lost', false],
    ]);
    expect(doubts([to])).toEqual([
      ['lost', false],
      ['lost', true],
    ]);
  });

  it('doubts a loss that an application without a state may know of, and counts no attempts', () => {
    const expected = run({ ...sent.facts, endpoints: [endpoint()] });
    const lost = run({ endpoints: [endpoint()] });
    const batch = { match: { phone: to, type: 'text' }, batch: true };
    expect(judge(expected, lost, 'entry-limited', batch)).toEqual([['lost', false]]);
    expect(judge(expected, lost, '502')).toEqual([['lost', false]]);
    const tries = (attempts: number) => run({ ...sent.facts }, { said: { order: { attempts } } });
    expect([judge(tries(1), tries(2), '503'), judge(tries(2), tries(1), '503')]).toEqual([
      [],
      [['state differs', true]],
    ]);
    const flag = (name: string, value: boolean) => run({ ...sent.facts }, { said: { order: { [name]: value } } });
    const raised = (name: string) => judge(flag(name, false), flag(name, true), '503').length;
    expect([raised('possible_duplicate'), raised('optedOut')]).toEqual([0, 1]);
  });

  it.each(['4 passed, 1 skipped', 'OK (skipped=1)', '# skipped 1', '--- SKIP: TestReminder (0.70s)'])(
    'doubts a loss if a test was skipped that ran without the fault: %s',
    (output) => {
      const none = output.replace(/1(?! *passed)|--- SKIP.*/, '0');
      const after = (usual: string, now: string) =>
        judge(run({ ...sent.facts }, { output: usual }), run({ endpoints: [endpoint()] }, { output: now }), '503');
      expect(after(none, output)).toEqual([['lost', false]]);
      expect([after(output, output), after(none, none)]).toEqual(Array(2).fill([['lost', true]]));
    },
  );

  it('reports that an application calls a code wrong that the service did not check', () => {
    const check = { kind: 'otp.verify', when: 'otp.verify' as const, outcome: 'valid: true' };
    const typing = (customer: string, code: string, status: number, error?: string) => ({
      call: `POST /visits/\${${customer}}/check`,
      ...{ sent: { code }, said: { released: false, ...(error !== undefined && { error, left: 2 }) }, status },
    });
    const ended = (...answers: object[]) => run({}, { answers: answers as Run['answers'] & object });
    const usual = ended(typing('ann', '12', 422, 'wrong code'), typing('bob', '${code}', 200));
    const after = (status: number, error?: string, id = 'no-check', where = {}) =>
      judge(usual, ended(typing('ann', '12', 422, 'wrong code'), typing('bob', '${code}', status, error)), id, {
        ...check,
        ...where,
      });
    expect(after(422, 'wrong code')).toEqual([['failure hidden', true]]);
    expect([after(503, 'wrong code'), after(422, 'not checked, try again'), after(422)]).toEqual([[], [], []]);
    expect(after(200)).toEqual([]);
    const send = { kind: 'otp.send', when: 'otp.send' as const };
    for (const [id, where] of [
      ['code-locked', {}],
      ['code-expired', send],
    ] as const) {
      expect(after(422, 'wrong code', id, where)).toEqual([['failure hidden', true]]);
      expect([after(410, 'wrong code', id, where), after(422, 'code expired', id, where)]).toEqual([[], []]);
      expect(after(503, 'later', id, where)).toEqual([['failure hidden', true]]);
    }
    expect(after(422, 'wrong code', 'no-check', { outcome: 'valid: false' })).toEqual([]);
    // The names of customers are in the paths of their calls.
    const named = (name: string, code: string, said: string) => ({
      ...{ call: `POST /learners/${name}/verify`, sent: { code }, said: { code: said }, status: 200 },
    });
    const eve = named('eve', '12', 'mistyped');
    const reads = (said: string) =>
      judge(
        ended(eve, named('gus', '${code}', 'used')),
        ended(eve, named('gus', '${code}', said)),
        'code-locked',
        check,
      );
    expect([reads('mistyped'), reads('locked')]).toEqual([[['failure hidden', true]], []]);
    // One that always responds 200 says it in its words.
    const saysSo = (word: string) => ended(typing('ann', '12', 200, 'wrong'), typing('bob', '${code}', 200, word));
    const says = (word: string) => judge(saysSo('open'), saysSo(word), '502', check);
    expect([says('wrong'), says('checking'), says('open')]).toEqual([[['failure hidden', true]], [], []]);
    const vague = [typing('ann', '12', 422, 'no release'), typing('bob', '${code}', 422, 'no release')] as const;
    const saying = ended(vague[0], typing('bob', '${code}', 200));
    expect(judge(saying, ended(...vague), 'no-check', check)).toEqual([['failure hidden', false]]);
    expect(judge(saying, ended(...vague), 'code-locked', check)).toEqual([]);
    const both = [
      typing('ann', '12', 422, 'invalid or expired'),
      typing('bob', '${code}', 422, 'invalid or expired'),
    ] as const;
    expect(judge(ended(both[0], typing('bob', '${code}', 200)), ended(...both), 'code-locked', check)).toEqual([]);
    const sent = request({ operation: 'sendOtp', request: { headers: {}, body: { to } } });
    const anew = run({ requests: [sent] });
    expect(
      judge(
        usual,
        { ...anew, answers: [typing('bob', '${code}', 422, 'wrong code')] as Run['answers'] & object },
        'code-locked',
        check,
      ),
    ).toEqual([]);
  });

  it('reports that an application rejects each request for a code after one whose outcome is unknown', () => {
    const send = { kind: 'otp.send', when: 'otp.send' as const, atMs: 60_000 };
    const body = { to, expiry_seconds: 120 };
    const requests = [request({ operation: 'sendOtp', request: { headers: {}, body } })];
    const asking = (statuses: number[], lateMs: number) => {
      const answers = statuses.map((status) => ({ call: 'POST /code', status }));
      const late = { sentence: 'POST /code at +3m: expected a status below 400, found 409', atMs: lateMs };
      return run({ requests }, { answers, unmetSteps: [late] });
    };
    const after = (statuses: number[], lateMs = 180_000, id = 'hang') =>
      judge(asking([202, 202], 0), asking(statuses, lateMs), id, send);
    expect(after([409, 409])).toEqual([['application failed', true]]);
    expect([after([409, 202]), after([409, 429]), after([409])]).toEqual([[], [], []]);
    // Until then, the code may be on its way.
    expect(after([409, 409], 179_000)).toEqual([]);
    expect(after([409, 409], 180_000, 'code-expired')).toEqual([]);
    expect(judge(asking([202, 409], 0), asking([409, 409], 180_000), 'hang', send)).toEqual([]);
  });

  it('reports that an application lets its user do what it forbids without the fault', () => {
    const steps = (...statuses: number[]) =>
      run({ ...sent.facts }, { answers: statuses.map((status) => ({ call: 'POST /login', status })) });
    const after = (...statuses: number[]) => judge(steps(202, 401, 404, 200), steps(...statuses), '503');
    expect(after(202, 200, 404, 200)).toEqual([['state differs', true]]);
    // A step that failed before may be why; and what does not exist yet may exist later.
    expect([after(503, 200, 404, 200), after(202, 503, 404, 200), after(202, 401, 200, 200)]).toEqual([[], [], []]);
    expect(after(202, 401, 404, 200)).toEqual([]);
  });

  it('compares the records of the same customer, although another record is more like', () => {
    const record = (id: number, phone: string, over: object = {}) => ({
      id,
      order_id: null,
      phone,
      status: 'read',
      message_id: 'wamid.a',
      kind: 'reply',
      ...over,
    });
    const [bob] = ['+12025550111'];
    const usual = run({}, { said: { messages: [record(1, to), record(2, bob)] } });
    const failed = record(2, to, { status: 'failed', message_id: null });
    const found = run({}, { said: { messages: [record(1, bob, { order_id: 7 }), failed] } });
    const sentences = deviationsOf(referenceOf([usual]), found, null).map(({ sentence }) => sentence);
    expect(sentences).toEqual([
      `The application reports messages[${to}].status: "failed" instead of "read".`,
      `The application reports messages[${to}].message_id: null instead of "<id>".`,
    ]);
  });

  it('counts all recipients of a batch that fails because it contains the customer of the fault', () => {
    const [bob, cleo] = ['+12025550111', '+12025550112'];
    const template = { name: 'round' };
    const round = (of: string) => message({ id: of, to: of, type: 'template', template });
    const batch = request({
      status: 400,
      error: 'validation_error',
      request: { headers: {}, body: { to: [to, bob, cleo], template } },
    });
    const where = {
      template: 'round',
      batch: true,
      recipients: [to, bob],
      match: { phone: to, type: 'template', template: 'round' },
    };
    const usual = run({ messages: [to, bob, cleo].map(round) }, { said: { failed: 'none' } });
    const found = (requests: object[]) =>
      judge(usual, run({ messages: [to, bob].map(round), requests }, { said: { failed: 'some' } }), 'refused', where);
    expect(found([batch])).toEqual([]);
    expect(found([])).toEqual([['lost', true]]);
  });

  it('does not insist that a user gets a code after an error that the application passed on', () => {
    const verified = [{ otp_id: 'o', to, state: 'verified', message_id: 'm' }];
    const usual = run({ otps: verified }, { answers: [{ call: 'POST /check', status: 200 }] });
    const where = { kind: 'otp.verify', when: 'otp.verify' as const, match: { phone: to } };
    const after = (status: number) =>
      judge(usual, run({}, { answers: [{ call: 'POST /check', status }] }), '503', where);
    expect(after(502)).toEqual([['lost', false]]);
    // A code that the application calls wrong, or locked, is one.
    expect(after(410)).toEqual([['lost', true]]);
    // In a chat, another text says it.
    const asked = run({ otps: verified, messages: [message({ id: 'n', text: 'Please type the code.' })] });
    const told = (text: string, id: string) =>
      judge(asked, run({ messages: [message({ id: 'n', text })] }), id, {
        ...where,
        kind: 'otp.send',
        when: 'otp.send',
      });
    expect(told('Please ask again.', 'reset-taken').map(([, isBreak]) => isBreak)).not.toContain(true);
    expect(told('Please ask again.', '503').map(([, isBreak]) => isBreak)).not.toContain(true);
    expect(told('Please type the code.', '503')).toEqual([['lost', true]]);
  });

  it('takes a log for a word only if the state is not the one without the fault', () => {
    const expected = run({ ...sent.facts }, { said: { reminded: 3 } });
    const after = (reminded: number) =>
      judge(expected, run({ endpoints: [endpoint()] }, { said: { reminded }, output: 'gave up' }), 'outage', {
        kind: 'service',
        when: 'api.any',
        match: {},
        to: null,
      });
    expect(after(3)).toEqual([['lost', false]]);
    expect(after(2)).toEqual([]);
  });

  it('judges no delivery and no event of a fault that never reached the application', () => {
    const received = {
      kind: 'message.received',
      when: 'webhook.deliver' as const,
      match: { event: 'message.received' },
    };
    const attempt = (status: number | null) => ({ number: 1, at: at(2), status });
    const delivery = (status: number | null) => ({
      event_type: 'message.received',
      state: 'retrying',
      created_at: at(1),
      seq: 3,
      attempts: [attempt(status)],
      explain: { by: 'rule', text: '', id: ruleIdOf(fault('twice', received)) },
    });
    const stateOf = (status: number | null, over: Partial<Run> = {}) =>
      cellOf(
        referenceOf([run({ deliveries: [delivery(200)] })]),
        run({ deliveries: [delivery(status)], hits: { [ruleIdOf(fault('twice', received))]: 1 } }, over),
        fault('twice', received),
      ).state;
    expect([stateOf(200), stateOf(null)]).toEqual(['fine', 'not reached']);
    const again = fault('again', received);
    const ruled = { ...attempt(null), explain: { by: 'rule', text: '', id: ruleIdOf(again) } };
    const againOf = (...statuses: (number | null)[]) => {
      const { explain: _none, ...late } = delivery(null);
      const attempts = [ruled, ...statuses.map(attempt)];
      const found = run({ deliveries: [delivery(200), { ...late, attempts }], hits: { [ruleIdOf(again)]: 1 } });
      return cellOf(referenceOf([run({ deliveries: [delivery(200)] })]), found, again).state;
    };
    expect([againOf(200), againOf(null), againOf()]).toEqual(['fine', 'not reached', 'not reached']);
    const unknown = (status: number | null) => ({ ...delivery(status), faults: ['unknown_type'] });
    const eventOf = (status: number | null, over: Partial<Run> = {}) =>
      cellOf(
        referenceOf([run()]),
        run({ deliveries: [unknown(status)] }, over),
        fault('unknown-event', { kind: 'webhook.create', when: 'webhook.create', match: {} }),
      ).state;
    expect([eventOf(200), eventOf(null)]).toEqual(['fine', 'not reached']);
    // It died of the event.
    const dead = { crashed: true, failure: 'the application ended with exit code 1' };
    expect([stateOf(null, dead), eventOf(null, dead)]).toEqual(['broken', 'broken']);
  });

  it('reports a check of the story that fails with the fault', () => {
    const check = (sentence: string, isForbidden: boolean) => ({ failedChecks: [{ sentence, isForbidden }] });
    const kinds = (id: string, ...found: Parameters<typeof check>) =>
      judge(sent, run({ ...sent.facts }, check(...found)), id).map(([kind]) => kind);
    expect([kinds('503', 'Too few.', false), kinds('window-closed', 'Too few.', false)]).toEqual([
      ['check failed'],
      [],
    ]);
    expect(kinds('window-closed', 'Nobody who opted out gets a message.', true)).toEqual(['check failed']);
  });

  it('doubts such a check if the application got no event of a message, which came before it had an endpoint', () => {
    const failedChecks = [{ sentence: 'After STOP, nothing.', isForbidden: true }];
    const received = [{ from: to, created_at: at(2) }];
    const heard = { event_type: 'message.received', event_id: 'e', state: 'delivered', attempts: [] };
    const usual = run({ ...sent.facts, received, deliveries: [heard] });
    const judged = (...deliveries: object[]) =>
      judge(usual, run({ ...sent.facts, received, deliveries }, { failedChecks }), 'throttled');
    expect([judged(), judged(heard, heard)]).toEqual([[['check failed', false]], [['check failed', true]]]);
  });

  it('takes a message to somebody else that names the customer for no claim about them', () => {
    const rejected = request({
      status: 400,
      error: 'undeliverable',
      request: { headers: {}, body: { to, type: 'text' } },
    });
    const row = (number: string, status: string | null, purpose: string) => ({ to: number, status, purpose });
    const usual = run({ messages: [message({ status: 'read' })] }, { said: [row(to, 'read', 'question')] });
    const judged = (number: string) =>
      judge(
        usual,
        run(
          { messages: [message({ to: number, status: 'read' })], requests: [rejected] },
          { said: [row(to, null, 'question'), row(number, 'read', `contact:${to}`)] },
        ),
        'refused',
      );
    expect(judged('+12025550199').map(([kind]) => kind)).not.toContain('failure hidden');
    expect(judged(to)).toEqual([]);
  });

  it('finds news that an application takes only after the response to its call, beside a control run', () => {
    const failed = {
      event_type: 'message.status',
      state: 'delivered',
      attempts: [],
      payload: `{"to":"${to}","status":"failed"}`,
    };
    const says = (state: string) => ({ said: { [to]: { visit: state } } });
    const usual = run({ ...sent.facts }, says('announced'));
    const early = fault('failed-first');
    const judged = (found: string, control: string | null) => {
      const reference = referenceOf([usual]);
      if (control !== null) reference.controls.set(early.id, run({}, says(control)));
      const ending = run({ ...sent.facts, deliveries: [failed] }, says(found));
      return deviationsOf(reference, ending, early).map(({ kind, doubt }) => [kind, doubt === null]);
    };
    expect(judged('announced', null)).toEqual([['failure hidden', false]]);
    expect(judged('announced', 'call her')).toEqual([['failure hidden', true]]);
    expect([judged('announced', 'announced'), judged('call her', 'call her')]).toEqual([
      [['failure hidden', false]],
      [],
    ]);
  });

  it('finds an event that was rejected, delivered again and then ignored', () => {
    const attempts = (...statuses: (number | null)[]) => statuses.map((status, i) => ({ status, at: at(60 * i + 2) }));
    const event = (...statuses: (number | null)[]) => ({
      ...{ event_type: 'message.received', state: 'delivered', payload: JSON.stringify({ from: to }) },
      attempts: attempts(...statuses),
    });
    const judged = (delivery: object, ...requests: object[]) =>
      judge(sent, run({ ...sent.facts, messages: [], deliveries: [delivery], requests }), 'throttled');
    expect(judged(event(500, 200))).toEqual([['lost', true]]);
    const send = request({ at: at(63), request: { headers: {}, body: { to, type: 'text' } } });
    expect([judged(event(500, 200), send), judged(event(null, 200)), judged(event(200))]).toEqual([[], [], []]);
    expect(judge(sent, run({ ...sent.facts, deliveries: [event(500, 200)] }), 'throttled')).toEqual([]);
  });

  it('doubts a duplicate after a late registration by which a message of a customer came only by a repetition', () => {
    const received = [{ from: to, created_at: at(2) }];
    const heardAfter = (...statuses: number[]) => ({
      ...{ event_type: 'message.received', event_id: 'e', state: 'delivered' },
      attempts: statuses.map((status) => ({ status })),
    });
    const usual = run({ ...sent.facts, received, deliveries: [heardAfter(200)] });
    const twice = [...sent.facts.messages, ...sent.facts.messages];
    const judged = (...statuses: number[]) =>
      judge(
        usual,
        run({ ...sent.facts, messages: twice, received, deliveries: [heardAfter(...statuses)] }),
        'reset-taken',
        {
          ...{ kind: 'webhook.create', when: 'webhook.create', match: {}, to: null },
        },
      );
    expect([judged(200), judged(401, 200)]).toEqual([[['duplicate', true]], [['duplicate', false]]]);
  });

  it('doubts such a check of a customer who may wait behind calls that fail again and again', () => {
    const about = (customer: string) => [
      { sentence: 'After STOP, nothing.', isForbidden: true, customers: [customer] },
    ];
    const judged = (id: string, customer: string) =>
      judge(sent, run({ ...sent.facts }, { failedChecks: about(customer) }), id);
    expect(judged('throttled', '+12025550111')).toEqual([['check failed', false]]);
    expect(judged('throttled', to)).toEqual([['check failed', true]]);
    // Everybody waits behind the creation of a template.
    const create = { kind: 'template.create', to: null, template: 'news', match: { name: 'news' } };
    const late = run({ ...sent.facts }, { failedChecks: about(to) });
    expect(judge(sent, late, 'throttled', create)).toEqual([['check failed', false]]);
    expect(judged('503', '+12025550111')).toEqual([['check failed', true]]);
    // A minute after it took the event, it cannot but know.
    const stop = (...statuses: number[]) => ({
      ...{ event_type: 'message.received', created_at: at(1), seq: 1, state: 'delivered' },
      ...{
        attempts: statuses.map((status) => ({ status, at: at(1) })),
        payload: JSON.stringify({ data: { from: to } }),
      },
    });
    const afterStop = (isLate: boolean, ...statuses: number[]) =>
      judge(
        sent,
        run(
          { ...sent.facts, deliveries: [stop(...statuses)] },
          { failedChecks: about(to).map((one) => ({ ...one, isLate })) },
        ),
        'review-slow',
        create,
      ).filter(([kind]) => kind === 'check failed');
    expect([afterStop(true, 200), afterStop(false, 200), afterStop(true, 503, 200)]).toEqual([
      [['check failed', true]],
      [['check failed', false]],
      [['check failed', false]],
    ]);
  });

  it('doubts such a check if its customer could not tap a button of a message that failed', () => {
    const tapped = { ...sent, facts: { ...sent.facts, received: [{ from: to, created_at: at(2) }] } as Facts };
    const failedChecks = [{ sentence: 'Who has decided is not reminded.', isForbidden: true }];
    const found = run({ ...sent.facts }, { failedChecks });
    expect([judge(tapped, found, 'blocked'), judge(sent, found, 'blocked')]).toEqual([
      [['check failed', false]],
      [['check failed', true]],
    ]);
    const named = run({ ...sent.facts }, { failedChecks: failedChecks.map((one) => ({ ...one, customers: [to] })) });
    const outage = { kind: 'service', to: null, template: null, match: {} };
    expect(judge(tapped, named, 'outage', outage)).toEqual([['check failed', false]]);
  });

  it('doubts a customer who is not let in although an event showed that the code is correct', () => {
    const expected = run({ messages: [message()] }, { said: { guest: { phone: to, state: 'in' } } });
    const checking = (deliveries: object[]) =>
      run({ deliveries }, { said: { guest: { phone: to, state: 'checking' } } });
    const event = (state: string) => ({
      event_type: 'otp.verified',
      state,
      payload: `{"data":{"to":"${to}"}}`,
      attempts: [],
    });
    const judged = (id: string, ...deliveries: object[]) =>
      judge(expected, checking(deliveries), id, { kind: 'otp.verify', when: 'otp.verify' });
    expect(judged('reset-taken', event('delivered'))).toEqual([['lost', false]]);
    expect(judged('reset-taken', event('failed'))).toEqual([]);
    expect(judged('hang', event('delivered'))).toEqual([]);
    // A test that fails says nothing else.
    const failing = run({ deliveries: [event('delivered')] }, { exited: true, failure: 'exit code 1' });
    expect(judge(run(), failing, 'reset-taken', { kind: 'otp.verify', when: 'otp.verify' })).toEqual([
      ['application failed', false],
    ]);
  });

  it('doubts the loss of what may follow from a rejection whose response the application did not get', () => {
    const notice = message({ id: 'n', to: '+12025550119', created_at: at(9) });
    const usual = run({ messages: [notice] }, { said: { booked: 'failed' } });
    const lost = (where: Partial<Point>) =>
      judge(usual, run({}, { said: { booked: 'failed' } }), 'reset-taken', where).filter(([kind]) => kind === 'lost');
    expect([lost({ isRejected: true }), lost({ isRejected: true, atMs: 20_000 }), lost({})]).toEqual([
      [['lost', false]],
      [['lost', true]],
      [['lost', true]],
    ]);
  });

  it('asks after a slow review that a message is sent late, or that the application says that it gave up', () => {
    const expected = run({ ...sent.facts }, { said: { order: 'open', note: null } });
    const after = (note: string | null) =>
      judge(expected, run({ endpoints: [endpoint()] }, { said: { order: 'open', note } }), 'review-slow', {
        ...{ kind: 'template.create', when: 'template.create', match: { name: 'order_update' } },
        ...{ to: null, template: 'order_update' },
      });
    expect(after(null)).toEqual([['lost', true]]);
    expect(after('order_update was not approved in time')).toEqual([]);
  });

  it('says of an allowed difference about somebody else that another fault of the run may be why', () => {
    const [own, other] = [fault('blocked'), fault('blocked', { to: '+12025550111' })];
    const expected = run({ messages: [message()] }, { said: { calls: 0 } });
    const fallback = message({ id: 'f', to: '+12025550112', text: 'Please ring.' });
    const found = run({ messages: [fallback] }, { said: { calls: 1 } });
    const allowed = (...group: Placed[]) => judgementOf(referenceOf([expected]), found, own, group).allowed;
    const sent = 'text "Please ring." to +12025550112 was sent once, which does not happen without the fault.';
    const lost = 'text "Hello" to +12025550110 was sent 0 times instead of once.';
    expect(allowed(own).slice(0, 2)).toEqual([sent, lost]);
    expect(allowed(own, other).slice(0, 2)).toEqual([`${sent} Another fault of this run may be why.`, lost]);
  });

  it('blames no passing fault for what a final one beside it explains', () => {
    const [own, other] = [fault('503'), fault('blocked', { to: '+12025550111' })];
    const expected = run({}, { said: { failed: 'none' } });
    const found = run(
      {},
      { said: { failed: 'one' }, failedChecks: [{ sentence: 'The cake is ready.', isForbidden: false }] },
    );
    const judged = (...group: Placed[]) =>
      deviationsOf(referenceOf([expected]), found, own, group).map(({ kind }) => kind);
    expect(judged(own)).toEqual(['state differs', 'check failed']);
    expect(judged(own, other)).toEqual([]);
    expect(
      judged(own, fault('twice', { kind: 'message.status', when: 'webhook.deliver', to: '+12025550111' })),
    ).toEqual(['state differs', 'check failed']);
  });

  it('reports of a story that was stopped only what it repeated in vain', () => {
    const calls = [1, 2, 3, 4, 5, 6].map((seconds) => request({ status: 400, at: at(seconds) }));
    expect(judge(sent, run({ requests: calls }, { timedOut: true }), 'window-closed')).toEqual([
      ['useless calls', true],
    ]);
    // What a check forbids has happened; what it demands may come later.
    const stopped = (isForbidden: boolean) =>
      judge(sent, run({}, { timedOut: true, failedChecks: [{ sentence: 'Once only.', isForbidden }] }), '503');
    expect(stopped(true)).toContainEqual(['check failed', true]);
    expect(stopped(false)).not.toContainEqual(['check failed', true]);
  });

  it('doubts a number that may count attempts, and what a short story cuts off', () => {
    const [one, two] = [1, 2].map((attempts) => run({ messages: [message()] }, { said: { made: attempts, attempts } }));
    if (!one || !two) throw new Error('two runs');
    expect(judge(one, two, '503')).toEqual([['state differs', false]]);
    expect(judge(one, two, 'twice', { when: 'webhook.deliver', kind: 'message.received' })).toEqual([
      ['state differs', true],
    ]);
    const returns = new Map([['message.send', { realMs: 1, accountMs: 3_600_000 }]]);
    const reference = { ...referenceOf([sent]), returns };
    const late = fault('503', { atMs: 199_000_000 });
    const [deviation] = deviationsOf(reference, run({ endpoints: [endpoint()] }), late);
    expect(deviation?.doubt).toMatch(/ends before the application repeats/);
  });

  it('reports a rejected call that is repeated again and again, and no hourly one', () => {
    const refused = (seconds: number) => request({ status: 400, at: at(seconds) });
    const throttled = (seconds: number) =>
      request({ status: 429, response: { headers: { 'Retry-After': '2' } }, at: at(seconds) });
    const of = (calls: object[], steered = true) => run({ ...sent.facts, steered, requests: calls });
    const times = [1, 2, 3, 4, 5, 6];
    expect(judge(sent, of(times.map(refused)), '503')).toEqual([['useless calls', true]]);
    // The same call for another code, a while later, begins anew.
    const apart = [1, 2, 3, 301, 302, 303].map(refused);
    expect(judge(sent, of(apart), '503')).toEqual([]);
    const locked = (seconds: number) => request({ status: 429, error: 'otp_max_attempts', at: at(seconds) });
    expect(judge(sent, of(times.map(locked)), '503')).toEqual([]);
    expect(judge(sent, of([...times, ...times, ...times].map(locked)), '503')).toEqual([['useless calls', true]]);
    // The clock of a server's story flows, except while it starts.
    const flowing = (operation: string) => of(times.map((nth) => ({ ...throttled(nth), operation }))) satisfies Run;
    expect(judge(sent, { ...flowing('sendMessage'), flows: true }, '503')).toEqual([['useless calls', true]]);
    expect(judge(sent, { ...flowing('createWebhook'), flows: true }, '503')).toEqual([]);
    // The tool's own user has repeated his call.
    const comebacks = [at(3)];
    expect(judge(sent, { ...of(times.map(refused)), comebacks }, '503')).toEqual([]);
    expect(judge(sent, of(times.map((hour) => refused(hour * 3600))), '503')).toEqual([]);
    expect(judge(sent, of(times.map(throttled), false), '503')).toEqual([['useless calls', true]]);
    expect(judge(sent, of(times.map(throttled), true), '503')).toEqual([]);
    // One repetition before the end of Retry-After may be bad luck.
    expect(judge(sent, of([1, 2, 3].map(throttled), false), '503')).toEqual([['useless calls', true]]);
    expect(judge(sent, of([1, 2].map(throttled), false), '503')).toEqual([]);
    expect(
      judge(
        sent,
        of(
          times.map((nth) => throttled(2 * nth)),
          false,
        ),
        '503',
      ),
    ).toEqual([]);
    // While the clock stands still, the application may have waited in real time.
    expect(
      judge(
        sent,
        of(
          times.map(() => throttled(0)),
          false,
        ),
        '503',
      ),
    ).toEqual([]);
  });
});

it('lets an event come after the last one', () => {
  const status = (name: string) => ({
    ...point,
    id: name,
    kind: 'message.status',
    when: 'webhook.deliver' as const,
    match: { status: name },
  });
  const late = (...names: string[]) =>
    inOrder(names.map(status), false)
      .filter((one) => one.fault.id === 'out-of-order')
      .map((one) => one.point.id);
  expect([late('sent', 'delivered'), late('sent', 'delivered', 'read')]).toEqual([
    ['sent', 'delivered'],
    ['delivered'],
  ]);
});

it('tries a fault once where it shows the same: of each call to a customer, and of a connection', () => {
  const again = { ...point, id: 'second', nth: 2 };
  const tried = (id: string, other: Point) =>
    inOrder([point, other], false).flatMap((one) => (one.fault.id === id ? [one.point.nth] : []));
  expect([tried('refused', again), tried('503', again)]).toEqual([[1], [1, 2]]);
  const other = { ...again, match: { phone: '+12025550111', type: 'text' } };
  expect([tried('refused', other), tried('hang', other)]).toEqual([[1, 2], [1]]);
  expect(tried('hang', { ...other, template: 'news', match: { type: 'template' } })).toEqual([1, 2]);
});

describe('customers of a story', () => {
  const send = (customer: string, over: object = {}): Point => {
    const match = { phone: customer, type: 'text' };
    return { ...point, ...{ id: customer, to: customer, match }, ...over };
  };
  const names = (points: readonly Point[]) => points.map(({ id }) => id);

  it('are left out if the same happens to others: all but the first and the last of them', () => {
    const [a, b, c, d] = ['+1', '+2', '+3', '+4'].map((one) => send(one)) as [Point, Point, Point, Point];
    expect(names(unlike([a, b, c, d]))).toEqual(['+1', '+4']);
    const writes = (says: string) => send('+2', { kind: 'message.received', id: says, says });
    expect(names(unlike([a, b, c, d, writes('STOP')]))).toEqual(['+1', '+2', '+4', 'STOP']);
    // A test of a suite has its own customers.
    const inTest = [a, b, c].map((one, i) => ({ ...one, account: '.test', id: `test ${i}` }));
    expect(names(unlike([a, b, c, ...inTest]))).toEqual(['+1', '+3', 'test 0', 'test 2']);
  });

  it('are kept if they are the first of a batch, which is another call', () => {
    const batch = send('+3', { id: 'batch', batch: true, recipients: ['+3', '+2'] });
    const all = ['+1', '+2', '+3', '+4', '+5'].map((one) => send(one));
    expect(names(unlike([...all, batch]))).toEqual(['+1', '+2', '+3', '+5', 'batch']);
  });

  it('are tried in the largest of several batches, which shows most', () => {
    const batch = (first: string, ...others: string[]) =>
      send(first, {
        ...{ batch: true, recipients: [first, ...others], template: 'news' },
        match: { phone: first, type: 'template', template: 'news' },
      });
    const tried = inOrder([batch('+1'), batch('+4'), batch('+5', '+6', '+7')], false);
    const at = (id: string) => tried.filter((one) => one.fault.id === id).map((one) => one.point.id);
    expect([at('hang'), at('entry-refused')]).toEqual([['+5'], ['+5', '+1', '+4']]);
  });

  it('are tried in the first round if they write something else', () => {
    const received = (id: string, says: string): Point => {
      const match = { event: 'message.received', phone: id };
      return send(id, { kind: 'message.received', when: 'webhook.deliver', match, says });
    };
    const points = [received('+1', 'Where is <number>?'), received('+2', 'Where is <number>?'), received('+3', 'STOP')];
    const tried = inOrder(points, false).filter(({ fault: { id } }) => id === 'twice');
    expect(tried.map((one) => one.point.id)).toEqual(['+1', '+3', '+2']);
  });
});

it('doubts the loss of a reply after a 503, whose outcome the state need not contain', () => {
  const judged = (received: object[], over: object = {}, id = '503') =>
    judge(run({ messages: [message(over)], received }), run({ received }), id, over);
  const asked = [{ from: to, created_at: at(0) }];
  expect(judged(asked)).toEqual([['lost', false]]);
  expect([judged([]), judged(asked, { type: 'template', template: { name: 'news' } })]).toEqual([
    [['lost', true]],
    [['lost', true]],
  ]);
  expect(judged(asked, {}, '429')).toEqual([['lost', true]]);
});

it('doubts a command that gives up after a 503, and says so in its state and by its exit code', () => {
  const usual = run({ messages: [message()] }, { said: { ok: true, not_sent: [] } });
  const judged = (over: Partial<Run>, id = '503') =>
    judge(usual, run({}, { said: { ok: false, not_sent: ['A1'] }, ...over }), id).every(([, isBreak]) => !isBreak);
  const failed = { failure: 'exit code 1', exited: true };
  expect([judged(failed), judged({}), judged({ ...failed, crashed: true })]).toEqual([true, false, false]);
  expect([judged({ ...failed, said: usual.said }), judged(failed, '429')]).toEqual([false, false]);
});

it('doubts a command without a state that fails after a 503: only its exit code can say so', () => {
  const usual = run({ messages: [message()] });
  const judged = (id: string) => judge(usual, run({}, { failure: 'exit code 1', exited: true }), id);
  expect(judged('503').map(([, isBreak]) => isBreak)).toEqual([false, false]);
  expect(judged('429').map(([, isBreak]) => isBreak)).toContain(true);
});

describe('an application that does one thing at a time', () => {
  const other = '+12025550111';
  const wrote = (...seconds: number[]) => seconds.map((second) => ({ from: other, created_at: at(second) }));
  const got = (second: number) =>
    message({ id: `${second}`, to: other, text: 'abcdefg'.slice(0, second), created_at: at(second) });
  const hung = (usual: Run, found: Run) => judge(usual, found, 'hang', { atMs: 10_000 });

  it('may be late for a customer, who then cannot write: what follows from that is doubtful', () => {
    const usual = run({ messages: [got(2), got(4), got(6)], received: wrote(1, 3, 5) });
    expect(hung(usual, run({ messages: [got(2), got(4)], received: wrote(1, 3) }))).toEqual([['lost', false]]);
    // That the customer could not write follows from a message that was lost.
    expect(hung(usual, run({ messages: [got(2)], received: wrote(1, 3) }))).toEqual([
      ['lost', true],
      ['lost', false],
    ]);
    expect(hung(usual, run({ messages: [got(2), got(4)], received: wrote(1, 3, 5) }))).toEqual([['lost', true]]);
  });

  it('answers otherwise a customer who wrote before it was done', () => {
    const usual = run({ messages: [got(1)], received: wrote(1) });
    const answer = { ...got(2), text: 'Which visit?' };
    const judged = (received: object[], more: object = {}, where: Partial<Point> = {}) =>
      judge(usual, run({ messages: [got(1), { ...answer, ...more }], received }), '503', where);
    expect(judged(wrote(1))).toEqual([['state differs', false]]);
    expect(judged(wrote(3))).toContainEqual(['state differs', true]);
    expect(judged(wrote(1), { type: 'template', template: { name: 'offer' } })).toEqual([['state differs', true]]);
    expect(judged(wrote(1), {}, { to: other })).toEqual([['state differs', true]]);
  });

  it('may accept a step that it usually rejects, since it has not handled what came before', () => {
    const answered = (status: number) => ({ answers: [{ call: 'POST /notify', status }] });
    const twice = { messages: [got(2), { ...got(2), id: 'again' }] };
    const usual = run({ messages: [got(2)] }, answered(409));
    expect(hung(usual, run(twice, answered(200)))).toEqual([['duplicate', false]]);
    expect(hung(usual, run(twice, answered(409)))).toEqual([['duplicate', true]]);
  });

  it('misses what customers write before it has registered its endpoint, and may wait for them in vain', () => {
    const received = wrote(1, 3);
    const event = (id: string) => ({ event_type: 'message.received', state: 'delivered', event_id: id, attempts: [] });
    const usual = run({ messages: [got(2)], received, deliveries: [event('a'), event('b')] });
    const registering = { kind: 'webhook.list', when: 'api.any' as const, match: { method: 'GET' }, to: null };
    const judged = (found: object, ending: Partial<Run> = {}) =>
      judge(usual, run({ received, ...found }, ending), '502', registering);
    expect(judged({ deliveries: [event('b')] })).toEqual([['lost', false]]);
    expect(judged({ deliveries: [event('a'), event('b')] })).toEqual([['lost', true]]);
    const endless = { messages: [got(2)], deliveries: [event('b')] };
    expect(judged(endless, { timedOut: true })).toEqual([['never settles', false]]);
    expect(judged({ ...endless, deliveries: usual.facts.deliveries }, { timedOut: true })).toEqual([
      ['never settles', true],
    ]);
  });

  it('misses events that come while its endpoint is paused', () => {
    const placed = { ...fault('503'), fault: { ...fault('503').fault, pauses: true } };
    const deviations = (found: Run) => deviationsOf(referenceOf([run({ messages: [got(2)] })]), found, placed);
    expect(deviations(run()).map(({ doubt }) => doubt)).toEqual([
      'Events that come while the endpoint is paused are lost.',
    ]);
  });
});

it('tries a code that is wrong in the first round, as a code that is right', () => {
  const verify = (nth: number, outcome: string) => ({
    ...{ ...point, id: `${nth}`, nth, kind: 'otp.verify', match: { phone: to }, outcome },
  });
  const points = [verify(1, 'valid: true'), verify(2, 'valid: true'), verify(3, 'valid: false')];
  const first = inOrder(points, false).filter(({ fault: { id } }) => id === '503');
  expect(first.map((one) => one.point.nth)).toEqual([1, 3, 2]);
  const once = inOrder(points, false).filter(({ fault: { id } }) => id === '502');
  expect(once.map((one) => one.point.nth)).toEqual([1, 3]);
});

it('tries the same cells in the next exploration, in which two customers write in the other order', () => {
  const points = ['+12025550111', '+12025550112'].map((phone) => ({ ...point, id: phone, to: phone }));
  const ids = (all: readonly Point[]) => inOrder(all, false).map(({ id }) => id);
  expect(ids(points)).toContain('+12025550111/502');
  expect(ids(points.toReversed())).toEqual(ids(points));
});

it('offers each point the faults of its own kind first', () => {
  const ids = (over: Partial<Point>) => faultsAt({ ...point, ...over }, false).map(({ id }) => id);
  expect(ids({ match: { phone: to, type: 'template' }, batch: true })[0]).toBe('entry-refused');
  expect(ids({}).slice(0, 2)).toEqual(['refused', 'window-closed']);
  // What takes long to try comes last.
  const ranks = Object.fromEntries(faultsAt(point, false).map(({ id, rank }) => [id, rank]));
  expect(Math.max(...Object.values(ranks))).toBe(ranks['hang']);
  expect(ranks['throttled']).toBeLessThan(ranks['slow'] ?? 0);
  const read = { ...point, kind: 'message.get', match: { phone: to } };
  const classes = Object.fromEntries(faultsAt(read, false).map((each) => [each.id, each.class]));
  // The time in which an application looks may be over when the response comes, or when it stops waiting for it.
  expect(classes).toMatchObject({
    '503': 'recoverable',
    'reset-taken': 'recoverable',
    hang: 'uncertain',
    slow: 'uncertain',
  });
});
