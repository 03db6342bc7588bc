/** A corrected line is one that can be pasted: with it in place of the author's, that problem is gone. */
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/reader/load.js';
import type { Problem } from '../../src/scenario/language/problems.js';
import { asJson } from '../../src/scenario/language/json-text.js';

const problemsOf = (text: string): readonly Problem[] => {
  const result = loadScenario(text, { file: 'wrong.yaml' });
  return 'problems' in result ? result.problems : [];
};

/** Puts the first corrected line in its place, until there is none. */
function corrected(text: string): { text: string; problems: readonly Problem[] } {
  let lines = text.split('\n');
  for (let turn = 0; turn < 9; turn += 1) {
    const problem = problemsOf(lines.join('\n')).find(({ fixed }) => fixed !== undefined);
    if (problem?.fixed === undefined) break;
    lines = lines.toSpliced(problem.line - 1, 1, problem.fixed);
  }
  return { text: lines.join('\n'), problems: problemsOf(lines.join('\n')) };
}

const ruleWith = (line: string) => `version: 1\nrules:\n  - when: message.send\n    ${line}\n    id: r`;

describe('a rule with a line that is wrong', () => {
  it.each([
    ['then: { lifecycle: [sent: 5min] }', 'then: { lifecycle: [sent: 5m] }'],
    ['then: { lifecycle: [sent: 1.5h, read: 30 s] }', 'then: { lifecycle: [sent: 1h30m, read: 30s] }'],
    ["then: { lifecycle: [sent: '5min'] }", "then: { lifecycle: [sent: '5m'] }"],
    ['then: { lifecycle: [sent: "5min"] }', 'then: { lifecycle: [sent: "5m"] }'],
    ['then: { lifecycle: [sent: -1] }', 'then: { lifecycle: [sent: 1s] }'],
    ['then: { lifecycle: [sent: 8s..2s] }', 'then: { lifecycle: [sent: 2s..8s] }'],
    ['then: { lifecycle: [sent: 2-8s] }', 'then: { lifecycle: [sent: 2s..8s] }'],
    ['then: { lifecycle: [sent: PT5M] }', 'then: { lifecycle: [sent: 5m] }'],
    ['then: { respond: { retry_after: 2 } }', 'then: { respond: { retry_after: 2s } }'],
    ['then: { respond: { latency_real: 1000 } }', 'then: { respond: { latency_real: 1000ms } }'],
    [
      'then: { review: { approve: true, after: 1h, alter: [] } }',
      'then: { review: { approve: true, after: 1h, later: [] } }',
    ],
    ['then: { refuse: { message: @all } }', 'then: { refuse: { message: "@all" } }'],
    ['then: { refuse: { message: `x`, code: a } }', 'then: { refuse: { message: "`x`", code: a } }'],
    ['thne: { lifecycle: happy }', 'then: { lifecycle: happy }'],
  ])('%s', (wrong, right) => {
    const { text, problems } = corrected(ruleWith(wrong));
    expect(text).toBe(ruleWith(right));
    expect(problems).toEqual([]);
  });

  it.each([
    ['match: { to: +12025550113 +12025550114 }', 'match: { to: [+12025550113, +12025550114] }'],
    ['pick: { between: 2-4 }', 'pick: { between: [2, 4] }'],
    ['if: { type: text }', 'match: { type: text }'],
  ])('%s', (wrong, right) => {
    const rule = (line: string) => `${ruleWith(line)}\n    then: { lifecycle: happy }`;
    const { text, problems } = corrected(rule(wrong));
    expect(text).toBe(rule(right));
    expect(problems).toEqual([]);
  });
});

describe('a document with a line that is wrong', () => {
  it.each([
    ['description: Note: this # why', 'description: "Note: this" # why'],
    ['description: %foo', 'description: "%foo"'],
    ['description: `x` and "y"', 'description: "`x` and \\"y\\""'],
    [
      'given: { customers: [{ phone: +12025550155, last_inbound: 5 min }] }',
      'given: { customers: [{ phone: +12025550155, last_inbound: -5m }] }',
    ],
    ['expect: [{ at: end, that: calls, at_most: 3 }]', 'expect: [{ at: finish, that: requests, max: 3 }]'],
    [
      'timeline: [{ at: 5 min, windw: { phone: +12025550155, open: true } }]',
      'timeline: [{ at: 5m, window: { phone: +12025550155, open: true } }]',
    ],
  ])('%s', (wrong, right) => {
    expect(corrected(`version: 1\n${wrong}\nname: x`)).toEqual({ text: `version: 1\n${right}\nname: x`, problems: [] });
  });
});

describe('one mistake', () => {
  it.each([
    [
      'a key by a wrong name is not missing besides',
      'version: 1\nrules: [{ whne: message.send, then: { lifecycle: happy } }]',
      'unknown_key',
    ],
    [
      'nor is a choice that was misspelt',
      'version: 1\ntimeline: [{ at: 5m, inbuond: { from: +12025550155 } }]',
      'unknown_key',
    ],
    ['nor a condition', 'version: 1\nexpect: [{ at: finish, that: attempts, answred: 2xx }]', 'unknown_key'],
    [
      'an alias of nothing is no missing value',
      'version: 1\nrules: [{ when: *send, then: { lifecycle: happy } }]',
      'unknown_alias',
    ],
    [
      'nor does it make sense of what stands beside it',
      'version: 1\ntimeline: [{ at: 5m, emit: { type: *x, data: { to: 1 } } }]',
      'unknown_alias',
    ],
  ])('is told once: %s', (_name, text, code) => {
    expect(problemsOf(text).map((problem) => problem.code)).toEqual([code]);
  });
});

describe('what is said besides', () => {
  it.each([
    ['version: 1\nrules: [{ <<: 1, when: message.send, then: { lifecycle: happy } }]', /no merge keys/],
    [
      'version: 1\nrules: [{ when: message.send, match: { text: /a,b/i }, then: { lifecycle: happy } }]',
      /In braces, put an expression that contains a comma in quotes/,
    ],
    ['version: 1\nname: "abc\nrules: []\n', /^The quoted text that begins here has no closing "\.$/],
  ])('%j', (text, message) => {
    expect(problemsOf(text)[0]?.message).toMatch(message);
  });

  it('a quote that is never closed is shown where it opens', () => {
    expect(problemsOf("version: 1\nname: x\ndescription: 'it is\nrules: []\n")).toMatchObject([
      { line: 3, column: 14 },
    ]);
  });

  it('a file that is not UTF-8 is rejected at the first character that is lost', () => {
    const text = new TextDecoder().decode(Buffer.from('version: 1\ndescription: caf\u00e9\n', 'latin1'));
    expect(problemsOf(text)).toMatchObject([{ code: 'not_utf8', line: 2, column: 17 }]);
    expect(problemsOf('version: 1\ndescription: "\\uFFFD"\n')).toEqual([]);
  });

  it('a carriage return alone ends a line', () => {
    expect(problemsOf('version: 1\rname: a b\r')).toMatchObject([{ line: 2, column: 7, fixed: 'name: a-b' }]);
  });
});

it.each([
  ['faults of the syntax', 'a: @b\n'.repeat(5000)],
  ['unknown keys', `version: 1\n${Array.from({ length: 5000 }, (_, index) => `key${index}: 1\n`).join('')}`],
])('of thousands of %s a hundred are listed and the others counted', (_name, text) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toMatchObject({ code: 'more_problems', found: 'at least 4900 more problems' });
  expect(problems.filter(({ fixed }) => fixed !== undefined)).toEqual([]);
});

describe('what is made for a document of another kind', () => {
  it.each([
    ['customers: []', '"customers": []'],
    ['{}', '{}'],
    [
      '{ to: "+1415*", nth: 3, on: true, code: "042042", phone: +12025550150, none: null }',
      '{ "to": "+1415*", "nth": 3, "on": true, "code": "042042", "phone": "+12025550150", "none": null }',
    ],
    ['a: {', undefined],
  ])('%s', (yaml, json) => {
    expect(asJson(yaml)).toBe(json);
  });
});

describe('a line too long for people', () => {
  it('is not corrected, however much of it stands before the mistake or behind it', () => {
    const long = JSON.stringify('x'.repeat(400));
    const wrong = (before: string, after: string) =>
      `version: 1\nrules: [{ ${before}when: message.snd, then: { lifecycle: happy }${after} }]`;
    const fixedOf = (text: string) => problemsOf(text).map(({ fixed }) => fixed === undefined);
    expect(fixedOf(wrong('', ''))).toStrictEqual([false]);
    expect(fixedOf(wrong(`match: { text: ${long} }, `, ''))).toStrictEqual([true]);
    expect(fixedOf(wrong('', `, match: { text: ${long} }`))).toStrictEqual([true]);
  });
});
