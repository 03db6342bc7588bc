import { describe, expect, it } from 'vitest';
import { loadPart } from '../../src/scenario/reader/load.js';
import { ruleShape } from '../../src/scenario/language/rules.js';
import { webhookShape } from '../../src/scenario/language/slots.js';

describe('a part on its own', () => {
  it('is read from JSON and from YAML', () => {
    const value = { when: 'message.send', then: { lifecycle: 'stuck' } };
    expect(loadPart(ruleShape, JSON.stringify(value), 'rule')).toMatchObject({ value });
    expect(loadPart(ruleShape, 'when: message.send\nthen: { lifecycle: stuck }', 'rule')).toMatchObject({ value });
    expect(loadPart(webhookShape, '{"delay":"2s..4s"}', 'webhook')).toMatchObject({ value: { delay: '2s..4s' } });
  });

  it.each([
    ['{"when":"message.sent","then":{"lifecycle":"stuck"}}', 'unknown_word', 'when'],
    [
      '{"when":"message.send","match":{"attempt":"1"},"then":{"lifecycle":"stuck"}}',
      'fact_not_known_here',
      'match.attempt',
    ],
    ['{"when":"message.send","then":{"lifecycle":"stuck"},"__proto__":1}', 'forbidden_key', '__proto__'],
    ['[]', 'wrong_type', ''],
    ['{', 'yaml_missing_char', ''],
    ['&a [*a]', 'alias_cycle', ''],
  ])('%s is refused', (text, code, path) => {
    const result = loadPart(ruleShape, text, 'rule');
    expect('problems' in result && result.problems).toEqual(
      expect.arrayContaining([expect.objectContaining({ code, path, file: 'rule' })]),
    );
  });
});
