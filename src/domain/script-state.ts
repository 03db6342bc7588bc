export type { ActiveScenario, Counter, JudgedExpectation, RuleHit, RunTimeRule } from './rows.js';

/** The id of the only active scenario of an account. */
export const activeId = 'active';
