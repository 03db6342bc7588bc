import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/ui/page/core/records.js';
import { checkState, lastOffsetMs, offsetMs, stepStates } from '../../src/ui/page/panels/scenario/offsets.js';
import { correctionOf, indexOf, lineOf, type Problem } from '../../src/ui/page/panels/scenario/problems.js';
import { ruleWords } from '../../src/ui/page/panels/scenario/rule-words.js';

const problem: Problem = {
  file: 'editor',
  line: 2,
  column: 7,
  path: 'rules[0].when',
  code: 'unknown_word',
  message: '',
};

describe('a correction', () => {
  it('puts the corrected line in the place of the mistaken one', () => {
    const correction = correctionOf({ ...problem, suggestion: 'message.send', fixed: 'when: message.send' });
    expect(correction?.label).toBe('Write message.send');
    expect(correction?.apply('a: 1\nwhen: message.snd\nb: 2')).toBe('a: 1\nwhen: message.send\nb: 2');
  });

  it('puts two lines in the place of one where a key is missing', () => {
    const correction = correctionOf({ ...problem, line: 1, path: '', fixed: 'version: 1\nname: x' });
    expect(correction?.label).toBe('Write version: 1');
    expect(correction?.apply('name: x')).toBe('version: 1\nname: x');
  });

  it.each([
    ['nothing is known to be meant', {}],
    ['the line is in another file', { file: 'base.yaml', suggestion: 'x', fixed: 'x: 1' }],
    ['no line is given', { suggestion: 'x' }],
  ])('is not offered where %s', (_, fields) => {
    expect(correctionOf({ ...problem, ...fields })).toBeNull();
  });
});

describe('places', () => {
  it.each([
    [1, 1, 0],
    [2, 2, 4],
    [2, 99, 6],
    [9, 1, 7],
  ])('line %i, column %i', (line, column, at) => {
    expect(indexOf('ab\ncde\n', line, column)).toBe(at);
  });

  it('are known of the text alone, not of what it extends', () => {
    expect([lineOf(problem), lineOf({ ...problem, file: 'base.yaml' })]).toStrictEqual([2, null]);
  });
});

describe('offsets', () => {
  it.each([
    ['+10s', 10_000],
    ['+1h30m', 5_400_000],
    ['+1.5m', 90_000],
    ['+250ms', 250],
    ['+2d', 172_800_000],
    ['finish', null],
    ['+', null],
  ])('%s', (offset, ms) => {
    expect(offsetMs(offset)).toBe(ms);
  });

  it('tell what is done, what is next and what is planned', () => {
    expect(stepStates(['+1s', '+2s', '+3s', '+3s', '+9s'], 1000, 3000)).toStrictEqual([
      'done',
      'done',
      'next',
      'next',
      'planned',
    ]);
  });

  it.each([
    [{ passed: true, at: '+1h' }, 0, 'open'],
    [{ passed: true, at: '+1h' }, 3_600_000, 'passed'],
    [{ passed: false, at: 'finish' }, 0, 'open'],
    [{ passed: false, at: 'finish' }, 3_600_000, 'failed'],
    [{ passed: true, at: 'finish' }, 0, 'passed'],
  ] as const)('an expectation %o after %i ms is %s', (check, ms, state) => {
    expect(checkState(check, 500, 500 + ms, lastOffsetMs(['finish', '+30m', '+1h']))).toBe(state);
  });
});

it('a rule in words', () => {
  const rule = {
    id: 'r',
    seq: 1,
    hits: 0,
    last_hit: null,
    when: ['message.send', 'otp.send'],
    match: { to: ['+1*', '+2*'] },
    pick: { nth: 3 },
    per: 'recipient',
    then: { respond: { status: 503 } },
  } as unknown as Rule;
  expect(ruleWords(rule)).toStrictEqual({
    condition: 'message.send or otp.send · where to [+1*, +2*] · pick nth 3 · per recipient',
    effect: 'respond { status 503 }',
  });
});
