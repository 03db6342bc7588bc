import { describe, expect, it } from 'vitest';
import { loadScenario, type LoadResult } from '../../src/scenario/reader/load.js';
import type { LoadedScenario } from '../../src/scenario/language/scenario.js';

function load(text: string): LoadResult {
  return loadScenario(text, { file: 'flaky.yaml' });
}

function scenarioOf(result: LoadResult): LoadedScenario {
  if ('problems' in result) throw new Error(JSON.stringify(result.problems, null, 2));
  return result.scenario;
}

function problemsOf(result: LoadResult) {
  return 'problems' in result ? result.problems : [];
}

describe('a good scenario', () => {
  it('fills in name, rule ids, places and empty lists', () => {
    const scenario = scenarioOf(load('version: 1\nrules:\n  - when: message.send\n    then: { lifecycle: happy }\n'));
    expect(scenario).toEqual({
      version: 1,
      name: 'flaky',
      defaults: {},
      given: { templates: [], customers: [], webhooks: [] },
      rules: [
        { id: 'rules[0]', when: 'message.send', then: { lifecycle: 'happy' }, source: { file: 'flaky.yaml', line: 3 } },
      ],
      timeline: [],
      expect: [],
      files: ['flaky.yaml'],
    });
  });

  it('reads JSON, tabs included, to the same scenario as YAML', () => {
    const rule = { id: 'a', when: 'message.send', match: { to: '+1415*' }, then: { respond: { status: 503 } } };
    const json = JSON.stringify({ version: 1, rules: [rule] }, null, '\t');
    const yaml =
      'version: 1\n\n\nrules: [{ id: a, when: message.send, match: { to: +1415* }, then: { respond: { status: 503 } } }]';
    expect(scenarioOf(load(json)).rules).toEqual(scenarioOf(load(yaml)).rules);
  });

  it('reads a file with a byte order mark and Windows line ends', () => {
    expect(scenarioOf(load('\uFEFFversion: 1\r\nname: windows\r\n')).name).toBe('windows');
  });
});

describe('texts keep their source', () => {
  it.each([
    '+12025550123',
    '012345',
    'no',
    'on',
    'yes',
    '~x',
    '1e3',
    '2026-03-01',
    '0x1F',
    '1_000',
    '.5',
    'NaN',
    '1.0',
  ])('an unquoted %s is the text it looks like', (written) => {
    const scenario = scenarioOf(
      load(
        `version: 1\nrules:\n  - when: message.send\n    match: { text: ${written} }\n    then: { lifecycle: happy }`,
      ),
    );
    expect(scenario.rules[0]?.match?.text).toBe(written);
  });

  it('takes phone, code and language without quotes', () => {
    const scenario = scenarioOf(
      load(`version: 1
given:
  customers: [{ phone: +12025550123 }]
  templates: [{ name: hei, category: utility, language: no, body: Hei }]
rules: [{ when: otp.send, then: { otp: { code: 012345 } } }]`),
    );
    expect(scenario.given.customers[0]?.phone).toBe('+12025550123');
    expect(scenario.given.templates[0]?.language).toBe('no');
    expect(scenario.rules[0]?.then.otp?.code).toBe('012345');
  });

  it('keeps JSON values as JSON, except what no JSON number looks like', () => {
    const scenario = scenarioOf(
      load(
        'version: 1\nrules: [{ when: api.any, then: { respond: { body: { a: 1.5, b: +12, c: 007, d: true, e: null, f: "1", g: 12345678901234567890 } } } }]',
      ),
    );
    expect(scenario.rules[0]?.then.respond?.body).toEqual({
      a: 1.5,
      b: '+12',
      c: '007',
      d: true,
      e: null,
      f: '1',
      g: '12345678901234567890',
    });
  });
});

describe('problems', () => {
  const rule = (then: string, rest = '') => `version: 1\nrules:\n  - when: message.send\n${rest}    then: ${then}\n`;

  it.each([
    ['an unknown key', 'version: 1\nnam: x\n', 'unknown_key', '2:1', 'nam', 'name', 'name: x'],
    [
      'an unknown word',
      'version: 1\nclock: { mode: frozn }\n',
      'unknown_word',
      '2:16',
      'clock.mode',
      'frozen',
      'clock: { mode: frozen }',
    ],
    [
      'an unknown lifecycle',
      rule('{ lifecycle: hapy }'),
      'unknown_word',
      '4:24',
      'rules[0].then.lifecycle',
      'happy',
      '    then: { lifecycle: happy }',
    ],
    [
      'an unknown failure',
      rule('{ lifecycle: [{ failed: 1s, error: blokd }] }'),
      'unknown_word',
      '4:46',
      'rules[0].then.lifecycle[0].error',
      undefined,
      undefined,
    ],
    [
      'a duration without unit',
      rule('{ respond: { retry_after: 5 } }'),
      'bad_duration',
      '4:37',
      'rules[0].then.respond.retry_after',
      '5s',
      '    then: { respond: { retry_after: 5s } }',
    ],
    [
      'a range that ends early',
      rule('{ lifecycle: [sent: 8s..2s] }'),
      'bad_duration',
      '4:31',
      'rules[0].then.lifecycle[0].sent',
      '2s..8s',
      '    then: { lifecycle: [sent: 2s..8s] }',
    ],
    [
      'a number in quotes',
      rule('{ respond: { status: "503" } }'),
      'wrong_type',
      '4:32',
      'rules[0].then.respond.status',
      '503',
      '    then: { respond: { status: 503 } }',
    ],
    [
      'a number out of range',
      rule('{ respond: { status: 99 } }'),
      'out_of_range',
      '4:32',
      'rules[0].then.respond.status',
      undefined,
      undefined,
    ],
    [
      'a tap without its button',
      'version: 1\ntimeline: [{ at: 1m, inbound: { from: +12025550110, type: interactive } }]\n',
      'missing_key',
      '2:31',
      'timeline[0].inbound',
      undefined,
      undefined,
    ],
    [
      'a key that is missing',
      'version: 1\nrules: [{ when: message.send }]\n',
      'missing_key',
      '2:9',
      'rules[0]',
      undefined,
      undefined,
    ],
    [
      'a value that is missing',
      'version: 1\nrules:\n  - when: message.send\n    then:\n',
      'missing_value',
      '4:10',
      'rules[0].then',
      undefined,
      undefined,
    ],
    [
      'a mapping where a list belongs',
      'version: 1\nrules: { when: message.send }\n',
      'wrong_type',
      '2:8',
      'rules',
      undefined,
      undefined,
    ],
    [
      'a lookahead',
      rule('{ lifecycle: happy }', '    match: { text: /a(?=b)/ }\n'),
      'bad_regex',
      '4:20',
      'rules[0].match.text',
      undefined,
      undefined,
    ],
    [
      'a back reference',
      rule('{ lifecycle: happy }', '    match: { text: { matches: (a)\\1 } }\n'),
      'bad_regex',
      '4:31',
      'rules[0].match.text.matches',
      undefined,
      undefined,
    ],
    [
      'a regex flag nobody knows',
      rule('{ lifecycle: happy }', '    match: { text: /a/g }\n'),
      'bad_regex',
      '4:20',
      'rules[0].match.text',
      undefined,
      undefined,
    ],
    [
      'a fact of another hook',
      rule('{ lifecycle: happy }', '    match: { attempt: 2 }\n'),
      'fact_not_known_here',
      '4:14',
      'rules[0].match.attempt',
      undefined,
      undefined,
    ],
    [
      'a fact of another hook, deep inside',
      rule('{ lifecycle: happy }', '    match: { not: { any: [{ url: x }] } }\n'),
      'fact_not_known_here',
      '4:29',
      'rules[0].match.not.any[0].url',
      undefined,
      undefined,
    ],
    [
      'a header of the server itself',
      rule('{ respond: { headers: { Content-Length: 3 } } }'),
      'bad_header',
      '4:35',
      'rules[0].then.respond.headers.Content-Length',
      undefined,
      undefined,
    ],
    [
      'a header that splits the answer',
      rule('{ respond: { headers: { X-A: "a\\r\\nSet-Cookie: b" } } }'),
      'wrong_form',
      '4:40',
      'rules[0].then.respond.headers.X-A',
      undefined,
      undefined,
    ],
    ['a key given twice', 'version: 1\nname: a\nname: b\n', 'duplicate_key', '3:1', 'name', undefined, undefined],
    [
      'a key that reaches the prototype',
      'version: 1\ngiven: { __proto__: { a: 1 } }\n',
      'forbidden_key',
      '2:10',
      'given.__proto__',
      undefined,
      undefined,
    ],
    [
      'a constructor key in free JSON',
      'version: 1\nrules: [{ when: api.any, then: { respond: { body: { constructor: 1 } } } }]\n',
      'forbidden_key',
      '2:53',
      'rules[0].then.respond.body.constructor',
      undefined,
      undefined,
    ],
    ['a list as key', 'version: 1\n? [a, b]\n: c\n', 'key_not_text', '2:3', '["?"]', undefined, undefined],
    [
      'a phone with spaces',
      'version: 1\ngiven: { customers: [{ phone: "+1 202 555 0150" }] }\n',
      'bad_phone',
      '2:31',
      'given.customers[0].phone',
      '+12025550150',
      'given: { customers: [{ phone: "+12025550150" }] }',
    ],
    [
      'a customer given twice',
      'version: 1\ngiven: { customers: [{ phone: +12025550150 }, { phone: "+12025550150" }] }\n',
      'not_unique',
      '2:47',
      'given.customers[1]',
      undefined,
      undefined,
    ],
    [
      'a rule id given twice',
      'version: 1\nrules:\n  - { id: a, when: api.any, then: { respond: { status: 500 } } }\n  - { id: a, when: otp.send, then: { respond: { status: 500 } } }\n',
      'not_unique',
      '4:5',
      'rules[1]',
      undefined,
      undefined,
    ],
    [
      'a webhook without https',
      'version: 1\ngiven: { webhooks: [{ alias: a, url: "http://x.test/h", events: [otp.verified] }] }\n',
      'bad_url',
      '2:38',
      'given.webhooks[0].url',
      'https://x.test/h',
      'given: { webhooks: [{ alias: a, url: "https://x.test/h", events: [otp.verified] }] }',
    ],
    [
      'placeholders with a gap',
      'version: 1\ngiven: { templates: [{ name: a, category: utility, language: en, body: "{{2}}" }] }\n',
      'bad_placeholder',
      '2:72',
      'given.templates[0].body',
      undefined,
      undefined,
    ],
    [
      'a template without body',
      'version: 1\ngiven: { templates: [{ name: a, category: utility, language: en }] }\n',
      'missing_key',
      '2:22',
      'given.templates[0]',
      undefined,
      undefined,
    ],
    [
      'a future last inbound',
      'version: 1\ngiven: { customers: [{ phone: +12025550150, last_inbound: 5m }] }\n',
      'wrong_sign',
      '2:59',
      'given.customers[0].last_inbound',
      '-5m',
      'given: { customers: [{ phone: +12025550150, last_inbound: -5m }] }',
    ],
    [
      'a scaled clock without scale',
      'version: 1\nclock: { mode: scaled }\n',
      'missing_key',
      '2:8',
      'clock',
      undefined,
      undefined,
    ],
    [
      'a chance without percent sign',
      rule('{ lifecycle: happy }', '    pick: { chance: 10 }\n'),
      'bad_chance',
      '4:21',
      'rules[0].pick.chance',
      '10%',
      '    pick: { chance: 10% }',
    ],
    [
      'a between the wrong way round',
      rule('{ lifecycle: happy }', '    pick: { between: [4, 2] }\n'),
      'out_of_range',
      '4:22',
      'rules[0].pick.between',
      '[2, 4]',
      '    pick: { between: [2, 4] }',
    ],
    [
      'a rule that ends before it begins',
      rule('{ lifecycle: happy }', '    active: { from: +2h, to: +1h }\n'),
      'out_of_range',
      '4:30',
      'rules[0].active.to',
      undefined,
      undefined,
    ],
    [
      'two reviews at once',
      'version: 1\nrules: [{ when: template.review, then: { review: { approve: true, reject: true } } }]\n',
      'not_exactly_one',
      '2:50',
      'rules[0].then.review',
      undefined,
      undefined,
    ],
    [
      'an expectation of nothing',
      'version: 1\nexpect: [{ at: finish, that: requests }]\n',
      'nothing_stated',
      '2:10',
      'expect[0]',
      undefined,
      undefined,
    ],
    [
      'a field no record has',
      'version: 1\nexpect: [{ at: finish, that: requests, where: { operatn: x }, max: 0 }]\n',
      'unknown_field',
      '2:49',
      'expect[0].where.operatn',
      'operation',
      'expect: [{ at: finish, that: requests, where: { operation: x }, max: 0 }]',
    ],
    [
      'a time that is no time',
      'version: 1\nexpect: [{ at: finsh, that: requests, max: 0 }]\n',
      'bad_duration',
      '2:16',
      'expect[0].at',
      'finish',
      'expect: [{ at: finish, that: requests, max: 0 }]',
    ],
    [
      'a review without a decision',
      'version: 1\nrules: [{ when: template.review, then: { review: { after: 1s } } }]\n',
      'not_exactly_one',
      '2:50',
      'rules[0].then.review',
      undefined,
      undefined,
    ],
    [
      'two actions at once',
      'version: 1\ntimeline: [{ at: +5m, inbound: { from: +12025550150 }, emit: { type: message.status } }]\n',
      'not_exactly_one',
      '2:12',
      'timeline[0]',
      undefined,
      undefined,
    ],
    [
      'a path out of the folder',
      'version: 1\nextends: [../../etc/passwd]\n',
      'bad_file_name',
      '2:11',
      'extends[0]',
      undefined,
      undefined,
    ],
    ['an empty file', '', 'empty_document', '1:1', '', undefined, undefined],
    ['a list as document', '- version: 1\n', 'wrong_type', '1:1', '', undefined, undefined],
    ['a second document', 'version: 1\n---\nversion: 1\n', 'several_documents', '2:1', '', undefined, undefined],
    ['a tag', 'version: 1\nname: !!js/function x\n', 'yaml_tag_resolve_failed', '2:7', '', undefined, undefined],
    ['YAML 1.1', '%YAML 1.1\n---\nversion: 1\n', 'yaml_version', '1:1', '', undefined, undefined],
    ['an alias of nothing', 'version: 1\nname: *there\n', 'unknown_alias', '2:7', '', undefined, undefined],
    ['an alias of itself', 'version: 1\nrules: &r [*r]\n', 'alias_cycle', '2:12', '', undefined, undefined],
  ])('%s: its kind, place, path, suggestion and corrected line', (_name, text, code, at, path, suggestion, fixed) => {
    const problem = problemsOf(load(text)).find((candidate) => candidate.code === code);
    expect(problem, JSON.stringify(load(text))).toBeDefined();
    expect(`${problem!.line}:${problem!.column}`).toBe(at);
    expect(problem!.path).toBe(path);
    expect(problem!.suggestion).toBe(suggestion);
    expect(problem!.fixed).toBe(fixed);
    expect(problem!.file).toBe('flaky.yaml');
    expect(problem!.found).not.toBe('');
    expect(problem!.message).toMatch(/\.$/);
  });

  it('come all at once, sorted by line and column', () => {
    const text = `version: 2
clock: { mode: frozn, scale: x }
expect: [{ at: finish, that: request, max: -1 }]
rules:
  - { when: message.sent, then: { lifecycle: hapy, respond: { status: 1 } }, match: { foo: 1 } }
`;
    const problems = problemsOf(load(text));
    expect(problems.map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual([
      '1:10 wrong_type',
      '2:16 unknown_word',
      '2:30 wrong_type',
      '3:30 unknown_word',
      '3:44 out_of_range',
      '5:13 unknown_word',
      '5:46 unknown_word',
      '5:71 out_of_range',
      '5:87 unknown_key',
    ]);
  });

  it('show an example where nobody knows what is meant, and no corrected line', () => {
    const [missing] = problemsOf(load('version: 1\nrules: [{ when: message.send }]\n'));
    expect(missing).toMatchObject({ code: 'missing_key', example: 'then: { respond: { status: 503 } }' });
    expect(missing?.fixed).toBeUndefined();
    const [wrong] = problemsOf(
      load('version: 1\nrules: [{ when: message.send, then: { respond: { status: 99 } } }]\n'),
    );
    expect(wrong).toMatchObject({ code: 'out_of_range', example: '503' });
    expect(wrong?.fixed).toBeUndefined();
  });

  it('show the key that is missing where it can be no other', () => {
    expect(problemsOf(load('name: hello\nrules: []\n'))[0]?.fixed).toBe('version: 1\nname: hello');
    expect(problemsOf(load('{ "name": "hello" }'))[0]?.fixed).toBe('{ "version": 1, "name": "hello" }');
  });

  it.each([
    [
      { rules: [{ id: 'b c', when: 'otp.send', then: { otp: '042042' } }] },
      { rules: [{ id: 'b-c', when: 'otp.send', then: { otp: { code: '042042' } } }] },
    ],
    [
      { rules: [{ when: 'message.sned', then: { lifecycle: 'hapy' } }] },
      { rules: [{ when: 'message.send', then: { lifecycle: 'happy' } }] },
    ],
    [{ given: { customers: ['+12025550150'] } }, { given: { customers: [{ phone: '+12025550150' }] } }],
    [
      { rules: [{ when: 'message.send', pick: { between: '2-4' }, then: { lifecycle: 'happy' } }] },
      { rules: [{ when: 'message.send', pick: { between: [2, 4] }, then: { lifecycle: 'happy' } }] },
    ],
  ])('in a document that is JSON are corrected in JSON: %j', (wrong, right) => {
    let text = JSON.stringify({ version: 1, ...wrong });
    for (let turn = 0; turn < 3; turn += 1) {
      const result = load(text);
      if (!('problems' in result)) break;
      const { fixed } = result.problems[0]!;
      expect(() => JSON.parse(fixed ?? '') as unknown, fixed).not.toThrow();
      text = fixed!;
    }
    expect(JSON.parse(text)).toEqual({ version: 1, ...right });
  });

  it('correct JSON in JSON', () => {
    const wrong = {
      version: 1,
      clock: { mode: 'frozn' },
      given: {
        customers: [
          { phone: 12025550101, window: 'open' },
          { phone: '+12025550101', last_inbound: 5 },
        ],
      },
      rules: [{ when: 'otp.send', then: { otp: { code: 12 } } }, 7],
      expect: [{ at: 'finish', max: 0 }],
    };
    const problems = problemsOf(load(JSON.stringify(wrong)));
    expect(problems.map(({ path }) => path)).toEqual([
      'clock.mode',
      'given.customers[0].phone',
      'given.customers[1].last_inbound',
      'rules[0].then.otp.code',
      'rules[1]',
      'expect[0]',
    ]);
    for (const { fixed = '{}' } of problems) expect(() => JSON.parse(fixed) as unknown, fixed).not.toThrow();
    expect(problems[1]?.fixed).toContain('"phone":"+12025550101","window"');
  });

  it('follow an alias back to where it is written', () => {
    const text = 'version: 1\nrules:\n  - &a { when: message.send, then: { lifecycle: hapy } }\n  - *a\n';
    expect(problemsOf(load(text)).map(({ line, path }) => `${line} ${path}`)).toContain('3 rules[0].then.lifecycle');
  });

  it('are cut after 100, saying how many are left at least', () => {
    const text = `version: 1\n${Array.from({ length: 500 }, (_, i) => `key${i}: 1`).join('\n')}\n`;
    const problems = problemsOf(load(text));
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toMatchObject({ code: 'more_problems', found: 'at least 400 more problems' });
  });
});

describe('limits', () => {
  it('refuses a document that is too long', () => {
    expect(problemsOf(load(`# ${'x'.repeat(300_000)}`))[0]?.code).toBe('document_too_large');
  });

  it.each([
    ['lists', '['.repeat(100_000)],
    ['block lists', '- '.repeat(100_000)],
    ['keys', 'a: '.repeat(60_000)],
    ['explicit keys', '? '.repeat(100_000)],
    ['closed lists', `version: 1\nrules: ${'['.repeat(60)}${']'.repeat(60)}\n`],
  ])('refuses %s nested without end, with a place', (_name, text) => {
    const [problem] = problemsOf(load(text));
    expect(problem).toMatchObject({ code: 'too_deep' });
    expect(problem!.line).toBeGreaterThanOrEqual(1);
  });

  it('stops at aliases that unfold into millions of values', () => {
    const lines = ['a0: &a0 { respond: { body: [x, x, x, x, x, x, x, x, x, x] } }'];
    for (let i = 1; i < 9; i += 1)
      lines.push(
        `a${i}: &a${i} [${Array<string>(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    const text = `version: 1\nrules: [{ when: api.any, then: { respond: { body: { ${lines.join(', ')} } } } }]\n`;
    expect(problemsOf(load(text)).map(({ code }) => code)).toContain('too_many_values');
  });

  it('refuses more aliases than a person writes', () => {
    const text = `version: 1\nrules: [&a x, ${Array<string>(150).fill('*a').join(', ')}]\n`;
    expect(problemsOf(load(text)).map(({ code }) => code)).toEqual(['too_many_aliases']);
  });
});

describe('extends', () => {
  const files: Record<string, string> = {
    'base.yaml': `version: 1
seed: 9
defaults: { lifecycle: unread, window: open }
given:
  templates: [{ name: a, category: utility, language: en, body: base }, { name: b, category: utility, language: en, body: base }]
rules:
  - { id: shared, when: message.send, then: { lifecycle: stuck } }
  - { when: otp.send, then: { otp: { attempts: 1 } } }
timeline: [{ at: 1m, webhook: { alias: app, status: paused } }]
`,
    'loop.yaml': 'version: 1\nextends: [back.yaml]\n',
    'back.yaml': 'version: 1\nextends: [loop.yaml]\n',
    'broken.yaml': 'version: 1\nnam: x\n',
  };
  const resolve = (name: string) => {
    const file = name.endsWith('.yaml') ? name : `${name}.yaml`;
    const text = files[file];
    return text === undefined ? undefined : { file, text };
  };
  const loadWith = (text: string) => loadScenario(text, { file: 'top.yaml', resolve });

  it('puts the rules of the other file behind, merges given by name, and lets the nearer file win', () => {
    const scenario = scenarioOf(
      loadWith(`version: 1
extends: [base]
defaults: { window: closed }
given: { templates: [{ name: a, category: utility, language: en, body: top }] }
rules: [{ when: message.get, then: { respond: { status: 500 } } }, { id: shared, when: message.send, then: { lifecycle: happy } }]
`),
    );
    expect(scenario.rules.map(({ id, source }) => `${id} ${source.file}:${source.line}`)).toEqual([
      'rules[0] top.yaml:5',
      'shared top.yaml:5',
      'base:rules[1] base.yaml:8',
    ]);
    expect(scenario.given.templates.map(({ name, body }) => `${name} ${body}`)).toEqual(['a top', 'b base']);
    expect(scenario.defaults).toEqual({ lifecycle: 'unread', window: 'closed' });
    expect(scenario.seed).toBe(9);
    expect(scenario.name).toBe('top');
    expect(scenario.timeline).toHaveLength(1);
    expect(scenario.files).toEqual(['top.yaml', 'base.yaml']);
  });

  it('refuses a circle, naming it', () => {
    const [problem] = problemsOf(loadWith('version: 1\nextends: [loop]\n'));
    expect(problem).toMatchObject({ code: 'extends_cycle', file: 'back.yaml', line: 2 });
    expect(problem!.message).toContain('top.yaml → loop.yaml → back.yaml → loop.yaml');
  });

  it('reads a file once that is extended twice', () => {
    files['left.yaml'] = 'version: 1\nextends: [base]\n';
    files['right.yaml'] = 'version: 1\nextends: [base]\n';
    expect(scenarioOf(loadWith('version: 1\nextends: [left, right]\n')).rules).toHaveLength(2);
  });

  it('reports an unknown scenario and the problems of the others together', () => {
    const problems = problemsOf(loadWith('version: 1\nextends: [nowhere, broken]\n'));
    expect(problems.map(({ file, code }) => `${file} ${code}`)).toEqual([
      'top.yaml unknown_scenario',
      'broken.yaml unknown_key',
    ]);
  });
});

describe('a .json file', () => {
  const faultOf = (text: string, file = 'a.json') => {
    const result = loadScenario(text, { file });
    return 'problems' in result
      ? result.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
      : [];
  };

  it('is JSON, and not merely YAML', () => {
    const comma = '{ "version": 1,\n  "description": "one, ]",\n  "rules": [], }';
    expect(faultOf(comma)).toEqual(['3:14 JSON allows no comma before a closing bracket.']);
    expect(faultOf(comma, 'a.yaml')).toEqual([]);
    expect(faultOf('version: 1\n')).toEqual([expect.stringMatching(/^1:1 Invalid JSON: /) as string]);
    expect(faultOf('{ "version": 1, "description": "a \\"quoted,]\\" comma, }" }')).toEqual([]);
  });
});

describe('a scenario with problems', () => {
  const resolve = (name: string) =>
    name === 'base'
      ? {
          file: 'base.yaml',
          text: 'version: 1\ngiven: { templates: [{ name: greeting, category: utility, language: en, body: Hi }] }\n',
        }
      : undefined;
  const told = (text: string) => {
    const result = loadScenario(text, { file: 'a.yaml', resolve });
    const codes = (found: readonly { code: string; path: string }[]) =>
      found.map(({ code, path }) => `${code} ${path}`);
    return { problems: 'problems' in result ? codes(result.problems) : [], warnings: codes(result.warnings) };
  };

  it('is told all that can be said besides them, in the places of the file', () => {
    const text = `version: 2
extends: [base]
given: { templates: [{ name: order_shipped, category: utlity, language: en, body: Hi }], webhooks: 5 }
rules:
  - { when: mesage.send, then: { lifecycle: happy } }
  - { when: otp.verify, then: { lifecycle: happy } }
  - { when: message.send, match: { template: [order_shipped, greeting, greting] }, then: { inbound: { text: a } } }
timeline: [{ at: soon, window: { phone: +12025550150, open: true } }, { at: 1m, emit: { type: otp.verified, alias: ap } }]
expect: [{ at: finish, that: attempts, where: { rule: forged, event: message.stats }, max: 0 }]
`;
    expect(told(text)).toEqual({
      problems: [
        'wrong_type version',
        'unknown_word given.templates[0].category',
        'wrong_type given.webhooks',
        'unknown_word rules[0].when',
        'bad_duration timeline[0].at',
      ],
      warnings: [
        'slot_under_wrong_hook rules[1].then.lifecycle',
        'unknown_template rules[2].match.template[2]',
        'unknown_alias_name timeline[1].emit.alias',
        'never_fits expect[0].where.event',
      ],
    });
  });

  it('is told of an unknown scenario too, and then not which names nobody gives', () => {
    const text =
      'version: 1\nextends: [bse, "../up", base]\nrules: [{ when: message.send, match: { template: x }, then: { otp: {} } }]\n';
    expect(told(text).problems).toEqual([
      'unknown_scenario extends[0]',
      'bad_file_name extends[1]',
      expect.any(String),
    ]);
    expect(told(text.replace('{ otp: {} }', '{ otp: { attempts: 1 } }')).warnings).toEqual([
      'slot_under_wrong_hook rules[0].then.otp',
    ]);
  });

  it('is read as far as a list may go, when one is too long', () => {
    const rule = '  - { when: message.get, then: { respond: { status: 500 } } }\n';
    const broken = '  - { when: message.got, then: { respond: { status: 500 } } }\n';
    const { problems } = told(`version: 1\nseed: x\nrules:\n${broken}${rule.repeat(1000)}`);
    expect(problems).toEqual(['wrong_type seed', 'wrong_length rules', 'unknown_word rules[0].when']);
  });
});

describe('bounds of an expectation', () => {
  const expecting = (bounds: string) => load(`version: 1\nexpect:\n  - { at: finish, that: requests, ${bounds} }\n`);

  it('that exclude each other are told of, at the lower one', () => {
    expect(expecting('min: 3, max: 2')).toMatchObject({
      problems: [{ code: 'out_of_range', path: 'expect[0].min', allowed: 'at most 2' }],
    });
  });

  it.each(['min: 2, max: 2', 'min: 3', 'max: 0'])('%s can hold', (bounds) => {
    expect(expecting(bounds)).not.toHaveProperty('problems');
  });
});
