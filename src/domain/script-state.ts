/** The state of an account's scenario: the active one and its start, rules added at run time, and all counters. */
import type { Row } from './row.js';

/** The id of the only row: one scenario is active at a time. */
export const activeId = 'active';

/** The scenario is plain JSON as returned by the parser. */
export interface ActiveScenario extends Row {
  readonly name: string;
  readonly scenario: object;
  /** The text of the scenario, for display. */
  readonly text: string | null;
  readonly activatedAtMs: number;
  /** Skipped steps of its timeline, oldest first, with a sentence for each. */
  readonly passedOver?: readonly string[];
  /** The positions of timeline steps that waited for a call which has arrived. */
  readonly begun?: readonly number[];
}

/** A rule added at run time; `id` is the rule's. */
export interface RunTimeRule extends Row {
  readonly rule: object;
  /** Account time at which it became active; absent in data of earlier versions. */
  readonly addedAtMs?: number;
}

/** A count (of a rule's matches, hits or draws) or the state of a rate limit. `id` is its key. */
export interface Counter extends Row {
  readonly value: number;
}

/** The last application of a rule: when, and to which customer. `id` is the rule's. */
export interface RuleHit extends Row {
  readonly hits: number;
  readonly atMs: number;
  readonly subject: string;
}

/** An expectation that was evaluated at its instant. `id` is its path in the scenario. */
export interface JudgedExpectation extends Row {
  readonly judgement: object;
}
