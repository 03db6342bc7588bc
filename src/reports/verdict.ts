/** The verdict as a report (contract §4, verdict). */
import type { Verdict } from '../scenario/runtime/judge-step.js';
import { junitXml, type TestCase } from './junit.js';

export function verdictJunit(verdict: Verdict): string {
  return junitXml(verdict.scenario, verdictCases(verdict));
}

/** A case for each check. */
export function verdictCases({ scenario, checks }: Verdict): TestCase[] {
  return checks.map(({ passed, at, that, expected, found }) => ({
    group: `${scenario} at ${at}`,
    name: `${that}: ${expected}`,
    failure: passed ? null : `expected ${expected}; found ${found}`,
  }));
}
