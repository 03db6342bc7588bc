/** Tells the two kinds of checks apart for a play and its verdict, without the schemas. */
import type { Expectation, StateExpectation } from './expect.js';

export const stateSubject = 'state of the application';

export const readsApplication = (expectation: Expectation | StateExpectation): expectation is StateExpectation =>
  'state' in expectation;

export function onRecords(checks: readonly (Expectation | StateExpectation)[]): Expectation[] {
  return checks.flatMap((check) => (readsApplication(check) ? [] : [check]));
}
