/**
 * Expressions on which a backtracking engine would work for years. Nothing here measures time: anything that is not
 * linear does not end within the test's time limit.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { bearerKey } from '../../src/http/guard.js';
import { compileGlob, compileRegex, RegexError } from '../../src/language/regex.js';
import { useSandbox } from '../support/sandbox.js';

const { it } = useSandbox();

const bombs = ['(a+)+$', '(a|a)*$', '(.*a){12}$', '([a-z]+)*$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(a*)*b'];
const fuse = `${'a'.repeat(4000)}!`;

it('a hostile expression meets a hostile message, and the call is answered', async ({ world }) => {
  for (const [i, bomb] of bombs.entries()) {
    expect(typeof compileRegex(bomb).test(fuse)).toBe('boolean');
    const match = { text: `/${bomb}/`, not: { phone: `/${bomb}/` } };
    await world.post('/_sandbox/rules', {
      id: `bomb-${i}`,
      when: 'message.send',
      match,
      then: { respond: { status: 503 } },
    });
  }
  await world.put('/_sandbox/customers/+12025550110/window', { open: true });
  const body = { to: '+12025550110', type: 'text', text: fuse };
  expect((await world.call('POST', '/v1/messages', body)).status).toBeOneOf([200, 503]);
});

it.for([
  ['(?=a)b', 'lookahead'],
  ['(a)\\1', 'back reference'],
  ['(((a{99}){99}){99}){99}', 'invalid repeat count'],
  ['a'.repeat(1100), '1000'],
] as const)('/%s/ is refused', ([source, word]) => {
  expect(() => compileRegex(source)).toThrow(RegexError);
  expect(() => compileRegex(source)).toThrow(word);
});

it('an expression sees the first 4,096 characters of a text, and a glob of many stars reads it once', () => {
  expect(compileRegex('b').test(`${'a'.repeat(4_096)}b`)).toBe(false);
  const glob = compileGlob(`${'*a'.repeat(2000)}*b`);
  for (let i = 0; i < 100; i += 1) expect(glob('a'.repeat(3000))).toBe(false);
});

it('our own expressions read any text in linear time: the key of a header, and every pattern of the documents', () => {
  const spaces = ' '.repeat(15_000);
  for (let i = 0; i < 1000; i += 1) expect(bearerKey(`Bearer a${spaces}b`)).toBe(`a${spaces}b`);
  const texts = ['a', '0', '+1', 'aA0_', '-a', '1d', ' ', '\t\n', '/', '%', '.', '{{1}}', 'https://', 'https://a?'];
  for (const file of ['src/generated/api.json', 'src/generated/control.json']) {
    const found = [...readFileSync(file, 'utf8').matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    const patterns = new Set(found.map(([, text = '']) => JSON.parse(text) as string));
    expect(patterns.size).toBeGreaterThan(10);
    for (const pattern of patterns)
      for (const piece of texts)
        expect(typeof new RegExp(pattern, 'u').test(`https://${piece.repeat(20_000)}!`)).toBe('boolean');
  }
});
