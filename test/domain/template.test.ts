import { describe, expect, it } from 'vitest';
import { fillTemplate, isTooLong, longestText, placeholderProblem, variableCount } from '../../src/domain/template.js';

describe('placeholders', () => {
  it.each([
    ['Your order left.', 0],
    ['Order {{1}} left', 1],
    ['{{1}}{{2}}', 2],
    ['{{2}} before {{1}}', 2],
    ['{{1}} twice: {{1}}', 1],
    ['{1} and }{ and }} and {{ are plain text', 0],
    ['{{{1}}} in braces', 1],
  ])('%j is right and takes %i', (body, count) => {
    expect(placeholderProblem(body)).toBeNull();
    expect(variableCount(body)).toBe(count);
  });

  it.each([
    ['{{2}}', '{{1}} is missing'],
    ['{{1}} {{3}}', '{{2}} is missing'],
    ['{{0}}', '{{0}} is not a placeholder'],
    ['{{01}}', '{{01}} is not a placeholder'],
    ['{{ 1 }}', '{{ 1 }} is not a placeholder'],
    ['{{name}}', '{{name}} is not a placeholder'],
    ['{{ and }}', '{{ and }} is not a placeholder'],
    ['{{}}', '{{}} is not a placeholder'],
    ['{{-1}}', '{{-1}} is not a placeholder'],
    ['{{1.0}}', '{{1.0}} is not a placeholder'],
    ['{{12345}}', '{{12345}} is not a placeholder'],
  ])('%j is refused: %s', (body, problem) => {
    expect(placeholderProblem(body)).toContain(problem);
  });
});

describe('filling in', () => {
  it('puts each variable where its number stands', () => {
    expect(fillTemplate('{{2}}, {{1}} and {{2}}', ['a', 'b'])).toBe('b, a and b');
  });

  it('takes variables as they are: no pattern, no placeholder in them means anything', () => {
    expect(fillTemplate('<{{1}}> <{{2}}>', ['{{2}} $& $1 $$', '{{1}}'])).toBe('<{{2}} $& $1 $$> <{{1}}>');
  });

  it('takes no longer than the text is long', () => {
    const hostile = '{{'.repeat(50_000) + '1'.repeat(50_000);
    expect(placeholderProblem(hostile)).toBeNull();
    expect(fillTemplate(hostile, ['a'])).toBe(`${hostile.slice(0, longestText)}…`);
  });
});

describe('a text that is too long', () => {
  const filled = (variable: string, times = 1) => ['{{1}}'.repeat(times), [variable]] as const;

  it('is one of more characters than the channel shows, however many units they have', () => {
    for (const character of ['a', '😀']) {
      const most = character.repeat(longestText);
      expect([isTooLong(...filled(most)), fillTemplate(...filled(most))]).toEqual([false, most]);
      const more = filled(most + character);
      expect([isTooLong(...more), fillTemplate(...more)]).toEqual([true, `${most}…`]);
    }
  });

  it('is cut, however often a long variable stands in the body', () => {
    const [body, variables] = filled('b'.repeat(1_000_000), 204);
    expect(fillTemplate(body, variables)).toBe(`${'b'.repeat(longestText)}…`);
  });
});
