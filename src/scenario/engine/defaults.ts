/** A scenario's `defaults`, as the last layer of rules (contract §5, precedence). */
import { compileRules, type RuleSet } from './rules.js';
import type { Defaults } from '../language/given-schema.js';
import type { LoadedRule } from '../language/rule-schema.js';

/**
 * Lifecycle and review for whatever nobody else decided. The default of the window is no slot, as it says nothing about
 * customers who have written: the server asks `defaults.window` for the others.
 */
export function compileDefaults({ lifecycle, review }: Defaults): RuleSet {
  const source = { file: '', line: 0 };
  const rules: LoadedRule[] = [
    ...(lifecycle === undefined
      ? []
      : [{ id: 'defaults.lifecycle', when: 'message.send' as const, then: { lifecycle }, source }]),
    ...(review === undefined
      ? []
      : [{ id: 'defaults.review', when: 'template.review' as const, then: { review }, source }]),
  ];
  return compileRules(rules, { by: 'default', describe: ({ id }) => `The scenario's ${id} applies.` });
}
