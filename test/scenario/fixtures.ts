import type { Counters, RuleQuery } from '../../src/scenario/engine/effects.js';
import type { Facts, Hook } from '../../src/scenario/schema/hooks.js';
import type { LoadedRule, Rule } from '../../src/scenario/schema/rule.js';

/** Rules as a loader gives them, the line being their position. */
export function loaded(...rules: Rule[]): LoadedRule[] {
  return rules.map((rule, index) => ({
    ...rule,
    id: rule.id ?? `rules[${index}]`,
    source: { file: 'test.yaml', line: index + 1 },
  }));
}

export function memoryCounters(): Counters & { readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  return {
    counts,
    increment(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
  };
}

export function queryOf(hook: Hook, facts: Facts, rest: Partial<RuleQuery> = {}): RuleQuery {
  return { hook, facts, counters: memoryCounters(), nowMs: 0, activationMs: 0, seed: 1, ...rest };
}
