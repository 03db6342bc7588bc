/** The verdict as a report (contract §4, verdict). */
import type { Verdict } from '../script/judge-step.js';
import { junitXml } from './junit.js';

export function verdictJunit({ scenario, checks }: Verdict): string {
  return junitXml(
    scenario,
    checks.map(({ passed, at, that, expected, found }) => ({
      name: `${that}: ${expected}`,
      group: `${scenario} at ${at}`,
      failure: passed ? null : `expected ${expected}; found ${found}`,
    })),
  );
}
