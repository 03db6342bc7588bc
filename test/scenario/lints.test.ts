import { describe, expect, it } from 'vitest';
import { lintNeverHit } from '../../src/scenario/reader/lints.js';
import { loadScenario } from '../../src/scenario/reader/load.js';
import { loaded } from './fixtures.js';

function warningsOf(text: string, base?: string) {
  const resolve = () => (base === undefined ? undefined : { file: 'base.yaml', text: base });
  const result = loadScenario(text, { file: 'a.yaml', resolve });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.warnings.map(({ file, line, column, code, found }) => `${file}:${line}:${column} ${code} ${found}`);
}
const rules = (...lines: string[]) => `version: 1\nrules:\n${lines.map((line) => `  - ${line}`).join('\n')}\n`;

describe('a slot under the wrong hook', () => {
  it('is named with its place', () => {
    expect(warningsOf(rules('{ when: message.get, then: { otp: { attempts: 1 } } }'))).toEqual([
      'a.yaml:3:39 slot_under_wrong_hook otp',
    ]);
  });
});

describe('what a rule says in vain', () => {
  it.each([
    [
      'refuse inside respond where nobody can be refused',
      '{ when: otp.send, then: { respond: { refuse: { code: undeliverable } } } }',
      ['slot_under_wrong_hook refuse'],
    ],
    [
      'a limit that is asked when the answer is there',
      '{ when: api.any, match: { status: 4xx }, then: { limit: { rate: 1/s } } }',
      ['limit_after_answer limit'],
    ],
    ['a limit before the call', '{ when: api.any, match: { path: /v1/* }, then: { limit: { rate: 1/s } } }', []],
    [
      'per something the hook does not know',
      '{ when: api.any, per: recipient, then: { limit: { rate: 1/s } } }',
      ['per_not_known_here recipient'],
    ],
    [
      'per beside nothing',
      '{ when: message.send, per: recipient, then: { lifecycle: stuck } }',
      ['per_without_count recipient'],
    ],
    [
      'per beside chance alone',
      '{ when: message.send, per: template, pick: { chance: 5% }, then: { lifecycle: stuck } }',
      ['per_without_count template'],
    ],
    [
      'per beside chance and a count',
      '{ when: message.send, per: template, pick: { chance: 5%, first: 2 }, then: { lifecycle: stuck } }',
      [],
    ],
    ['per beside a limit', '{ when: otp.send, per: recipient, then: { limit: { rate: 1/m } } }', []],
    [
      'per the name of a template',
      '{ when: template.get, per: template, pick: { first: 1 }, then: { respond: { status: 500 } } }',
      [],
    ],
    [
      'another slot than webhook at a delivery',
      '{ when: webhook.deliver, match: { attempt: 2 }, then: { inbound: { text: a } } }',
      ['slot_under_wrong_hook inbound'],
    ],
    [
      'duplicate of a retry',
      '{ when: webhook.deliver, match: { attempt: 2 }, then: { webhook: { duplicate: 1 } } }',
      ['duplicate_of_retry duplicate'],
    ],
    [
      'duplicate with the first attempt',
      '{ when: webhook.deliver, match: { attempt: [1, 2] }, then: { webhook: { duplicate: 1 } } }',
      [],
    ],
    ['delay of a retry', '{ when: webhook.deliver, match: { attempt: 2 }, then: { webhook: { delay: 5m } } }', []],
    [
      'hold_until of what has no status',
      '{ when: webhook.deliver, match: { event: message.received }, then: { webhook: { hold_until: { status: read } } } }',
      ['nothing_to_wait_for hold_until'],
    ],
    [
      'hold_until of statuses',
      '{ when: webhook.deliver, match: { event: "message.*" }, then: { webhook: { hold_until: { status: read } } } }',
      [],
    ],
  ])('%s', (_name, rule, expected) => {
    expect(warningsOf(rules(rule)).map((line) => line.split(' ').slice(1).join(' '))).toEqual(expected);
  });
});

describe('a shadowed rule', () => {
  const narrow = '{ id: n, when: message.send, match: { to: "+12025550101", type: text }, then: { lifecycle: stuck } }';

  it.each([
    ['no conditions', '{ when: message.send, then: { lifecycle: happy } }', true],
    ['fewer conditions', '{ when: message.send, match: { type: text }, then: { lifecycle: happy } }', true],
    ['a glob that fits', '{ when: message.send, match: { to: "+1202*" }, then: { lifecycle: happy } }', true],
    ['a regex that fits', '{ when: message.send, match: { to: /^.1202/ }, then: { lifecycle: happy } }', true],
    ['a list that fits', '{ when: message.send, match: { type: [text, image] }, then: { lifecycle: happy } }', true],
    ['a glob that does not fit', '{ when: message.send, match: { to: "+1415*" }, then: { lifecycle: happy } }', false],
    [
      'one more condition',
      '{ when: message.send, match: { to: "+12025550101", type: text, text: x }, then: { lifecycle: happy } }',
      false,
    ],
    ['another slot', '{ when: message.send, then: { inbound: { text: a } } }', false],
    ['another hook', '{ when: otp.send, then: { respond: { status: 500 } } }', false],
    ['a pick', '{ when: message.send, pick: { first: 1 }, then: { lifecycle: happy } }', false],
    ['a time', '{ when: message.send, active: { to: +1h }, then: { lifecycle: happy } }', false],
    ['a not', '{ when: message.send, match: { not: { type: image } }, then: { lifecycle: happy } }', false],
  ])('behind a rule with %s', (_name, earlier, isShadowed) => {
    expect(warningsOf(rules(earlier, narrow))).toEqual(isShadowed ? ['a.yaml:4:96 shadowed_rule n'] : []);
  });

  it('is seen across files, with the place of both', () => {
    const text = 'version: 1\nextends: [base]\nrules: [{ id: mine, when: message.send, then: { lifecycle: happy } }]\n';
    const result = loadScenario(text, { file: 'a.yaml', resolve: () => ({ file: 'base.yaml', text: rules(narrow) }) });
    const [warning] = 'warnings' in result ? result.warnings : [];
    expect(warning).toMatchObject({ file: 'base.yaml', line: 3, code: 'shadowed_rule' });
    expect(warning!.message).toContain('rule mine (a.yaml:3)');
  });
});

describe('unknown names', () => {
  const given = `given:
  templates: [{ name: order_shipped, category: utility, language: en, body: Hi }]
  webhooks: [{ alias: app, url: "https://sink.sandbox/app", events: [message.status] }]
`;

  it('a template that is neither given nor magic', () => {
    const text = `${rules(
      '{ when: message.send, match: { template: order_shiped }, then: { lifecycle: happy } }',
      '{ when: message.send, match: { template: [order_shipped, promo_slow, "promo_*", /x/] }, then: { lifecycle: stuck } }',
      '{ when: otp.send, match: { not: { template: login } }, then: { otp: { attempts: 1 } } }',
    )}${given}timeline: [{ at: 1m, template: { name: nothing, status: paused } }]\n`;
    expect(warningsOf(text)).toEqual([
      'a.yaml:3:46 unknown_template order_shiped',
      'a.yaml:5:49 unknown_template login',
      'a.yaml:9:40 unknown_template nothing',
    ]);
  });

  it('an alias that is not given', () => {
    const text = `${rules('{ when: webhook.deliver, match: { alias: ap }, then: { webhook: { drop: true } } }')}${given}expect: [{ at: finish, that: attempts, where: { alias: apq }, max: 0 }]\n`;
    expect(warningsOf(text)).toEqual(['a.yaml:3:46 unknown_alias_name ap', 'a.yaml:7:56 unknown_alias_name apq']);
  });

  it('a template given in the scenario that is extended is known', () => {
    const text =
      'version: 1\nextends: [base]\nrules: [{ when: message.send, match: { template: order_shipped }, then: { lifecycle: happy } }]\n';
    expect(warningsOf(text, `version: 1\n${given}`)).toEqual([]);
  });
});

it('two webhooks of one URL, of which the second takes the place of the first, across files too', () => {
  const webhook = (alias: string, url: string) =>
    `{ alias: ${alias}, url: "https://sink.sandbox/${url}", events: [otp.verified] }`;
  const text = `version: 1\nextends: [base]\ngiven: { webhooks: [${webhook('a', 'one')}, ${webhook('b', 'one')}] }\n`;
  const base = `version: 1\ngiven:\n  webhooks:\n    - ${webhook('a', 'two')}\n    - ${webhook('c', 'one')}\n    - ${webhook('d', 'two')}\n`;
  expect(warningsOf(text, base)).toEqual([
    'a.yaml:3:109 url_given_twice https://sink.sandbox/one',
    'base.yaml:5:24 url_given_twice https://sink.sandbox/one',
  ]);
});

it('numbers that may belong to somebody', () => {
  const text = `${rules('{ when: message.send, match: { to: [+12025550101, "+14155552671", +1415*] }, then: { lifecycle: happy } }')}given: { customers: [{ phone: +4915112345678 }] }\ntimeline: [{ at: 1m, inbound: { from: +12025551234 } }, { at: 1m, window: { phone: +12025551235, open: true } }]\n`;
  expect(warningsOf(text)).toEqual([
    'a.yaml:3:55 number_not_fictional the text "+14155552671"',
    'a.yaml:4:31 number_not_fictional the number +4915112345678',
    'a.yaml:5:39 number_not_fictional the number +12025551234',
    'a.yaml:5:84 number_not_fictional the number +12025551235',
  ]);
});

it('no number that is reserved for fiction', () => {
  const reserved = ['+12025550101', '+447700900123', '+442079460999', '+441134960000', '+33639981234', '+61491570156'];
  const assigned = ['+12025550200', '+447700901123', '+442079461000', '+33639971234', '+61491570155'];
  const to = (numbers: readonly string[]) =>
    rules(`{ when: message.send, match: { to: [${numbers.join(', ')}] }, then: { lifecycle: happy } }`);
  expect(warningsOf(to(reserved))).toEqual([]);
  expect(warningsOf(to(assigned))).toHaveLength(assigned.length);
});

it('numbers as they are written on paper, which nothing can fit', () => {
  const text = rules(
    '{ when: message.send, match: { to: ["+1 (202) 555-0101", "+1 202*"] }, then: { lifecycle: happy } }',
  );
  expect(warningsOf(text)).toEqual(['a.yaml:3:41 number_with_separators the text "+1 (202) 555-0101"']);
});

it('numbers without their plus, which nothing can fit', () => {
  const text = rules('{ when: message.send, match: { to: [12025550101, "1202*"] }, then: { lifecycle: happy } }');
  expect(warningsOf(text)).toEqual(['a.yaml:3:41 number_without_plus the number 12025550101']);
});

it('rules that were never hit in a run', () => {
  const run = loaded(
    { id: 'a', when: 'api.any', then: { respond: { status: 500 } } },
    { id: 'b', when: 'otp.send', then: { otp: { attempts: 1 } } },
  );
  const warnings = lintNeverHit(run, (id) => (id === 'a' ? 3 : 0));
  expect(warnings).toEqual([expect.objectContaining({ code: 'never_hit', path: 'b', file: 'test.yaml', line: 2 })]);
});
