/** Errors in a scenario are reported once, each at its place; valid forms that look unusual are accepted. */
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/reader/load.js';

/** `code path` of each problem; none for a scenario that loads. */
function problemsOf(text: string): string[] {
  const result = loadScenario(`version: 1\n${text}\n`, { file: 'a.yaml' });
  return 'problems' in result ? result.problems.map(({ code, path }) => `${code} ${path}`) : [];
}

const given = (kind: string, ...entries: string[]) => `given: { ${kind}: [${entries.join(', ')}] }`;
const hook = (alias: string, url = `https://sink.sandbox/${alias}`) =>
  `{ alias: ${alias}, url: "${url}", events: [otp.verified] }`;
const expectation = (rest: string) => `expect: [{ at: finish, ${rest} }]`;
const rule = (when: string, then: string) => `rules: [{ when: ${when}, then: ${then} }]`;

describe('a scenario with', () => {
  it.each([
    [
      'a start that no calendar has',
      'clock: { mode: frozen, start: "2026-02-30T00:00:00Z" }',
      ['bad_instant clock.start'],
    ],
    ['a scale beside another mode', 'clock: { mode: auto, scale: 60 }', ['misplaced_key clock.scale']],
    ['a clock that is scaled by nothing', 'clock: { mode: scaled }', ['missing_key clock']],
    [
      'an authentication template without a body',
      given('templates', '{ name: code, category: authentication, language: en }'),
      [],
    ],
    [
      'a rejection reason of what was not rejected',
      given('templates', '{ name: a, category: utility, language: en, body: x, rejection_reason: No. }'),
      ['misplaced_key given.templates[0].rejection_reason'],
    ],
    [
      'a rejection reason of what was',
      given(
        'templates',
        '{ name: a, category: utility, language: en, body: x, status: rejected, rejection_reason: No. }',
      ),
      [],
    ],
    [
      'a window that follows from something else',
      given('customers', '{ phone: "+12025550150", last_inbound: -1h, window: open }'),
      ['not_exactly_one given.customers[0].window'],
    ],
    ['a webhook at no address', given('webhooks', hook('app', 'https://')), ['bad_url given.webhooks[0].url']],
    ['an alias given twice', given('webhooks', hook('app'), hook('app')), ['not_unique given.webhooks[1]']],
    ['webhooks of two names', given('webhooks', hook('app'), hook('other')), []],
    [
      'a field that no record has in what every one must meet',
      expectation('that: otps, has: { stat: sent }'),
      ['unknown_field expect[0].has.stat'],
    ],
    [
      'a field that no record has in one of several steps',
      expectation('that: otps, in_order: [{ state: sent }, { stat: sent }]'),
      ['unknown_field expect[0].in_order[1].stat'],
    ],
    ['a field inside one that there is', expectation('that: requests, where: { request.to: x }, min: 1'), []],
    ['attempts that are answered', expectation('that: attempts, answered: 4xx'), []],
    ['messages that are answered', expectation('that: messages, answered: 4xx'), ['misplaced_key expect[0].answered']],
    ['as many at least as at most', expectation('that: messages, min: 2, max: 2'), []],
    ['more at least than at most', expectation('that: messages, min: 3, max: 2'), ['out_of_range expect[0].min']],
    [
      'an approval with a reason',
      rule('template.review', '{ review: { approve: true, reason: No. } }'),
      ['misplaced_key rules[0].then.review.reason'],
    ],
    [
      'an error of a step that does not fail',
      rule('message.send', '{ lifecycle: [{ sent: 1s, error: undeliverable }] }'),
      ['misplaced_key rules[0].then.lifecycle[0].error'],
    ],
    [
      'a regular expression that is wrong between its slashes',
      'rules: [{ when: message.send, match: { text: { matches: "/*a/" } }, then: { lifecycle: happy } }]',
      ['bad_regex rules[0].match.text.matches'],
    ],
    [
      'a customer who writes and taps',
      rule('message.send', '{ inbound: { text: a, button: 1 } }'),
      ['not_exactly_one rules[0].then.inbound.button'],
    ],
    [
      'an alias inside what it repeats, and another mistake: both are told',
      'rules: &r [*r]\nclock: { mode: auto, scale: 60 }',
      ['alias_cycle ', 'misplaced_key clock.scale'],
    ],
  ])('%s', (_what, text, problems) => {
    expect(problemsOf(text)).toStrictEqual(problems);
  });
});

/** A rule that does nothing wrong but for what is added to it. */
const sends = (more: string) => `rules: [{ when: message.send, then: { lifecycle: happy }, ${more} }]`;
const answers = (respond: string) => rule('otp.send', `{ respond: { ${respond} } }`);
const many = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: a`).join(', ');

describe('a value', () => {
  it.each([
    [
      'a header between two neighbours on the wire',
      answers('headers: { Connection: close }'),
      ['bad_header rules[0].then.respond.headers.Connection'],
    ],
    ['as many headers as may be', answers(`headers: { ${many(20)} }`), []],
    ['a header too many', answers(`headers: { ${many(21)} }`), ['wrong_length rules[0].then.respond.headers']],
    ['a text counted by what people see as a letter', answers(`message: "${'👍'.repeat(1000)}"`), []],
    ['the longest that a socket is held', answers('latency_real: 5m'), []],
    ['one that is longer', answers('latency_real: 5m1ms'), ['out_of_range rules[0].then.respond.latency_real']],
    ['a chance that is none', sends('pick: { chance: 100% }'), []],
    ['a chance above all', sends('pick: { chance: 100.1% }'), ['bad_chance rules[0].pick.chance']],
    ['two counts of which one is none', sends('pick: { between: [x, 4] }'), ['wrong_type rules[0].pick.between[0]']],
    ['a rule over when it begins', sends('active: { from: +1h, to: +1h }'), ['out_of_range rules[0].active.to']],
    ['a clock that stands still though scaled', 'clock: { mode: scaled, scale: 0 }', ['out_of_range clock.scale']],
    ['a number in quotes', rule('otp.send', '{ otp: { attempts: "3" } }'), ['wrong_type rules[0].then.otp.attempts']],
    ['a customer who wrote just now', given('customers', '{ phone: "+12025550150", last_inbound: 0s }'), []],
    [
      'a customer who will have written',
      given('customers', '{ phone: "+12025550150", last_inbound: 1h }'),
      ['wrong_sign given.customers[0].last_inbound'],
    ],
    ['a number that the channel knows', rule('message.send', '{ refuse: { code: 131026 } }'), []],
    [
      'a number that it does not',
      rule('message.send', '{ refuse: { code: 999 } }'),
      ['unknown_word rules[0].then.refuse.code'],
    ],
    [
      'a picture at no address',
      'timeline: [{ at: 1m, inbound: { from: "+12025550150", media_url: "https://" } }]',
      ['bad_url timeline[0].inbound.media_url'],
    ],
    [
      'a required key that is misspelt',
      'rules: [{ whne: message.send, then: { lifecycle: happy } }]',
      ['unknown_key rules[0].whne'],
    ],
    [
      'a misspelt key of which one must stand',
      rule('message.send', '{ lifecyle: happy }'),
      ['unknown_key rules[0].then.lifecyle'],
    ],
  ])('%s', (_what, text, problems) => {
    expect(problemsOf(text)).toStrictEqual(problems);
  });

  it('that is a number dialled with 00 is suggested with a plus sign', () => {
    const result = loadScenario(`version: 1\n${given('customers', '{ phone: "00 1 202-555-0150" }')}\n`, {
      file: 'a.yaml',
    });
    expect('problems' in result && result.problems[0]).toMatchObject({ code: 'bad_phone', suggestion: '+12025550150' });
  });
});
