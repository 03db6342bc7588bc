/** Whatever the text holds, loading ends soon and either gives a scenario or says what is wrong, and where. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { loadScenario } from '../../src/reader/load.js';
import { formatProblems } from '../../src/language/problems.js';
import { compileRules } from '../../src/rules/rules.js';
import { lastOffsetMs } from '../../src/rules/timeline.js';
import { cases } from '../support/property.js';

const shipped = readdirSync('scenarios')
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(`scenarios/${name}`, 'utf8'));

function check(text: string): void {
  const result = loadScenario(text, { file: 'fuzz.yaml' });
  if ('scenario' in result) {
    // What the loader lets through, the engine takes.
    compileRules(result.scenario.rules);
    lastOffsetMs(result.scenario);
    expect(JSON.parse(JSON.stringify(result.scenario))).toEqual(result.scenario);
    return;
  }
  expect(result.problems.length).toBeGreaterThan(0);
  const lineCount = text.split(/\r\n|\r|\n/).length;
  let last = 0;
  for (const problem of result.problems) {
    expect(problem.line).toBeGreaterThanOrEqual(Math.max(1, last));
    expect(problem.line).toBeLessThanOrEqual(lineCount + 1);
    expect(problem.column).toBeGreaterThanOrEqual(1);
    expect(problem.message.length).toBeGreaterThan(5);
    expect(problem.found).not.toBe('');
    last = problem.line;
  }
  expect(formatProblems(result.problems, () => text)).toContain('fuzz.yaml:');
}

const options = { seed: 11, numRuns: cases(300) };
const words = fc.constantFrom(
  ...'version rules when then match pick given expect timeline extends respond lifecycle message.send'.split(' '),
  ...'webhook.deliver happy 2s..8s 10% +12025550150 /a+/i /(?=a)/ __proto__ constructor finish 1  * {{1}}'.split(' '),
);

describe('loading', () => {
  it('survives random text', () => {
    const signs = fc.string({
      unit: fc.constantFrom(...'ab1:-{}[]&*!|>\'"%@`#,?\n\t \r\u0000\u2028~<\\'.split('')),
      maxLength: 200,
    });
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), signs), check), {
      ...options,
      numRuns: cases(400),
    });
  });

  it('survives random JSON and YAML made of the words of the language', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 6 }, tie('leaf'), tie('map'), tie('list')),
      leaf: fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.double()),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      map: fc.dictionary(words, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
    }));
    const root = fc.tuple(tree, tree).map(([rules, given]) => ({ version: 1, rules, given }));
    fc.assert(
      fc.property(fc.oneof(tree, root), (value) => check(JSON.stringify(value))),
      options,
    );
    fc.assert(
      fc.property(root, (value) => check(stringify(value))),
      options,
    );
  });

  it('survives shipped scenarios with a piece cut out, doubled or overwritten', () => {
    const mutation = fc.record({
      text: fc.constantFrom(...shipped),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 0, max: 60 }),
      insert: fc.oneof(
        fc.constant(''),
        words,
        fc.string({ maxLength: 8 }),
        fc.constantFrom('\n', '  ', ': ', '[', '}', '"', '&a ', '*a', '\t', '- '),
      ),
      double: fc.boolean(),
    });
    fc.assert(
      fc.property(mutation, ({ text, from, length, insert, double }) => {
        const start = Math.floor(from * text.length);
        const piece = text.slice(start, start + length);
        check(text.slice(0, start) + insert + (double ? piece + piece : '') + text.slice(start + length));
      }),
      { ...options, numRuns: cases(500) },
    );
  });

  it.each([
    ['quotes', '"'.repeat(30_000)],
    ['anchors', Array.from({ length: 12_000 }, (_, i) => `- &a${i} 1`).join('\n')],
    ['documents', '---\n'.repeat(20_000)],
    ['keys', Array.from({ length: 8_000 }, (_, i) => `k${i}: 1`).join('\n')],
    [
      'a long regex',
      `version: 1\nrules: [{ when: message.send, match: { text: "/${'(a?)'.repeat(20_000)}/" }, then: { lifecycle: happy } }]`,
    ],
    ['steep indentation', Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('is not slowed down by %s', (_name, text) => {
    check(text);
  });
});
