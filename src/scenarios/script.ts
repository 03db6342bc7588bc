/**
 * The seam between the emulated service and what a tester wants of it: at each hook the service asks what is decided, slot
 * by slot, and takes its default where nobody decided (contract §5, precedence).
 */
import type { Decision } from './effects.js';
import type { Facts, Hook } from './schema/hooks.js';

export interface Script {
  decide(hook: Hook, facts: Facts): Decision;
}

/** Nothing fails unless asked. */
export const noScript: Script = { decide: () => ({}) };
