/**
 * An attacker sends an expression, or a text for an existing one, on which a backtracking engine would work for years.
 */
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { bearerKey } from '../../src/http/guard.js';
import { compileGlob, compileRegex, RegexError } from '../../src/scenario/schema/regex.js';
import { compileMatch } from '../../src/scenario/engine/match.js';
import { useSandbox } from '../support/sandbox.js';

const { it } = useSandbox();

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
    [`${'('.repeat(600)}${')'.repeat(600)}`, '1000'],
    ['(((a{99}){99}){99}){99}', 'invalid repeat count'],
    ['a'.repeat(1100), '1000'],
  ])('/%s/ is refused', (source, word) => {
    expect(() => compileRegex(source)).toThrow(RegexError);
    expect(() => compileRegex(source)).toThrow(word);
  });

  it('may be hostile, and so may the message: the call is answered', async ({ world }) => {
    for (const [i, bomb] of bombs.entries()) {
      const match = { text: `/${bomb}/`, not: { to: `/${bomb}/` } };
      const rule = { id: `bomb-${i}`, when: 'message.send', match, then: { respond: { status: 503 } } };
      expect((await world.call('POST', '/_sandbox/rules', rule)).status).toBe(200);
    }
    await world.put('/_sandbox/customers/+12025550110/window', { open: true });
    const body = { to: '+12025550110', type: 'text', text: fuse };
    expect((await world.call('POST', '/v1/messages', body)).status).toBeOneOf([200, 503]);
  });

  it('see the beginning of a long text, and of a long list', () => {
    expect(compileRegex('b').test(`${'a'.repeat(4_096)}b`)).toBe(false);
    const fits = compileMatch({ variables: '/b/' });
    expect(fits({ variables: ['a'.repeat(4_000), 'b'] })).toBe(true);
    expect(fits({ variables: ['a'.repeat(4_096), 'b'] })).toBe(false);
    expect(fits({ variables: [...Array<string>(5_000).fill(''), 'b'] })).toBe(false);
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
