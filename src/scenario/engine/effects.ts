/** Decisions: what the rules set for a call or event. */
import type { Explain } from '../../domain/rows.js';
import type { Facts, Hook } from '../schema/hooks.js';
import type { LoadedRule, Per } from '../schema/rule.js';
import type { SlotName } from '../schema/actions.js';
import type { Effects } from './compile-slots.js';

export interface Winner<S extends SlotName> {
  readonly effect: Effects[S];
  readonly explain: Explain & { readonly id: string };
  /** Key of the bucket of a `limit`: the rule and what `per` counts. */
  readonly key: string;
  /** The value by which the rule counts. */
  readonly per: Per;
}

/** The winner of each slot; a slot without a winner is absent. */
export type Decision = { readonly [S in SlotName]?: Winner<S> };

/** The decision if no rule applies. It is always this object, which most calls get. */
export const undecided: Decision = Object.freeze({});

/** Counters in the store. A key that was never incremented is 0. */
export interface Counters {
  get(key: string): number;
  /** Adds one and returns the new count. */
  increment(key: string): number;
}

export interface RuleQuery {
  readonly hook: Hook;
  readonly facts: Facts;
  readonly counters: Counters;
  /** Account time. */
  readonly nowMs: number;
  /** Account time of the activation, from which `active` counts. */
  readonly activationMs: number;
  readonly seed: number | string;
}

export interface RuleSet {
  readonly rules: readonly LoadedRule[];
  /** Whether a rule of `api.any` matches the status of a response. */
  readonly asksAfterAnswer: boolean;
  /** Returns whether a rule has this hook. */
  speaksAt(hook: Hook): boolean;
  /**
   * Adds winners for the slots that `decided` leaves open; returns `decided` itself if no rule applies. A rule counts every
   * call that it matches.
   */
  decide(query: RuleQuery, decided?: Decision): Decision;
}

export interface Script {
  /**
   * Returns the decision at a hook. Counts calls, so call it only inside a write.
   * @param prefer rules of the request's own header, which take precedence
   */
  decide(hook: Hook, facts: Facts, prefer?: RuleSet | null): Decision;
  /** Whether the window of a customer who never wrote is open. */
  readonly windowOpenByDefault: boolean;
}
