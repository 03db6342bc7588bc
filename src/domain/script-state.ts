/** The state of an account's scenario: the active one and its start, rules added at run time, and all counters. */
import { anyObject, formed, isObject, listOf, number, type Of, optional, orNull, text } from './check.js';
import { instant, judgementId, oneLine, place, wordOf } from './forms.js';
import { rowFields } from './row.js';

/** The id of the only row: one scenario is active at a time. */
export const activeId = 'active';

/** The scenario is plain JSON as returned by the parser. */
export const scenarioFields = {
  ...rowFields(wordOf([activeId])),
  name: oneLine,
  scenario: anyObject,
  /** The text of the scenario, for display. */
  text: orNull(text),
  activatedAtMs: instant,
  /** Skipped steps of its timeline, oldest first, with a sentence for each. */
  passedOver: optional(listOf(text)),
  /** Steps in which the application did not do what they ask of it, as failed checks. */
  unmet: optional(listOf(anyObject)),
  /** The positions of timeline steps that waited for a call which has arrived. */
  begun: optional(listOf(number)),
};
export type ActiveScenario = Of<typeof scenarioFields>;

/** A rule added at run time; `id` is the rule's. The time is absent in data of earlier versions. */
export const ruleFields = { ...rowFields(oneLine), rule: anyObject, addedAtMs: optional(instant) };
export type RunTimeRule = Of<typeof ruleFields>;

/** A count (of a rule's matches, hits or draws) or the state of a rate limit. `id` is its key. */
export const counterFields = { ...rowFields(oneLine), value: number };
export type Counter = Of<typeof counterFields>;

/** The last application of a rule: when, and to which customer. `id` is the rule's. */
export const ruleHitFields = { ...rowFields(oneLine), hits: place, atMs: instant, subject: text };
export type RuleHit = Of<typeof ruleHitFields>;

/** An expectation that was evaluated at its instant. `id` is its path in the scenario. */
export const judgementFields = {
  ...rowFields(judgementId),
  judgement: formed(
    anyObject,
    (value) =>
      isObject(value) &&
      typeof value.passed === 'boolean' &&
      [value.at, value.that, value.expected, value.found].every((each) => typeof each === 'string'),
    'an object with passed, at, that, expected and found',
  ),
};
export type JudgedExpectation = Of<typeof judgementFields>;
