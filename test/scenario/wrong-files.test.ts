/** Mistakes that beginners make: each message names place, what was found, what is allowed, and a line that loads or none. */
import { describe, expect, it } from 'vitest';
import { loadScenario, type LoadResult } from '../../src/scenario/reader/load.js';
import type { Problem } from '../../src/scenario/language/problems.js';

const load = (text: string): LoadResult =>
  loadScenario(text, {
    file: 'wrong.yaml',
    resolve: (name) => (name === 'base' ? { file: 'base.yaml', text: 'version: 1\n' } : undefined),
  });

function problemsOf(text: string): readonly Problem[] {
  const result = load(text);
  return 'problems' in result ? result.problems : [];
}

/** The file, then where its first problem is and of which kind, then the corrected line; null where nobody knows what is meant. */
const files: readonly (readonly [name: string, text: string, first: string, fixed: string | null])[] = [
  [
    'if',
    'version: 1\nrules:\n  - when: message.send\n    if: { to: +12025550113 }\n    then: { lifecycle: happy }\n',
    '4:5 unknown_key',
    '    match: { to: +12025550113 }',
  ],
  [
    'name of rule',
    'version: 1\nrules:\n  - when: message.send\n    name: blocked\n    then: { lifecycle: happy }\n',
    '4:5 unknown_key',
    '    id: blocked',
  ],
  [
    'phone',
    'version: 1\nrules:\n  - when: message.send\n    match: { phone: +12025550113 }\n    then: { lifecycle: happy }\n',
    '4:14 unknown_key',
    '    match: { to: +12025550113 }',
  ],
  [
    'at in rule',
    'version: 1\nrules:\n  - when: message.send\n    at: +5m\n    then: { lifecycle: happy }\n',
    '4:5 unknown_key',
    null,
  ],
  [
    'at hook',
    'version: 1\nrules:\n  - at: message.send\n    then: { lifecycle: happy }\n',
    '3:5 unknown_key',
    '  - when: message.send',
  ],
  [
    'send.message',
    'version: 1\nrules:\n  - when: send.message\n    then: { lifecycle: happy }\n',
    '3:11 unknown_word',
    '  - when: message.send',
  ],
  [
    'message.sent',
    'version: 1\nrules:\n  - when: message.sent\n    then: { lifecycle: happy }\n',
    '3:11 unknown_word',
    '  - when: message.send',
  ],
  [
    'sendMessage',
    'version: 1\nrules:\n  - when: sendMessage\n    then: { lifecycle: happy }\n',
    '3:11 unknown_word',
    '  - when: message.send',
  ],
  [
    'open closed',
    'version: 1\ntimeline:\n  - { at: 5m, window: { phone: +12025550113, open: closed } }\n',
    '3:52 wrong_type',
    '  - { at: 5m, window: { phone: +12025550113, open: false } }',
  ],
  [
    'open yes',
    'version: 1\ntimeline:\n  - { at: 5m, window: { phone: +12025550113, open: yes } }\n',
    '3:52 wrong_type',
    '  - { at: 5m, window: { phone: +12025550113, open: true } }',
  ],
  [
    'approve yes',
    'version: 1\nrules:\n  - when: template.create\n    then: { review: { approve: yes } }\n',
    '4:32 wrong_type',
    '    then: { review: { approve: true } }',
  ],
  [
    'review approve',
    'version: 1\nrules:\n  - when: template.create\n    then: { review: approve }\n',
    '4:21 wrong_type',
    '    then: { review: { approve: true } }',
  ],
  ['clock frozen', 'version: 1\nclock: frozen\n', '2:8 wrong_type', 'clock: { mode: frozen }'],
  ['clock stopped', 'version: 1\nclock: stopped\n', '2:8 wrong_type', null],
  [
    'chance 0.5',
    'version: 1\nrules:\n  - when: message.send\n    pick: { chance: 0.5 }\n    then: { lifecycle: happy }\n',
    '4:21 bad_chance',
    '    pick: { chance: 50% }',
  ],
  [
    'chance 1',
    'version: 1\nrules:\n  - when: message.send\n    pick: { chance: 1 }\n    then: { lifecycle: happy }\n',
    '4:21 bad_chance',
    null,
  ],
  [
    'pick 10%',
    'version: 1\nrules:\n  - when: message.send\n    pick: 10%\n    then: { lifecycle: happy }\n',
    '4:11 wrong_type',
    '    pick: { chance: 10% }',
  ],
  [
    'respond 429',
    'version: 1\nrules:\n  - when: message.send\n    then: { respond: 429 }\n',
    '4:22 wrong_type',
    '    then: { respond: { status: 429 } }',
  ],
  [
    'respond hang',
    'version: 1\nrules:\n  - when: message.send\n    then: { respond: hang }\n',
    '4:22 wrong_type',
    '    then: { respond: { fault_real: hang } }',
  ],
  [
    'limit',
    'version: 1\nrules:\n  - when: message.send\n    then: { limit: "1/s" }\n',
    '4:20 wrong_type',
    '    then: { limit: { rate: "1/s" } }',
  ],
  [
    'limit words',
    'version: 1\nrules:\n  - when: message.send\n    then: { limit: { rate: 10 per second } }\n',
    '4:28 bad_rate',
    '    then: { limit: { rate: 10/s } }',
  ],
  [
    'limit 10',
    'version: 1\nrules:\n  - when: message.send\n    then: { limit: { rate: 10 } }\n',
    '4:28 bad_rate',
    null,
  ],
  [
    'refuse',
    'version: 1\nrules:\n  - when: message.send\n    then: { refuse: undeliverable }\n',
    '4:21 wrong_type',
    '    then: { refuse: { code: undeliverable } }',
  ],
  [
    'refuse code',
    'version: 1\nrules:\n  - when: message.send\n    then: { refuse: { code: undelivrable } }\n',
    '4:29 unknown_word',
    '    then: { refuse: { code: undeliverable } }',
  ],
  [
    'refuse own code',
    'version: 1\nrules:\n  - when: message.send\n    then: { refuse: { code: not_today } }\n',
    '4:29 unknown_word',
    null,
  ],
  [
    'english',
    'version: 1\ngiven:\n  templates:\n    - { name: hello, category: utility, language: english, body: Hi }\n',
    '4:51 wrong_form',
    '    - { name: hello, category: utility, language: en, body: Hi }',
  ],
  [
    'transactional',
    'version: 1\ngiven:\n  templates:\n    - { name: hello, category: transactional, language: en, body: Hi }\n',
    '4:32 unknown_word',
    '    - { name: hello, category: utility, language: en, body: Hi }',
  ],
  [
    'template name',
    'version: 1\ngiven:\n  templates:\n    - { name: Order Shipped, category: utility, language: en, body: Hi }\n',
    '4:15 wrong_form',
    '    - { name: order_shipped, category: utility, language: en, body: Hi }',
  ],
  [
    'no body',
    'version: 1\ngiven:\n  templates:\n    - { name: hello, category: utility, language: en }\n',
    '4:7 missing_key',
    null,
  ],
  [
    'quoted number',
    'version: 1\nexpect:\n  - { at: finish, that: requests, max: "3" }\n',
    '3:40 wrong_type',
    '  - { at: finish, that: requests, max: 3 }',
  ],
  [
    'at_least',
    'version: 1\nexpect:\n  - { at: finish, that: requests, at_least: 3 }\n',
    '3:35 unknown_key',
    '  - { at: finish, that: requests, min: 3 }',
  ],
  [
    'no judgement',
    'version: 1\nexpect:\n  - { at: finish, that: requests, where: { status: 429 } }\n',
    '3:5 nothing_stated',
    null,
  ],
  [
    'at end',
    'version: 1\nexpect:\n  - { at: end, that: requests, max: 3 }\n',
    '3:11 bad_duration',
    '  - { at: finish, that: requests, max: 3 }',
  ],
  [
    'that calls',
    'version: 1\nexpect:\n  - { at: finish, that: calls, max: 3 }\n',
    '3:25 unknown_word',
    '  - { at: finish, that: requests, max: 3 }',
  ],
  [
    'field',
    'version: 1\nexpect:\n  - { at: finish, that: requests, where: { operatn: otp.verify }, max: 3 }\n',
    '3:44 unknown_field',
    '  - { at: finish, that: requests, where: { operation: otp.verify }, max: 3 }',
  ],
  [
    'events not list',
    'version: 1\ngiven:\n  webhooks:\n    - { alias: app, url: "https://sink.sandbox/app", events: message.status }\n',
    '4:62 wrong_type',
    '    - { alias: app, url: "https://sink.sandbox/app", events: [message.status] }',
  ],
  [
    'http',
    'version: 1\ngiven:\n  webhooks:\n    - { alias: app, url: "http://app.test/hook", events: [message.status] }\n',
    '4:26 bad_url',
    '    - { alias: app, url: "https://app.test/hook", events: [message.status] }',
  ],
  ['extends', 'version: 1\nextends: base\n', '2:10 wrong_type', 'extends: [base]'],
  ['version missing', 'name: hello\nrules: []\n', '1:1 missing_key', 'version: 1\nname: hello'],
  ['version text', 'version: "1.0"\n', '1:10 wrong_type', 'version: 1'],
  [
    'between',
    'version: 1\nrules:\n  - when: message.send\n    pick: { between: 2-4 }\n    then: { lifecycle: happy }\n',
    '4:22 wrong_type',
    '    pick: { between: [2, 4] }',
  ],
  [
    'between turned',
    'version: 1\nrules:\n  - when: message.send\n    pick: { between: [4, 2] }\n    then: { lifecycle: happy }\n',
    '4:22 out_of_range',
    '    pick: { between: [2, 4] }',
  ],
  [
    'stop',
    'version: 1\nrules:\n  - when: message.send\n    match: { text: /stop }\n    then: { lifecycle: happy }\n',
    '4:20 bad_regex',
    null,
  ],
  [
    'two numbers',
    'version: 1\nrules:\n  - when: message.send\n    match: { to: +12025550113 +12025550114 }\n    then: { lifecycle: happy }\n',
    '4:18 comma_missing',
    '    match: { to: [+12025550113, +12025550114] }',
  ],
  [
    'two numbers list',
    'version: 1\nrules:\n  - when: message.send\n    match: { to: [+12025550113 +12025550114] }\n    then: { lifecycle: happy }\n',
    '4:19 comma_missing',
    '    match: { to: [+12025550113, +12025550114] }',
  ],
  [
    'range',
    'version: 1\nrules:\n  - when: message.send\n    then: { lifecycle: [sent: 8s..2s] }\n',
    '4:31 bad_duration',
    '    then: { lifecycle: [sent: 2s..8s] }',
  ],
  [
    'duration',
    'version: 1\nrules:\n  - when: message.send\n    then: { lifecycle: [sent: 5 min] }\n',
    '4:31 bad_duration',
    '    then: { lifecycle: [sent: 5m] }',
  ],
  [
    'step without duration',
    'version: 1\nrules:\n  - when: message.send\n    then: { lifecycle: [sent] }\n',
    '4:25 wrong_type',
    null,
  ],
  [
    'receiver',
    'version: 1\nrules:\n  - when: webhook.deliver\n    then: { webhook: { receiver: 503 } }\n',
    '4:34 wrong_type',
    '    then: { webhook: { receiver: { simulate: 503 } } }',
  ],
  [
    'hold',
    'version: 1\nrules:\n  - when: webhook.deliver\n    then: { webhook: { hold_until: read } }\n',
    '4:36 wrong_type',
    '    then: { webhook: { hold_until: { status: read } } }',
  ],
  [
    'past',
    'version: 1\ngiven: { customers: [{ phone: +12025550113, last_inbound: 23h }] }\n',
    '2:59 wrong_sign',
    'given: { customers: [{ phone: +12025550113, last_inbound: -23h }] }',
  ],
  [
    'window yes',
    'version: 1\ngiven: { customers: [{ phone: +12025550113, window: yes }] }\n',
    '2:53 unknown_word',
    'given: { customers: [{ phone: +12025550113, window: open }] }',
  ],
  [
    'when of a step',
    'version: 1\ntimeline:\n  - { when: +5m, inbound: { from: +12025550113, text: hi } }\n',
    '3:7 unknown_key',
    '  - { at: +5m, inbound: { from: +12025550113, text: hi } }',
  ],
  [
    'customers',
    'version: 1\ngiven: { customers: [+12025550113] }\n',
    '2:22 wrong_type',
    'given: { customers: [{ phone: +12025550113 }] }',
  ],
  [
    'phone spaces',
    'version: 1\ngiven: { customers: [{ phone: "+1 (202) 555-0113" }] }\n',
    '2:31 bad_phone',
    'given: { customers: [{ phone: "+12025550113" }] }',
  ],
  [
    'colon missing',
    'version: 1\nrules:\n  - when message.send\n    then: { lifecycle: happy }\n',
    '3:5 yaml_multiline_implicit_key',
    '  - when: message.send',
  ],
  [
    'colon missing 2',
    'version: 1\nrules:\n  - when: message.send\n    then { lifecycle: happy }\n',
    '4:5 colon_missing',
    '    then: { lifecycle: happy }',
  ],
  [
    'colon missing 3',
    'version: 1\nrules\n  - when: message.send\n    then: { lifecycle: happy }\n',
    '2:1 yaml_multiline_implicit_key',
    'rules:',
  ],
  [
    'colon space',
    'version: 1\nrules:\n  - when:message.send\n    then: { lifecycle: happy }\n',
    '3:5 yaml_multiline_implicit_key',
    '  - when: message.send',
  ],
  [
    'colon flow',
    'version: 1\nrules:\n  - { when message.send, then: { lifecycle: happy } }\n',
    '3:7 colon_missing',
    '  - { when: message.send, then: { lifecycle: happy } }',
  ],
  ['colon last', 'version: 1\nname hello\n', '2:1 yaml_missing_char', 'name: hello'],
  [
    'colon in text',
    'version: 1\ndescription: Note: this\n',
    '2:14 yaml_block_as_implicit_key',
    'description: "Note: this"',
  ],
  [
    'colon in text flow',
    'version: 1\nrules: [{ when: message.send, then: { refuse: { message: Sorry: no } } }]\n',
    '2:58 yaml_block_in_flow',
    'rules: [{ when: message.send, then: { refuse: { message: "Sorry: no" } } }]',
  ],
  [
    'quote in text',
    'version: 1\ndescription: "He said "hi" to me"\n',
    '2:14 yaml_unexpected_token',
    'description: \'He said "hi" to me\'',
  ],
  [
    'apostrophe',
    "version: 1\nexpect:\n  - { at: finish, that: requests, max: 0, because: 'it's wrong' }\n",
    '3:52 yaml_unexpected_token',
    '  - { at: finish, that: requests, max: 0, because: "it\'s wrong" }',
  ],
  ['quote begin', 'version: 1\ndescription: "hi" there\n', '2:14 yaml_unexpected_token', 'description: \'"hi" there\''],
  ['quote open', 'version: 1\nname: "abc\nrules: []\n', '2:7 yaml_missing_char', 'name: "abc"'],
  [
    'tab',
    'version: 1\nrules:\n\t- when: message.send\n\t  then: { lifecycle: happy }\n',
    '3:1 yaml_tab_as_indent',
    '  - when: message.send',
  ],
  [
    'tab2',
    'version: 1\nrules:\n  - when: message.send\n\tthen: { lifecycle: happy }\n',
    '4:1 yaml_tab_as_indent',
    '    then: { lifecycle: happy }',
  ],
  [
    'indent',
    'version: 1\nrules:\n  - when: message.send\n   then: { lifecycle: happy }\n',
    '4:1 yaml_missing_char',
    '    then: { lifecycle: happy }',
  ],
  [
    'brace',
    'version: 1\nrules: [{ when: message.send, then: { lifecycle: happy } ]\n',
    '2:58 yaml_bad_indent',
    'rules: [{ when: message.send, then: { lifecycle: happy } } ]',
  ],
  [
    'comma',
    'version: 1\nclock: { mode: frozen start: "2026-01-01T00:00:00Z" }\n',
    '2:16 yaml_block_in_flow',
    'clock: { mode: frozen, start: "2026-01-01T00:00:00Z" }',
  ],
  [
    'star',
    'version: 1\nrules:\n  - when: message.send\n    match: { to: *0150 }\n    then: { lifecycle: happy }\n',
    '4:18 unknown_alias',
    null,
  ],
  [
    'wrong fact',
    'version: 1\nrules:\n  - when: message.send\n    match: { name: order_shipped }\n    then: { lifecycle: happy }\n',
    '4:14 fact_not_known_here',
    '    match: { template: order_shipped }',
  ],
  [
    'thne',
    'version: 1\nrules:\n  - when: message.send\n    thne: { lifecycel: happy }\n',
    '4:5 unknown_key',
    '    then: { lifecycel: happy }',
  ],
  [
    'unknown lifecycle',
    'version: 1\nrules:\n  - when: message.send\n    then: { lifecycle: hapy }\n',
    '4:24 unknown_word',
    '    then: { lifecycle: happy }',
  ],
  [
    'unknown failure',
    'version: 1\nrules:\n  - when: message.send\n    then: { lifecycle: [{ failed: 1s, error: undelivered }] }\n',
    '4:46 unknown_word',
    '    then: { lifecycle: [{ failed: 1s, error: undeliverable }] }',
  ],
];

describe.each(files)('%s', (_name, text, first, fixed) => {
  const [problem] = problemsOf(text);

  it('is rejected at its place, with what was found and what is allowed', () => {
    expect(problem && `${problem.line}:${problem.column} ${problem.code}`).toBe(first);
    expect(problem?.found).not.toBe('');
    expect(problem?.allowed ?? '').not.toBe('');
    expect(problem?.fixed ?? null).toBe(fixed);
  });

  it('has corrected lines that load, or none', () => {
    let lines = text.split('\n');
    for (let turn = 0; turn < 5; turn += 1) {
      const corrected = problemsOf(lines.join('\n')).find((one) => one.fixed !== undefined);
      if (corrected?.fixed === undefined) break;
      lines = lines.toSpliced(corrected.line - 1, 1, ...corrected.fixed.split('\n'));
    }
    if (fixed === null) expect(lines.join('\n')).toBe(text);
    else expect(problemsOf(lines.join('\n'))).toEqual([]);
  });
});

it('words of several hundred rules whose expressions are too large are said once', () => {
  const rules = Array.from(
    { length: 300 },
    (_, n) => `  - { when: message.send, match: { text: "/a{200}b${n}/" }, then: { lifecycle: happy } }`,
  );
  const codes = problemsOf(`version: 1\nrules:\n${rules.join('\n')}\n`).map(({ code }) => code);
  expect(codes.filter((code) => code === 'too_many_expressions')).toHaveLength(1);
  expect(codes).toHaveLength(2);
});
