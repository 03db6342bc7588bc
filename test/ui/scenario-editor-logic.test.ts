import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { descriptionAt, suggestionsAt, type Schema } from '../../src/ui/page/panels/scenario/completion.js';
import { snippets, withRule } from '../../src/ui/page/panels/scenario/snippets.js';
import { yamlPlace } from '../../src/ui/page/panels/scenario/yaml-path.js';
import { loadScenario } from '../../src/scenario/reader/load.js';

const schema = JSON.parse(readFileSync('scenarios/scenario.schema.json', 'utf8')) as Schema;

/** The bar marks the cursor. */
const suggested = (text: string) => {
  const { from, suggestions } = suggestionsAt(text.replace('|', ''), text.indexOf('|'), schema);
  return { word: text.slice(from, text.indexOf('|')), labels: suggestions.map(({ label }) => label) };
};

describe('completion', () => {
  it.each([
    ['at the top', 'version: 1\nru|', 'ru', 'rules'],
    ['in an empty text', '|', '', 'version'],
    ['at the start of an item', 'rules:\n  - |', '', 'when'],
    ['in an item', 'rules:\n  - id: x\n    wh|', 'wh', 'when'],
    ['in an item without indentation', 'rules:\n- id: x\n  th|', 'th', 'then'],
    ['in braces', 'rules:\n  - when: message.send\n    then: { respond: { status: 503, ret|', 'ret', 'retry_after'],
    ['after closed braces', 'rules:\n  - then: { respond: { status: 503 } }\n    pi|', 'pi', 'pick'],
    ['after a section', 'rules:\n  - then: { respond: { status: 503 } }\nex|', 'ex', 'expect'],
    ['below a comment', 'rules:\n  # when: x\n  - when: api.any\n    ac|', 'ac', 'active'],
  ])('of a key %s', (_, text, word, label) => {
    const found = suggested(text);
    expect(found.word).toBe(word);
    expect(found.labels).toContain(label);
    expect(found.labels).not.toContain('message.send');
  });

  it.each([
    ['an enumeration', 'rules:\n  - when: mes|', 'mes', 'message.send'],
    ['one in braces', 'clock: { mode: |', '', 'frozen'],
    ['a boolean', 'expect_no_calls: |', '', 'true'],
  ])('of a value: %s', (_, text, word, label) => {
    const found = suggested(text);
    expect(found.word).toBe(word);
    expect(found.labels).toContain(label);
  });

  it('offers nothing inside a list of texts', () => {
    expect(suggested('rules:\n  - match: { to: ["+1", |').labels).toStrictEqual([]);
  });
});

it('describes a key, and no value', () => {
  const text = 'rules:\n  - when: x';
  expect(descriptionAt(text, text.indexOf('when') + 1, schema)).toEqual(expect.any(String));
  expect(descriptionAt(text, text.length - 1, schema)).toBeNull();
});

it('reads a text cut anywhere', () => {
  const text = readFileSync('scenarios/webhook-chaos.yaml', 'utf8');
  for (let at = 0; at <= text.length; at += 1) expect(yamlPlace(text, at).from).toBeLessThanOrEqual(at);
});

describe('a rule by intention', () => {
  it.each(snippets)('is valid: $label', ({ rule }) => {
    const { text } = withRule('version: 1\nname: mine\n', rule);
    const result = loadScenario(text, { file: 'mine.yaml' });
    expect(result).toMatchObject({ scenario: { name: 'mine' }, warnings: [] });
  });

  it('goes to the end of the rules, in their indentation', () => {
    const text = 'version: 1\nrules:\n- when: api.any\n  then: {}\n\n# Checks\nexpect: []\n';
    expect(withRule(text, 'id: x\nwhen: api.any')).toStrictEqual({
      text: 'version: 1\nrules:\n- when: api.any\n  then: {}\n- id: x\n  when: api.any\n\n# Checks\nexpect: []\n',
      at: 5,
    });
  });

  it('replaces an empty list', () => {
    expect(withRule('rules: []\n', 'id: x').text).toBe('rules:\n  - id: x\n');
  });
});
