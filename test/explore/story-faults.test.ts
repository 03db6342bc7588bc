/** Faults that need to know the whole story. */
import { describe, expect, it } from 'vitest';
import { deviationsOf } from '../../src/explore/oracle/oracle.js';
import { referenceOf } from '../../src/explore/facts/end-state.js';
import { cellOf } from '../../src/explore/tries/cells.js';
import { controlOf } from '../../src/explore/faults/control.js';
import { inOrder, ruleIdOf, ruleOf, withFault } from '../../src/explore/faults/placed.js';
import { storyFaultsIn } from '../../src/explore/faults/story-faults.js';
import { writeFile } from '../../src/explore/tries/file.js';
import type { Run } from '../../src/explore/facts/types.js';
import { at, fault, message, point, request, run, to } from './runs.js';

const received = (nth: number, minutes: number, from = to) => ({
  ...point,
  id: `message.received:${from}:${nth}`,
  kind: 'message.received',
  when: 'webhook.deliver' as const,
  match: { event: 'message.received', phone: from },
  nth,
  to: from,
  atMs: minutes * 60_000,
});
const send = (minutes: number) => ({ ...point, atMs: minutes * 60_000 });
const story = (expected: object[] = [], stepsMs: number[] = []) => ({
  ...{ scenario: { expect: expected }, timeline: [], stepsMs },
});

describe('a code that a wrong code has locked', () => {
  const path = '/visits/7/code';
  const call = (url: string, body?: object) => ({
    http: { url, ...(body && { body }), ...(!body && { method: 'POST' }) },
  });
  const timeline = [
    { at: '+10m', ...call(path) },
    { at: '+10m', ...call('/visits/8/code') },
    { at: '+11m', ...call('/visits/7/check', { code: `\${code ${to}}` }) },
  ];
  const sent = {
    ...point,
    id: `otp.send:${to}:1`,
    kind: 'otp.send',
    when: 'otp.send' as const,
    match: { phone: to },
    atMs: 600_050,
  };
  const checked = {
    ...sent,
    id: `otp.verify:${to}:1`,
    kind: 'otp.verify',
    when: 'otp.verify' as const,
    outcome: 'valid: true',
    atMs: 660_020,
  };
  const faultsOf = (steps: readonly object[]) =>
    storyFaultsIn({ ...story(), timeline: steps }, [sent, checked]).filter(({ fault: { id } }) => id === 'new-code');

  it('makes the customer ask for a new one, by the call that is most like the check', () => {
    const [placed = null] = faultsOf(timeline);
    expect(placed && ruleOf(placed)).toMatchObject({
      when: 'otp.send',
      match: { phone: to },
      pick: { calls: 1 },
      then: { otp: { attempts: 1 } },
    });
    const wrongly = { at: '+11m', http: { url: '/visits/7/check', body: { code: '000001' } } };
    const again = [
      { at: '+11m1s', http: { body: { code: `\${code ${to}}` } } },
      { at: '+11m5s', http: { url: path } },
      { at: '+11m10s', http: { body: { code: `\${code ${to}}` } } },
    ];
    expect(placed && withFault(timeline, placed)).toMatchObject([...timeline.slice(0, 2), wrongly, ...again]);
    expect(faultsOf(timeline.slice(1, 2))).toEqual([]);
    // The first of two codes is not the one that the customer types.
    const resent = { ...sent, id: `otp.send:${to}:2`, nth: 2, atMs: 640_000 };
    const asksAgain = [...timeline.slice(0, 1), { at: '+10m40s', ...call(path) }, ...timeline.slice(2)];
    const [second, ...none] = storyFaultsIn({ ...story(), timeline: asksAgain }, [sent, resent, checked])
      .filter(({ fault: { id } }) => id === 'new-code')
      .map((one) => one.point.nth);
    expect([second, none]).toEqual([2, []]);
    // A further request has a key of its own.
    const [keyed] = faultsOf([{ at: '+10m', ...call(path, { slot: '7', request_id: 'a' }) }, ...timeline.slice(2)]);
    expect(keyed?.fault.steps?.at(1)).toMatchObject({ http: { body: { slot: '7', request_id: 'a-again' } } });
    const written = [
      { at: '+10m', inbound: { phone: to, text: 'CODE' } },
      { at: '+11m', inbound: { phone: to, text: '${code}' } },
    ];
    expect(faultsOf(written)[0]?.fault).toMatchObject({
      replaced: { index: 1, step: { inbound: { text: '000001' } } },
      steps: [{ inbound: { text: '${code}' } }, { inbound: { text: 'CODE' } }, {}],
    });
  });

  it('is asked for at the same time as other customers do, by the same path', () => {
    const ask = (slot: string) => ({ at: '+11m', ...call('/release', { slot }) });
    const type = { at: '+11m', ...call('/release/confirm', { slot: 'S1', code: `\${code ${to}}` }) };
    const asking = { ...sent, atMs: 660_010 };
    const askedBy = (...steps: object[]) =>
      storyFaultsIn({ ...story(), timeline: steps }, [asking, checked])
        .filter(({ fault: { id } }) => id === 'new-code')
        .map(({ fault: { replaced, steps: more } }) => [replaced?.index, (more as (typeof type)[]).at(1)?.http.body]);
    const typo = { at: '+11m', ...call('/release/confirm', { slot: 'S1', code: '111111' }) };
    expect(askedBy(ask('S1'), ask('S1'), ask('S3'), typo, type)).toEqual([[4, { slot: 'S1' }]]);
    // Checks of the story may name the step.
    const [named] = storyFaultsIn({ ...story(), timeline: [ask('S1'), { ...type, id: 'typed' }] }, [asking, checked]);
    expect(named?.fault.replaced?.step).toMatchObject({ id: 'typed', http: { body: { code: '000001' } } });
    // One of two others, or none before the code is typed.
    expect([askedBy(ask('S3'), ask('S4'), type), askedBy(type, ask('S1'))]).toEqual([[], []]);
  });

  it('must lead to a new one if the application agrees to send it', () => {
    const [placed = null] = faultsOf(timeline);
    const otp = (state: string) => ({ otp_id: 'o', to, state, message_id: 'm' });
    const usual = run({ otps: [otp('verified')] });
    const lockedCode = (id: string) =>
      request({
        ...{ operation: 'verifyOtp', path: '/v1/otp/verify', status: 429, error: 'otp_max_attempts', seq: 5 },
        request: { headers: {}, body: { otp_id: id, code: '1' } },
      });
    const locked = lockedCode('o');
    const another = request({
      operation: 'sendOtp',
      path: '/v1/otp/send',
      seq: 6,
      request: { headers: {}, body: { to } },
    });
    const judged = (status: number, requests: object[], state = 'locked') => {
      const answers = [
        { call: `POST ${path}`, status },
        { call: `POST ${path}`, sent: { of: 'another customer' }, status: 409 },
      ];
      const found = run({ otps: [otp(state)], requests }, { answers });
      return deviationsOf(referenceOf([usual]), found, placed).map(({ kind, sentence, doubt }) => [
        kind,
        sentence,
        doubt,
      ]);
    };
    const words = `After a wrong code had locked the code of ${to}, the application responded 200 to POST ${path}, but sent no new code.`;
    expect(judged(200, [locked])).toEqual([['lost', words, null]]);
    // An application that takes it for a rate limit may be right with another status.
    expect(judged(200, [locked, locked, locked, locked])).toEqual([
      ['lost', words, expect.stringContaining('in a dialect')],
    ]);
    expect(judged(409, [locked])).toEqual([]);
    expect(judged(200, [locked, another])).toEqual([]);
    // The code of another customer was locked.
    expect(judged(200, [lockedCode('other')])).toEqual([]);
    expect(judged(200, [])).toEqual([]);
    expect(judged(200, [locked], 'verified')).toEqual([]);
    // The further steps may lead to a further message.
    const [once, twice] = [[message()], [message(), message({ id: 'again' })]].map((messages) => run({ messages }));
    expect(once && twice && deviationsOf(referenceOf([once]), twice, placed)).toEqual([]);
  });
});

describe('two messages of a customer', () => {
  const swaps = (points: Parameters<typeof storyFaultsIn>[1], stepsMs: number[] = []) =>
    storyFaultsIn(story([], stepsMs), points)
      .filter(({ fault }) => fault.id === 'swapped')
      .map(({ id, fault }) => [id.split(':').slice(2).join(':'), fault.rule?.then]);

  it('arrive in the other order', () => {
    const delay = (time: string) => ['1/swapped', { webhook: { delay: time } }];
    expect(swaps([received(1, 10), received(2, 11)])).toEqual([delay('1m5s')]);
    expect(swaps([received(1, 10), received(1, 11, '+12025550119'), received(2, 12)])).toEqual([delay('2m5s')]);
  });

  it('stay in order where they are far apart, and with another customer', () => {
    expect(swaps([received(1, 10), received(2, 60)])).toEqual([]);
    expect(swaps([received(1, 10), received(1, 11, '+12025550119')])).toEqual([]);
    // The customer taps a button of the answer to the first one.
    const buttons = { ...point, match: { to, type: 'interactive' }, atMs: 601_000 };
    expect(swaps([received(1, 10), buttons, received(2, 11)])).toEqual([]);
    expect(swaps([received(1, 10), { ...buttons, to: '+12025550119' }, received(2, 11)])).toHaveLength(1);
  });

  it('leave a doubt whatever differs then, as no order is promised', () => {
    const [swapped = null] = storyFaultsIn(story(), [received(1, 10), received(2, 11)]);
    const [expected, found] = [run({}, { said: { score: 5 } }), run({}, { said: { score: 2 } })];
    const doubted = (usual: typeof expected, other: typeof found) =>
      deviationsOf(referenceOf([usual]), other, swapped).map(({ kind, doubt }) => [kind, doubt !== null]);
    expect(doubted(expected, found)).toEqual([['state differs', true]]);
    const failing = run({}, { failedChecks: [{ sentence: 'After STOP, nothing.', isForbidden: true }] });
    expect(doubted(run(), failing)).toEqual([['check failed', true]]);
    const twice = run({ messages: [message(), message({ id: 'again' })] });
    expect(doubted(run({ messages: [message()] }), twice)).toEqual([['duplicate', true]]);
  });
});

it('delivers a message again after the next one of the customer, once for each customer', () => {
  const points = [received(1, 10), received(2, 40), received(3, 50), received(1, 10, '+12025550119')];
  const again = storyFaultsIn(story(), points).filter(({ fault: { id } }) => id === 'again-later');
  expect(again.map((one) => one.point.nth)).toEqual([1]);
  // Attempts at 0, 1 and 6 minutes are too early, the one at 36 minutes is not.
  expect(again[0] && ruleOf(again[0])).toMatchObject({
    ...{ match: { phone: to, attempts: { max: 3 } }, then: { webhook: { receiver: { simulate: 'late' } } } },
  });
  expect(storyFaultsIn(story(), [received(1, 10), received(2, 200)]).map(({ fault: { id } }) => id)).not.toContain(
    'again-later',
  );
});

describe('a story that goes on before a failed call is repeated', () => {
  const forbids = { at: 'finish', that: 'sent', count: 0 };
  const [hurry] = storyFaultsIn(story([forbids], [2 * 60_000]), [send(1)]);

  it('is tried where a check forbids something', () => {
    expect(hurry?.fault).toMatchObject({ id: 'hurry', hurriesMs: 2 * 60_000 + 1_000 });
    expect(storyFaultsIn(story([{ at: 'finish', that: 'sent', min: 1 }], [2 * 60_000]), [send(1)])).toEqual([]);
  });

  it('is tried at the last send to a customer before it writes first, then before steps, and not where nothing follows', () => {
    const other = { ...send(4), to: '+12025550119' };
    const all = [send(1), send(3), other, received(1, 5), send(6), send(8)];
    const tried = storyFaultsIn(
      story(
        [forbids],
        [1, 2, 3, 6, 7].map((minute) => minute * 60_000),
      ),
      all,
    ).filter(({ fault }) => fault.id === 'hurry');
    expect(tried.map(({ point: { atMs } }) => atMs / 60_000)).toEqual([3, 1, 4, 6]);
    const [first] = storyFaultsIn(story([{ ...forbids, where: { to: other.to } }]), [
      ...all.slice(0, 3),
      received(1, 5, other.to),
      received(1, 6),
    ]).filter((one) => one.fault.id === 'hurry');
    expect(first?.point.to).toBe(other.to);
  });

  it('shows only a check that forbids something, and leaves a doubt', () => {
    if (!hurry) throw new Error('there is none');
    const check = (isForbidden: boolean) => ({ failedChecks: [{ sentence: 'After STOP, nothing.', isForbidden }] });
    const kinds = (found: Parameters<typeof run>[1]) =>
      deviationsOf(referenceOf([run({}, { said: { sent: 2 } })]), run({}, found), hurry).map(({ kind }) => kind);
    expect(kinds({ said: { sent: 1 }, ...check(true) })).toEqual(['check failed']);
    const doubted = deviationsOf(referenceOf([run()]), run({}, check(true)), hurry).map(({ doubt }) => doubt);
    expect(doubted).toEqual([expect.stringContaining('repetition was under way')]);
    expect(kinds({ said: { sent: 1 }, ...check(false), failure: 'POST /x got the response 500' })).toEqual([]);
    const soon = { failedChecks: [{ sentence: 'After STOP, nothing.', isForbidden: true, isSoon: true }] };
    const doubts = deviationsOf(referenceOf([run()]), run({}, soon), hurry).map(({ doubt }) => doubt);
    expect(doubts).toEqual([expect.stringContaining('was under way')]);
    const limit = { failedChecks: [{ sentence: 'One reply.', isForbidden: true, isLimit: true }] };
    expect(deviationsOf(referenceOf([run()]), run({}, limit), hurry)).toEqual([]);
    const doubtsAfter = (id: string) =>
      deviationsOf(referenceOf([run()]), run({}, limit), fault(id)).map(({ doubt: why }) => why === null);
    expect([doubtsAfter('503'), doubtsAfter('window-closed'), doubtsAfter('blocked')]).toEqual([
      [true],
      [true],
      [false],
    ]);
    const deviation = { kind: 'check failed' as const, sentence: 'x', doubt: null, expect: null };
    const how = { command: () => 'run', extends: null, story: null };
    expect(writeFile(hurry, deviation, run(), how, 0).hidden).toMatch(/waits until/);
    expect(ruleOf(hurry)).toMatchObject({ then: { respond: { status: 503, retry_after: '3s' } } });
  });

  it('is tried with the usual faults, in the order of their ranks', () => {
    const all = inOrder([send(1)], true, hurry ? [hurry] : []).map(({ fault }) => fault.id);
    expect(all.indexOf('hurry')).toBeGreaterThan(all.indexOf('503'));
    expect(all.indexOf('hurry')).toBeLessThan(all.indexOf('slow'));
  });
});

describe('a customer who opts out while a message waits', () => {
  const forbids = { that: 'sent', where: { template: 'news' }, after: 'bob-stops', max: 0 };
  const timeline = [
    { id: 'bob-stops', at: '+1m', inbound: { phone: '+12025550119', text: 'STOP' } },
    { id: 'cleo-stops', at: '+1m', inbound: { phone: '+12025550118', text: 'Stop it' } },
  ];
  const news = (minutes: number, over: object = {}) => ({ ...send(minutes), template: 'news', ...over });
  const bob = { to: '+12025550119' };
  const optOuts = (expected: object[], points: Parameters<typeof storyFaultsIn>[1]) =>
    storyFaultsIn({ ...story(expected), timeline }, points).filter(({ fault: { id } }) => id === 'opt-out');
  const stops = { ...received(1, 1, bob.to), says: 'STOP' };

  it('is tried where a check forbids a template after such words, at a customer who does not write them', () => {
    const [placed, ...others] = optOuts(
      [forbids, { ...forbids, after: 'cleo-stops' }],
      [stops, news(2, bob), news(2), news(3)],
    );
    expect([placed?.point.to, others]).toEqual([to, []]);
    expect(placed?.fault).toMatchObject({ inbound: { phone: to, text: 'STOP' }, hurriesMs: 122_000 });
    expect(placed && withFault([], placed)).toEqual([{ at: '+2m1s', inbound: { phone: to, text: 'STOP' } }]);
    expect(optOuts([{ ...forbids, after: undefined }], [stops, news(2)])).toEqual([]);
    expect(optOuts([{ ...forbids, max: 1 }], [stops, news(2)])).toEqual([]);
    expect(optOuts([forbids], [stops, news(2, { isRejected: true })])).toEqual([]);
    expect(optOuts([forbids], [stops, news(2, bob), news(2, { template: 'order' }), send(2)])).toEqual([]);
  });

  it('is no employee, who gets other templates than those who opt out', () => {
    const ofBob = { that: 'sent', where: { to: bob.to, type: 'template' }, after: 'bob-stops', max: 0 };
    const staff = send(2);
    const [alarm, hello] = ['alarm', 'hello'].map((template) => ({ ...staff, template }));
    const customers = (...more: object[]) =>
      storyFaultsIn({ ...story([ofBob]), timeline }, [stops, ...(more as (typeof staff)[])])
        .filter(({ fault: { id } }) => id.startsWith('opt-out'))
        .map(({ point: { template }, fault: { id } }) => `${template} ${id}`);
    const helloToBob = { ...staff, ...bob, template: 'hello' };
    expect(customers(helloToBob, alarm ?? {})).toEqual([]);
    expect(customers(helloToBob, hello ?? {}, alarm ?? {})).toContain('alarm opt-out');
    expect(customers(alarm ?? {})).toContain('alarm opt-out');
  });

  it('leaves a doubt if the application then sends the message, and none if it sends it before it knows', () => {
    const [placed] = optOuts([forbids], [stops, news(2)]);
    if (!placed) throw new Error('there is none');
    const usual = referenceOf([run({ messages: [] }, { said: { sent: 1 } })]);
    const sent = (seconds: number, template = 'news') =>
      request({ at: at(seconds), request: { headers: {}, body: { to, template: { name: template } } } });
    const hits = { [ruleIdOf(placed)]: 1 };
    const heard = {
      ...{ event_type: 'message.received', created_at: at(3), seq: 1, state: 'delivered' },
      ...{ attempts: [{ status: 200, at: at(3) }], payload: JSON.stringify({ data: { from: to, text: 'STOP' } }) },
    };
    const judged = (requests: object[], deliveries: object[] = [heard]) => {
      const found = run({ requests, deliveries, hits }, { said: { sent: 0 } });
      const { state, deviations } = cellOf(usual, found, placed);
      return [state, ...deviations.map(({ kind }) => kind)];
    };
    expect(judged([sent(5)])).toEqual(['doubtful', 'check failed']);
    expect([judged([sent(2)]), judged([sent(5, 'order')]), judged([])]).toEqual([['fine'], ['fine'], ['fine']]);
    expect(judged([sent(5)], [])).toEqual(['not reached']);
  });

  it('gets no template in place of a message that fails after that', () => {
    const failing = (where: object, points: Parameters<typeof storyFaultsIn>[1]) =>
      storyFaultsIn({ ...story([{ ...forbids, where: { to: bob.to, ...where } }]), timeline }, points).filter(
        ({ fault: { id } }) => id === 'opt-out-failed',
      );
    const [placed, ...others] = failing({}, [stops, { ...send(2), ...bob }, send(2), send(3)]);
    if (!placed) throw new Error('there is none');
    expect([placed.point.to, others]).toEqual([to, []]);
    expect(ruleOf(placed)?.then).toEqual({ lifecycle: [{ sent: '0s' }, { failed: '5s', error: 'undeliverable' }] });
    // A check of one template allows the others.
    expect([failing({ template: 'news' }, [send(2)]), failing({ type: 'text' }, [send(2)])]).toEqual([[], []]);
    const heard = {
      ...{ event_type: 'message.received', created_at: at(3), seq: 1, state: 'delivered' },
      ...{ attempts: [{ status: 200, at: at(3) }], payload: JSON.stringify({ data: { from: to, text: 'STOP' } }) },
    };
    const sent = (template?: object) =>
      request({ at: at(8), request: { headers: {}, body: { to, ...(template && { template }) } } });
    const update = message({ template: { name: 'update' } });
    const judged = (before: object[], ...requests: object[]) => {
      const found = run({ requests, messages: [update], deliveries: [heard], hits: { [ruleIdOf(placed)]: 1 } });
      return cellOf(referenceOf([run({ messages: before })]), found, placed).state;
    };
    const updates = sent({ name: 'update' });
    expect([judged([], updates), judged([], sent()), judged([])]).toEqual(['broken', 'fine', 'fine']);
    // It comes without the fault as well.
    expect(judged([update], updates)).toBe('fine');
  });

  describe('for a review or a timer', () => {
    const waiting = (expected: object[], points: Parameters<typeof storyFaultsIn>[1], stepsMs: number[] = []) =>
      storyFaultsIn({ ...story(expected, stepsMs), timeline }, points).filter(
        ({ fault: { id } }) => id === 'opt-out-before',
      );
    const after = (template: string, atMs: number, over: object = {}) => ({ ...news(0, over), template, atMs });
    const ofBob = { that: 'sent', where: { template: 'news', to: bob.to }, max: 0 };

    it('is tried a little before the send, for a batch as well, unless something has just caused it', () => {
      const [placed, ...others] = waiting([ofBob], [stops, after('news', 120_500, { batch: true }), news(3)], [60_000]);
      expect(others).toEqual([]);
      expect(placed && withFault([], placed)).toEqual([{ at: '+1m58s', inbound: { phone: to, text: 'STOP' } }]);
      expect(waiting([ofBob], [stops, news(2)], [118_000])).toEqual([]);
      expect(waiting([ofBob], [stops, { ...received(1, 2), says: 'YES' }, news(2)])).toEqual([]);
    });

    it('knows the words by a check of a customer who has written them', () => {
      expect(waiting([{ ...ofBob, where: { ...ofBob.where, to: '+12025550118' } }], [stops, news(2)])).toEqual([]);
      const [said] = timeline.map((step) => ({ ...step, inbound: { ...step.inbound, text: 'YES' } }));
      const placed = storyFaultsIn({ ...story([ofBob]), timeline: [said] }, [stops, news(2)]);
      expect(placed.filter(({ fault: { id } }) => id.startsWith('opt-out'))).toEqual([]);
    });

    it('breaks an application that sends it all the same, and has no file', () => {
      const [placed] = waiting([ofBob], [stops, news(2)]);
      if (!placed) throw new Error('there is none');
      const heard = {
        ...{ event_type: 'message.received', created_at: at(118), seq: 1, state: 'delivered' },
        ...{ attempts: [{ status: 200, at: at(118) }], payload: JSON.stringify({ data: { from: to, text: 'STOP' } }) },
      };
      const sent = request({
        at: at(120),
        request: { headers: {}, body: { to: [bob.to, to], template: { name: 'news' } } },
      });
      const judged = (requests: object[]) =>
        cellOf(referenceOf([run()]), run({ requests, deliveries: [heard] }), placed).deviations;
      expect(judged([])).toEqual([]);
      const [found] = judged([sent]);
      expect(found).toMatchObject({ kind: 'check failed', doubt: null });
      const how = {
        command: () => 'x',
        extends: null,
        story: { scenario: {}, timeline: [], state: [], stepsMs: [], endMs: 0 },
      };
      expect(found && writeFile(placed, found, run(), how, 1000).hidden).toMatch(/^Without the fault/);
    });
  });
});

it('lets no message out whose template was rejected, where the application has asked', () => {
  const placed = fault('rejected', { kind: 'template.create', when: 'template.create', to: null, template: 'news' });
  const read = (seconds: number, status: string) =>
    request({
      ...{ operation: 'getTemplate', method: 'GET', path: '/v1/templates/t', at: at(seconds) },
      response: { headers: {}, body: { name: 'news', status } },
    });
  const told = (seconds: number, status: string) => ({
    ...{ event_type: 'template.status', created_at: at(seconds), seq: 1, state: 'delivered' },
    ...{ attempts: [{ status: 200, at: at(seconds) }], payload: JSON.stringify({ data: { name: 'news', status } }) },
  });
  const sent = (seconds: number) =>
    request({ at: at(seconds), request: { headers: {}, body: { to, template: { name: 'news' } } } });
  const judged = (usual: object, found: object, flows = true, said: unknown = null) =>
    deviationsOf(referenceOf([run(usual)]), run(found, { flows, said }), placed).filter(
      ({ kind, doubt }) => kind === 'useless calls' && doubt === null,
    ).length;
  const approved = { requests: [read(10, 'approved'), sent(10)] };
  expect(judged(approved, { requests: [read(10, 'rejected'), sent(10)] })).toBe(1);
  expect(judged(approved, { requests: [sent(10)], deliveries: [told(10, 'rejected')] })).toBe(1);
  // Another test may send it.
  expect(judged(approved, { requests: [read(10, 'rejected'), sent(10)] }, false)).toBe(0);
  expect(judged(approved, { requests: [read(10, 'rejected'), sent(10)] }, false, { sent: 1 })).toBe(1);
  // It does not look, or sends at its own time.
  expect(judged({ requests: [sent(10)] }, { requests: [read(10, 'rejected'), sent(10)] })).toBe(0);
  expect(judged(approved, { requests: [read(10, 'rejected'), sent(12)] })).toBe(0);
  expect(judged(approved, { requests: [read(10, 'rejected')] })).toBe(0);
});

describe('a response that the one of the next call overtakes', () => {
  const sendsCode = (minutes: number, nth: number) => ({
    ...{ ...point, id: `otp.send:${to}:${nth}`, kind: 'otp.send', when: 'otp.send' as const, match: { phone: to } },
    ...{ nth, atMs: minutes * 60_000 },
  });
  const [placed] = storyFaultsIn(story(), [sendsCode(1, 1), sendsCode(2, 2), sendsCode(90, 3)]);
  const calls = (count: number) => ({
    requests: Array.from({ length: count }, (_, i) => request({ operation: 'sendOtp', seq: i, at: at(i) })),
  });

  it('is tried where another call to the same customer follows soon, and time goes on until then', () => {
    expect(placed).toMatchObject({ id: `otp.send:${to}:1/overtaken`, fault: { hurriesMs: 2 * 60_000 + 1_000 } });
    expect(storyFaultsIn(story(), [sendsCode(1, 1), { ...sendsCode(2, 2), to: '+12025550119' }])).toEqual([]);
    expect(storyFaultsIn(story(), [sendsCode(1, 1), sendsCode(90, 2)])).toEqual([]);
  });

  it('breaks only an application that makes the next call all the same, and waits for late responses', () => {
    if (!placed) throw new Error('there is none');
    const verified = { otps: [{ to, state: 'verified' }] };
    const reference = referenceOf([run({ ...calls(2), ...verified }, { said: { login: 'done' } })]);
    const hits = { hits: { [ruleIdOf(placed)]: 1 } };
    const state = (count: number, more = {}) =>
      cellOf(reference, run({ ...calls(count), ...hits, ...more }, { said: { login: 'code sent' } }), placed).state;
    expect([state(1), state(2)]).toEqual(['not reached', 'doubtful']);
    // The second call came only after the response to the first one.
    const late = [request({ operation: 'sendOtp' }), request({ operation: 'sendOtp', seq: 2, at: at(600) })];
    expect(state(2, { requests: late })).toBe('not reached');
    // One that does one thing at a time is late for others.
    const lost = [message({ to: '+12025550119' })];
    const slow = referenceOf([run({ ...calls(2), messages: lost }, { said: 'x' })]);
    slow.controls.set(placed.id, run({}, { said: 'x' }));
    expect(cellOf(slow, run({ ...calls(2), ...hits }, { said: 'x' }), placed).state).toBe('doubtful');
    expect(controlOf(placed.fault)?.rule?.then).toEqual(placed.fault.rule?.then);
    reference.controls.set(placed.id, run({}, { said: { login: 'unknown' } }));
    expect(state(2)).toBe('doubtful');
    reference.controls.set(placed.id, run({}, { said: { login: 'done' } }));
    expect([state(2), state(2, verified)]).toEqual(['broken', 'doubtful']);
  });
});

describe('a message that the story does not have', () => {
  const extras = storyFaultsIn(story(), [received(1, 10), received(1, 11, '+12025550977')]);

  it('is an image, an emoji, or one of an unknown customer', () => {
    expect(extras.map(({ fault: { id, inbound } }) => [id, inbound?.['phone']])).toEqual([
      ['image', to],
      ['emoji', to],
      ['stranger', '+12025550978'],
    ]);
    const [image] = extras;
    expect(image && withFault([], image)).toEqual([{ at: '+10m', inbound: image?.fault.inbound }]);
    expect(storyFaultsIn(story(), [send(1)])).toEqual([]);
  });

  it('breaks an application that crashes or rejects the event, whatever else it does', () => {
    const [image] = extras;
    if (!image) throw new Error('there is none');
    const reference = referenceOf([run({}, { said: { help: 0 } })]);
    const delivered = (status: number | null) => ({
      deliveries: [
        {
          ...{ event_type: 'message.received', created_at: at(3), seq: 1, state: 'failed', attempts: [{ status }] },
          payload: JSON.stringify({ data: { from: to, media_url: image.fault.inbound?.['url'] } }),
        },
      ],
    });
    const judged = (status: number | null, ending: Parameters<typeof run>[1] = {}) => {
      const { state, deviations } = cellOf(reference, run(delivered(status), { said: { help: 1 }, ...ending }), image);
      return [state, ...deviations.map(({ kind }) => kind)];
    };
    const asked = { failedChecks: [{ sentence: 'No answer after STOP.', isForbidden: true }] };
    expect(judged(200, asked)).toEqual(['fine']);
    expect(judged(500)).toEqual(['broken', 'endpoint lost']);
    const crash = { crashed: true, failure: 'the application ended with exit code 2', said: null };
    expect(judged(null, crash)).toContain('application failed');
    expect(judged(null, crash)[0]).toBe('broken');
    expect(cellOf(reference, run({}, {}), image).state).toBe('not reached');
  });
});

it('writes a file of a lost endpoint that lasts until the endpoint is paused', () => {
  const deviation = { kind: 'endpoint lost' as const, sentence: 'x', doubt: null, expect: { that: 'webhooks' } };
  const how = { command: () => 'run', extends: null };
  const whole = { scenario: {}, timeline: [], state: [], stepsMs: [], endMs: 60_000 };
  const { text } = writeFile(fault('reformatted', received(1, 1)), deviation, run(), { ...how, story: whole }, 0);
  expect(text).toContain('at: +1d6h1m');
});

describe('the last status of a message', () => {
  const status = (minutes: number, of = 'delivered') => ({
    ...received(1, minutes),
    ...{ kind: 'message.status', match: { event: 'message.status', status: of, phone: to } },
  });
  const run1 = (minutes: number, more: object = {}) => ({ at: `+${minutes}m`, http: { url: '/orders', ...more } });
  const placed = (timeline: object[], ...points: Parameters<typeof storyFaultsIn>[1]) =>
    storyFaultsIn({ ...story(), timeline }, points).filter(({ fault: { id } }) => id === 'after-answer');

  it('comes after the answer of the customer', () => {
    const all = [status(1), status(2, 'read'), received(1, 10), received(2, 11)];
    expect(placed([run1(5, { body: {} })], ...all)).toMatchObject([
      { point: { match: { status: 'read' } }, fault: { rule: { then: { webhook: { delay: '8m5s' } } } } },
    ]);
  });

  it('stays in time where it is no answer, or a timer may look for it', () => {
    expect(placed([], status(1), received(1, 40))).toEqual([]);
    expect(placed([], status(1, 'failed'), received(1, 10))).toEqual([]);
    expect(placed([], status(1), received(1, 10, '+12025550119'))).toEqual([]);
    expect(placed([run1(5)], status(1), received(1, 10))).toEqual([]);
  });
});

it('reports a failure after the next call of a timer, and takes only what comes twice for wrong', () => {
  const failed = {
    ...received(1, 10),
    ...{ kind: 'message.status', match: { event: 'message.status', status: 'failed', phone: to } },
  };
  const tick = (minutes: number) => ({ at: `+${minutes}m`, http: { method: 'POST', url: '/tick' } });
  const placed = (...minutes: number[]) =>
    storyFaultsIn({ ...story(), timeline: minutes.map(tick) }, [failed]).filter(
      ({ fault: { id } }) => id === 'after-timer',
    );
  const [late = null] = placed(5, 20, 30);
  expect(late?.fault.rule?.then).toEqual({ webhook: { delay: '10m5s' } });
  expect([placed(5), placed(2000)]).toEqual([[], []]);
  const [once, twice] = [[message()], [message(), message({ id: 'again' })]].map((messages) => run({ messages }));
  const kinds = (usual?: Run, found?: Run) =>
    usual && found ? deviationsOf(referenceOf([usual]), found, late).map(({ kind, doubt }) => [kind, doubt]) : null;
  expect([kinds(once, twice), kinds(twice, once)]).toEqual([[['duplicate', null]], []]);
  // What the application sends because of the failure comes later, too, but no more often.
  const checked = (isLimit: boolean) =>
    kinds(once, run(once?.facts, { failedChecks: [{ sentence: 'Not after TAKE.', isForbidden: true, isLimit }] }));
  const doubt = expect.stringMatching(/^The failure was reported late/) as string;
  expect([checked(false), checked(true)]).toEqual([[['check failed', doubt]], [['check failed', null]]]);
});

it('delivers the event of a correct code after the last step, if one follows', () => {
  const verified = { ...received(1, 10), kind: 'otp.verified', match: { event: 'otp.verified', phone: to } };
  const faults = (...stepsMs: number[]) =>
    storyFaultsIn(story([], stepsMs), [verified]).map(({ fault: { id, rule } }) => [id, rule?.then]);
  expect(faults(60_000, 1_200_000)).toEqual([['late', { webhook: { delay: '10m5s' } }]]);
  expect(faults(60_000)).toEqual([]);
  expect(faults(1_200_000, 600_000_000)).toEqual([['late', { webhook: { delay: '10m5s' } }]]);
});

it("delivers a customer's status before the final one after the last step, if one follows", () => {
  const status = (name: string, nth: number, from = to) => {
    const match = { event: 'message.status', phone: from, status: name };
    return { ...received(nth, 10, from), id: `message.status:${name}:${from}:${nth}`, kind: 'message.status', match };
  };
  const late = (...points: Parameters<typeof storyFaultsIn>[1]) =>
    storyFaultsIn(story([], [1_200_000]), points).flatMap(({ id, fault }) => (fault.id === 'late' ? [id] : []));
  const all = ['sent', 'delivered', 'read'];
  expect(late(...all.map((name) => status(name, 1)), ...all.map((name) => status(name, 2)))).toEqual([
    `message.status:delivered:${to}:2/late`,
  ]);
  expect(late(status('sent', 1), status('delivered', 1))).toEqual([`message.status:sent:${to}:1/late`]);
  expect(late(status('sent', 1), status('failed', 1))).toEqual([`message.status:sent:${to}:1/late`]);
  expect([late(status('failed', 1)), late(status('failed', 1), status('failed', 2))]).toEqual([[], []]);
  expect(late(status('delivered', 1), status('read', 1, '+12025550119'))).toEqual([]);
});

describe('a message that crosses the answer to another customer', () => {
  const other = '+12025550119';
  const writes = (minutes: number, phone: string, more: object = {}) => ({
    ...{ at: `+${minutes}m`, inbound: { phone, text: 'SEAT' } },
    ...more,
  });
  const crossings = (...timeline: object[]) =>
    storyFaultsIn({ ...story(), timeline }, [send(1), send(3)]).filter(({ fault: { id } }) => id === 'crossing');

  it('comes while the answer has no response, after another order was tried beside it', () => {
    const timeline = [writes(1, to), writes(2, other)];
    const [placed] = crossings(...timeline);
    if (!placed) throw new Error('there is none');
    const early = { at: { after: ruleIdOf(placed) }, inbound: { phone: other, text: 'SEAT' } };
    expect(withFault(timeline, placed)).toEqual([timeline[0], early]);
    const control = { ...placed, fault: placed.fault.control ?? placed.fault };
    expect(withFault(timeline, control)).toEqual([{ ...timeline[0], at: '+2m1s' }, timeline[1]]);
  });

  it('is tried where the two follow each other, and the first one is answered', () => {
    const wait = { at: '+2m', wait: { real: '1s' } };
    expect(crossings(writes(1, to), wait, writes(2, other), writes(3, to), writes(4, other))).toHaveLength(1);
    expect(crossings(writes(1, to), { at: '+2m', http: { url: '/x' } }, writes(2, other))).toEqual([]);
    expect(crossings(writes(1, to), writes(2, to))).toEqual([]);
    expect(crossings(writes(1, to), writes(7, other))).toEqual([]);
    expect(crossings(writes(1, other), writes(2, to))).toEqual([]);
  });

  it('is a call of an application as well, for another customer', () => {
    const calls = (minutes: number, slot: string) => ({ at: `+${minutes}m`, http: { url: '/book', body: { slot } } });
    const ofTwo = (minutes: number, ...timeline: object[]) =>
      storyFaultsIn({ ...story(), timeline }, [send(1), { ...send(minutes), to: other }])
        .filter(({ fault: { id } }) => id === 'crossing')
        .map(({ title }) => title);
    const [title] = ofTwo(3, calls(1, 'a'), calls(3, 'a'));
    expect(title).toBe('1st message.send has no response yet when POST /book is called for another customer');
    expect(ofTwo(3, calls(1, 'a'), calls(3, '${slot}'))).toEqual([]);
    // A later send is no answer, though it names the customer.
    expect([ofTwo(3, calls(1, 'a'), calls(2, 'a')), ofTwo(3, calls(0, to), calls(3, other))]).toEqual([[], []]);
    // Of two at the same time, the numbers in their data tell which send belongs to which.
    expect(ofTwo(1, calls(1, to), calls(1, other))).toEqual([title]);
    expect([ofTwo(1, calls(1, 'a'), calls(1, 'b')), ofTwo(1, calls(1, to), calls(1, to))]).toEqual([[], []]);
    expect(crossings(calls(1, 'a'), calls(3, 'a'))).toEqual([]);
    expect(ofTwo(3, calls(1, 'a'), { at: '+3m', http: { url: '/cancel', body: {} } })).toEqual([]);
  });

  it('breaks an application that ends neither as if the first one had written first, nor the second one', () => {
    const [placed] = crossings(writes(1, to), writes(2, other));
    if (!placed) throw new Error('there is none');
    const seats = (first: boolean, second: boolean) => {
      const words = (has: boolean) => (has ? 'It is yours.' : 'No seat left.');
      const messages = [message({ text: words(first) }), message({ to: other, text: words(second) })];
      return run({ messages, hits: { [ruleIdOf(placed)]: 1 } }, { said: { seats: { [to]: first, [other]: second } } });
    };
    const reference = referenceOf([seats(true, false)]);
    const state = (first: boolean, second: boolean) => cellOf(reference, seats(first, second), placed).state;
    expect([state(true, false), state(true, true), state(false, true)]).toEqual(['fine', 'doubtful', 'doubtful']);
    reference.controls.set(placed.id, seats(false, true));
    expect([state(true, true), state(false, true), state(false, false)]).toEqual(['broken', 'fine', 'broken']);
  });
});

describe('the call of a timer that comes again', () => {
  const run1 = { at: '+1m', http: { method: 'POST', url: '/run-due' } };
  const timed = (...timeline: object[]) => ({ ...story(), timeline });
  const overlaps = (...timeline: object[]) =>
    storyFaultsIn(timed(...timeline), [send(1), send(2)]).filter(({ fault: { id } }) => id === 'overlap');

  it('is tried once for each path and template, at a send that such a call leads to', () => {
    const [placed] = storyFaultsIn(timed(run1), [send(1)]);
    const again = { at: { after: placed && ruleIdOf(placed) }, http: run1.http };
    expect(placed?.title).toBe('1st message.send has no response yet when POST /run-due is called again');
    expect(placed && withFault([run1], placed)).toEqual([run1, again]);
    expect(placed?.fault.control?.steps).toEqual([run1]);
    expect(overlaps(run1, { ...run1, at: '+2m' })).toHaveLength(1);
    expect(overlaps(run1, { at: '+2m', http: { method: 'POST', url: '/other' } })).toHaveLength(2);
    // These may mean something else each time, or the send may follow from something else.
    expect(overlaps({ ...run1, http: { ...run1.http, body: {} } })).toEqual([]);
    expect(overlaps({ ...run1, http: { ...run1.http, save: { order: '/id' } } })).toEqual([]);
    expect(overlaps({ at: '+1m', inbound: { phone: to, text: 'Hi' } })).toEqual([]);
    expect(overlaps({ ...run1, at: '+3m' })).toEqual([]);
  });

  it('breaks an application that sends twice only if the call does not wait', () => {
    const [placed] = storyFaultsIn(timed(run1), [send(1)]);
    if (!placed) throw new Error('there is none');
    const reference = referenceOf([run({ messages: [message({})] }, { said: { visit: 'sent' } })]);
    const state = (messages: number, said: unknown = { visit: 'sent' }) => {
      const all = Array.from({ length: messages }, (_, seq) => message({ id: `m${seq}` }));
      return cellOf(reference, run({ messages: all, hits: { [ruleIdOf(placed)]: 1 } }, { said }), placed).state;
    };
    expect([state(1), state(1, { visit: 'sent', calls: 2 }), state(2)]).toEqual(['fine', 'fine', 'doubtful']);
    reference.controls.set(placed.id, run({ messages: [message({}), message({ id: 'm2' })] }, { said: null }));
    expect([state(2), state(3)]).toEqual(['fine', 'broken']);
    reference.controls.set(placed.id, run({ messages: [message({})] }, { said: null }));
    expect(state(2)).toBe('broken');
  });
});
