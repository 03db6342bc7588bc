/**
 * The seam between the emulated service and what a tester wants of it: at each hook the service asks what is decided, slot
 * by slot, and takes its default where nobody decided (contract §5, precedence).
 */
import type { Decision } from './effects.js';
import type { RuleSet } from './rules.js';
import type { Facts, Hook } from '../language/hooks.js';

export interface Script {
  /**
   * What is decided at a hook. Counts, and so only inside a write.
   * @param prefer what the request's own header asks for, before every rule
   */
  decide(hook: Hook, facts: Facts, prefer?: RuleSet | null): Decision;
  /** Whether the window of a customer who never wrote is open. */
  readonly windowOpenByDefault: boolean;
}
