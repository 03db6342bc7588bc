/**
 * An attacker sends an expression, or a text for an existing one, on which a backtracking engine would work for years.
 */
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { bearerKey } from '../../src/http/guard.js';
import { compileGlob, compileRegex, RegexError } from '../../src/scenario/language/regex.js';
import { compileMatch, expressionSteps } from '../../src/scenario/language/matchers.js';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const { sandbox, it } = useSandbox();

// Nothing here measures time: anything that is not linear does not end within the test's time limit.
const bombs = ['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*a){12}$', '([a-z]+)*$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(a*)*b'];
const fuse = `${'a'.repeat(4000)}!`;

describe('expressions of a scenario', () => {
  it.each(bombs)('/%s/ is judged in time that grows with the text alone', (source) => {
    const regex = compileRegex(source);
    for (let i = 0; i < 5; i += 1) expect(typeof regex.test(fuse)).toBe('boolean');
  });

  it.each([
    ['(?=a)b', 'lookahead'],
    ['(?<!a)b', 'lookbehind'],
    ['(a)\\1', 'back reference'],
    ['(?<n>a)\\k<n>', 'back reference'],
    [`${'('.repeat(300)}${')'.repeat(300)}`, '512'],
    ['(((a{99}){99}){99}){99}', 'invalid repeat count'],
    ['a'.repeat(600), '512'],
  ])('/%s/ is refused', (source, word) => {
    expect(() => compileRegex(source)).toThrow(RegexError);
    expect(() => compileRegex(source)).toThrow(word);
  });

  it('may be hostile, and so may the message: the call is answered', async ({ world }) => {
    for (const [i, bomb] of bombs.entries()) {
      const match = { text: { matches: `/${bomb}/` }, not: { to: `/${bomb}/` } };
      const rule = { id: `bomb-${i}`, when: 'message.send', match, then: { respond: { status: 503 } } };
      expect((await world.call('POST', '/_sandbox/rules', rule)).status).toBe(200);
    }
    await world.put('/_sandbox/customers/+12025550110/window', { open: true });
    const body = { to: '+12025550110', type: 'text', text: fuse };
    expect((await world.call('POST', '/v1/messages', body)).status).toBeOneOf([200, 503]);
  });

  const hostile = (letter: string) => `/a[ab]{300}[c${letter}]$/`;
  const hostileRule = (text: unknown) => ({
    when: 'message.send',
    match: { text },
    then: { respond: { status: 503 } },
  });

  it('may not take more steps together than one call can bear', async ({ world }) => {
    const rules = Array.from({ length: 5 }, (_, rule) =>
      hostileRule(Array.from({ length: 5 }, (_, i) => hostile(String.fromCharCode(100 + 5 * rule + i)))),
    );
    for (const [method, path] of [
      ['PUT', '/_sandbox/scenario'],
      ['POST', '/_sandbox/scenarios/check'],
    ] as const) {
      const response = await world.call(method, path, { version: 1, rules });
      expect([response.status, response.body.error.code]).toEqual([400, 'scenario_invalid']);
      const details = response.body.error.details as unknown as { code: string; path: string; allowed: string }[];
      expect(details.find(({ code }) => code === 'too_many_steps')).toMatchObject({
        path: 'rules[4].match',
        allowed: 'at most 2000000 steps',
      });
    }
  });

  it('count together with those of rules added at run time, and those with each other', async ({ world }) => {
    expect((await world.call('POST', '/_sandbox/rules', { id: 'one', ...hostileRule(hostile('d')) })).status).toBe(200);
    const same = await world.call('POST', '/_sandbox/rules', { id: 'same', ...hostileRule(hostile('d')) });
    expect(same.status).toBe(200);
    const second = await world.call('POST', '/_sandbox/rules', hostileRule(hostile('e')));
    expect([second.status, second.body.error.code]).toEqual([400, 'scenario_invalid']);
    expect(second.body.error.details).toContainEqual(expect.objectContaining({ code: 'too_many_steps' }));
    const scenario = await world.call('PUT', '/_sandbox/scenario', { version: 1, rules: [hostileRule(hostile('e'))] });
    expect([scenario.status, scenario.body.error.code]).toEqual([400, 'scenario_invalid']);
    for (const id of ['one', 'same']) await world.call('DELETE', `/_sandbox/rules/${id}`);
    const alone = await world.call('PUT', '/_sandbox/scenario', { version: 1, rules: [hostileRule(hostile('e'))] });
    expect(alone.status).toBe(200);
  });

  it('are limited for each expectation too', async () => {
    const where = { text: [hostile('d'), hostile('e')] };
    const expectation = { at: 'finish', that: 'messages', where, count: 0 };
    const response = await newWorld(sandbox).call('PUT', '/_sandbox/scenario', { version: 1, expect: [expectation] });
    expect(response.status).toBe(400);
    expect(response.body.error.details).toContainEqual(expect.objectContaining({ code: 'too_many_steps' }));
  });

  it('are not compiled any more once a document has too many of them', async () => {
    const text = Array.from({ length: 40 }, (_, i) => `/${'(?:a|b)?'.repeat(20)}[ab]{${200 + i}}x/`);
    const response = await newWorld(sandbox).call('PUT', '/_sandbox/scenario', {
      version: 1,
      rules: [hostileRule(text)],
    });
    expect(response.body.error.details).toContainEqual(expect.objectContaining({ code: 'too_many_expressions' }));
  });

  it('see the beginning of a long text, and of a long list', () => {
    expect(compileRegex('b').test(`${'a'.repeat(4_096)}b`)).toBe(false);
    const fits = compileMatch({ variables: '/b/' });
    expect(fits({ variables: ['a'.repeat(4_000), 'b'] })).toBe(true);
    expect(fits({ variables: ['a'.repeat(4_096), 'b'] })).toBe(false);
    expect(fits({ variables: [...Array<string>(5_000).fill(''), 'b'] })).toBe(false);
  });

  it('cost the same steps however often rules repeat them, and more for longer facts', () => {
    const size = compileRegex('ab+c').size;
    expect(expressionSteps([{ text: '/ab+c/' }])).toBe(size * 4_096);
    expect(expressionSteps([{ text: '/ab+c/', type: 'text' }, { not: { text: { matches: 'ab+c' } } }])).toBe(
      size * 4_096,
    );
    expect(expressionSteps([{ to: '/ab+c/' }])).toBe(size * 3_200);
    expect(expressionSteps([{ type: ['/ab+c/', 'text'] }, { any: [{ template: '/ab+c/' }] }])).toBe(size * 2_048);
    expect(expressionSteps([{ variables: { '1': '/ab+c/', '2': '/ab+c/' } }])).toBe(size * 8_192);
    expect(expressionSteps([{ text: 'plain', to: '+1*' }, undefined])).toBe(0);
  });

  it('a glob of many stars is read from the left once', () => {
    const glob = compileGlob(`${'*a'.repeat(2000)}*b`);
    for (let i = 0; i < 100; i += 1) expect(glob('a'.repeat(3000))).toBe(false);
  });
});

describe('filters', () => {
  it('take hostile values as they are', async ({ world }) => {
    await world.call('GET', `/v1/${'a'.repeat(4000)}`);
    for (const value of [...bombs, '*a'.repeat(1500), '%', '[', '\\']) {
      for (const filter of ['path', 'operation']) {
        const answer = await world.call('GET', `/_sandbox/requests?${filter}=${encodeURIComponent(value)}`);
        expect([filter, value, answer.status]).toEqual([filter, value, expect.toBeOneOf([200, 400])]);
      }
      const waited = `/_sandbox/wait?for=request&path=${encodeURIComponent(value)}&timeout=1ms`;
      expect((await world.call('GET', waited)).status).toBeOneOf([200, 400, 408]);
    }
  });
});

describe('our own expressions', () => {
  it('find the key of a header full of spaces', () => {
    const spaces = ' '.repeat(15_000);
    for (let i = 0; i < 2000; i += 1) {
      expect(bearerKey(`Bearer a${spaces}b`)).toBe(`a${spaces}b`);
      expect(bearerKey(`Bearer ${spaces}`)).toBeNull();
      expect(bearerKey(`Bearer${spaces}\t`)).toBeNull();
    }
  });

  it('judge every text that the documents give a form, whatever it is', () => {
    const texts = [
      'a',
      '0',
      '+1',
      'aA0_',
      '-a',
      '1d',
      ' ',
      '\t\n',
      '/',
      '%',
      '.',
      '{{1}}',
      'https://',
      'https://a?',
    ].map((piece) => `${piece.repeat(20_000)}!`);
    for (const file of ['openapi.yaml', 'src/http/control/openapi.yaml']) {
      const patterns = patternsOf(parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 }));
      expect(patterns.size).toBeGreaterThan(10);
      for (const pattern of patterns) {
        const regex = new RegExp(pattern, 'u');
        for (const text of [...texts, ...texts.map((text) => `https://${text}`)])
          expect(typeof regex.test(text)).toBe('boolean');
      }
    }
  });
});

function patternsOf(node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'pattern' && typeof value === 'string') found.add(value);
    else patternsOf(value, found);
  }
  return found;
}
