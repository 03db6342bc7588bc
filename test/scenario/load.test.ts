import { describe, expect, it } from 'vitest';
import { loadScenario, type LoadResult } from '../../src/reader/load.js';
import type { LoadedScenario } from '../../src/language/scenario.js';

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
  it('reads JSON, tabs included, to the same scenario as YAML', () => {
    const rule = { id: 'a', when: 'message.send', match: { phone: '+1415*' }, then: { respond: { status: 503 } } };
    const json = JSON.stringify({ version: 1, rules: [rule] }, null, '\t');
    const yaml =
      'version: 1\n\n\nrules: [{ id: a, when: message.send, match: { phone: +1415* }, then: { respond: { status: 503 } } }]';
    expect(scenarioOf(load(json)).rules).toEqual(scenarioOf(load(yaml)).rules);
  });

  it('reads a file with a byte order mark and Windows line ends', () => {
    expect(scenarioOf(load('\uFEFFversion: 1\r\nname: windows\r\n')).name).toBe('windows');
  });
});

describe('texts keep their source', () => {
  it.each('+12025550123 012345 no on yes ~x 1e3 2026-03-01 0x1F 1_000 .5 NaN 1.0'.split(' '))(
    'an unquoted %s is the text it looks like',
    (written) => {
      const scenario = scenarioOf(
        load(
          `version: 1\nrules:\n  - when: message.send\n    match: { text: ${written} }\n    then: { lifecycle: happy }`,
        ),
      );
      expect(scenario.rules[0]?.match?.text).toBe(written);
    },
  );

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
  it('show an example where nobody knows what is meant', () => {
    const [missing] = problemsOf(load('version: 1\nrules: [{ when: message.send }]\n'));
    expect(missing).toMatchObject({ code: 'missing_key', example: 'then: { respond: { status: 503 } }' });
    const [at] = problemsOf(load('version: 1\nexpect: [{ that: sent, max: 0 }]\n'));
    expect(at?.message).toMatch(/^The key "at" is missing\. Time .* \{ clock: "09:00" \}\. "finish": /);
    const [wrong] = problemsOf(load('version: 1\nseed: -1\n'));
    expect(wrong).toMatchObject({ code: 'out_of_range', example: '42' });
  });

  it('correct JSON in JSON', () => {
    const wrong = {
      version: 1,
      defaults: { window: 'opn' },
      given: {
        customers: [
          { phone: 12025550101, window: 'open' },
          { phone: '+12025550101', window: 5 },
        ],
      },
      rules: [{ when: 'otp.send', then: { otp: { code: 12 } } }, 7],
      expect: [{ at: 'finish', max: 0 }],
    };
    const problems = problemsOf(load(JSON.stringify(wrong)));
    expect(problems.map(({ path }) => path)).toEqual([
      'defaults.window',
      'given.customers[0].phone',
      'given.customers[1].window',
      'rules[0].then.otp.code',
      'rules[1]',
      'expect[0]',
    ]);
    for (const { fixed = '{}' } of problems) expect(() => JSON.parse(fixed) as unknown, fixed).not.toThrow();
    expect(problems[1]?.fixed).toContain('"phone":"+12025550101","window"');
  });
});

describe('limits', () => {
  it('refuses a document that is too long', () => {
    expect(problemsOf(load(`# ${'x'.repeat(300_000)}`))[0]?.code).toBe('document_too_large');
  });

  it.each([
    ['lists', '['.repeat(20_000)],
    ['block lists', '- '.repeat(20_000)],
    ['explicit keys', '? '.repeat(20_000)],
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

  it('takes the file itself first, and what the base adds', () => {
    const text = `version: 1
extends: [base]
defaults: { lifecycle: blocked }
given: { templates: [{ name: a, category: utility, language: en, body: top }] }
rules: [{ id: shared, when: message.send, then: { window: open } }]
expect: [{ at: finish, that: messages, max: 5 }]
`;
    const { name, seed, defaults, given, rules, timeline, expect: checks, files: read } = scenarioOf(loadWith(text));
    expect({ name, seed, defaults, read }).toEqual({
      ...{ name: 'top', seed: 9, defaults: { lifecycle: 'blocked', window: 'open' } },
      read: ['top.yaml', 'base.yaml'],
    });
    expect(given.templates.map((template) => [template.name, template.body])).toEqual([
      ['a', 'top'],
      ['b', 'base'],
    ]);
    expect(rules.map(({ id, then }) => [id, Object.keys(then).join()])).toEqual([
      ['shared', 'window'],
      ['base:rules[1]', 'otp'],
    ]);
    expect([timeline.length, checks.length]).toEqual([1, 1]);
  });

  it('reads the paths of a state in lines of their own, whatever words they contain', () => {
    const state = 'version: 1\nexpect:\n  - at: finish\n    state:\n      /visits#list.0.status: confirmed\n';
    const until = "timeline:\n  - at: +1m\n    until:\n      /this: 'is = it'\n";
    const { expect: checks, timeline } = scenarioOf(loadWith(`${state}${until}`));
    expect([checks.length, timeline.length]).toEqual([1, 1]);
  });

  it('refuses a circle, naming it', () => {
    const [problem] = problemsOf(loadWith('version: 1\nextends: [loop]\n'));
    expect(problem).toMatchObject({ code: 'extends_cycle', file: 'back.yaml', line: 2 });
    expect(problem!.message).toContain('top.yaml → loop.yaml → back.yaml → loop.yaml');
  });

  it('reports an unknown scenario and the problems of the others together', () => {
    const problems = problemsOf(loadWith('version: 1\nextends: [nowhere, broken]\n'));
    expect(problems.map(({ file, code }) => `${file} ${code}`)).toEqual([
      'top.yaml unknown_scenario',
      'broken.yaml unknown_key',
    ]);
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
timeline: [{ at: soon, window: open, phone: +12025550150 }, { at: 1m, emit: { type: otp.verified, alias: ap } }]
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
});
