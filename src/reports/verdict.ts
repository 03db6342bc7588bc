/** The verdict as JUnit, of one account or of several. */
import type { Verdict } from '../scenario/runtime/judge-step.js';
import { junitSuites, junitXml, type TestCase } from './junit.js';

/** One result over several accounts: passed when each of them is. */
export interface AccountsVerdict {
  readonly passed: boolean;
  readonly accounts: readonly AccountVerdict[];
}

export interface AccountVerdict extends Verdict {
  /** The key of the account. */
  readonly account: string;
}

export function verdictJunit(verdict: Verdict): string {
  return junitXml(verdict.scenario, verdictCases(verdict), verdict.note);
}

/** A suite for each account. */
export function accountsJunit({ accounts }: AccountsVerdict): string {
  return junitSuites(
    accounts.map((verdict) => ({
      name: `${verdict.account}: ${verdict.scenario}`,
      cases: verdictCases(verdict),
      ...(verdict.note !== undefined && { note: verdict.note }),
    })),
  );
}

/** A case for each check, and a failed one when the application took no part. */
export function verdictCases({ scenario, checks, reason, note = '' }: Verdict): TestCase[] {
  const cases = checks.map(({ passed, at, that, expected, found }) => ({
    group: `${scenario} at ${at}`,
    name: `${that}: ${expected}`,
    failure: passed ? null : `expected ${expected}; found ${found}`,
  }));
  return reason === undefined
    ? cases
    : [{ group: scenario, name: 'the application takes part', failure: note }, ...cases];
}
