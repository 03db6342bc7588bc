/** What an account's scenario keeps, as it must look when it comes from outside. */
import type { ActiveScenario, Counter, JudgedExpectation, RuleHit, RunTimeRule } from '../../../domain/script-state.js';
import { anyObject, count, type Fields, instant, listOf, number, optional, orNull, text } from '../check.js';
import { rowFields } from './parts.js';

export const scenarioFields: Fields<ActiveScenario> = {
  ...rowFields,
  name: text,
  scenario: anyObject,
  text: orNull(text),
  activatedAtMs: instant,
  passedOver: optional(listOf(text)),
};

export const ruleFields: Fields<RunTimeRule> = { ...rowFields, rule: anyObject, addedAtMs: optional(instant) };

export const counterFields: Fields<Counter> = { ...rowFields, value: number };

export const ruleHitFields: Fields<RuleHit> = { ...rowFields, hits: count, atMs: instant, subject: text };

export const judgementFields: Fields<JudgedExpectation> = { ...rowFields, judgement: anyObject };
