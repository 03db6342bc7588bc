import type { LoadedRule, Rule } from '../../src/language/rule.js';

/** Rules as a loader gives them, the line being their position. */
export function loaded(...rules: Rule[]): LoadedRule[] {
  return rules.map((rule, index) => ({
    ...rule,
    id: rule.id ?? `rules[${index}]`,
    source: { file: 'test.yaml', line: index + 1 },
  }));
}
