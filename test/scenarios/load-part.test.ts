import { describe, expect, it } from 'vitest';
import { loadRule, loadWebhookSlot } from '../../src/scenarios/load-part.js';

describe('a rule added at run time', () => {
  it('gets the id it brings, or the one it is given', () => {
    const text = '{"when":"message.send","then":{"lifecycle":"stuck"}}';
    expect(loadRule(text, 'rule-1')).toEqual({
      value: { id: 'rule-1', when: 'message.send', then: { lifecycle: 'stuck' }, source: { file: '', line: 0 } },
    });
    const named = loadRule('{ id: mine, when: message.send, then: { lifecycle: stuck } }', 'rule-1');
    expect('value' in named && named.value.id).toBe('mine');
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
    const result = loadRule(text, 'rule-1');
    expect('problems' in result && result.problems).toEqual(
      expect.arrayContaining([expect.objectContaining({ code, path, file: 'rule' })]),
    );
  });
});

describe('the fault of one event', () => {
  it('is made ready', () => {
    const result = loadWebhookSlot('{"delay":"2s..4s","signature":"missing"}', () => 0.5);
    expect('value' in result && result.value).toMatchObject({ delayMs: 3000, signature: 'missing', duplicate: 0 });
  });

  it('is refused with its place', () => {
    const result = loadWebhookSlot('{"signature":"mising"}', () => 0);
    expect('problems' in result && result.problems[0]).toMatchObject({ path: 'signature', suggestion: 'missing' });
  });
});
