/** The verdict on one account or on several, and both as JUnit. */
import { verdictOf, type Verdict } from '../scenario/runtime/judge-step.js';
import { isUntouched } from '../scenario/runtime/participation.js';
import { junitSuites, junitXml, type TestCase, type TestSuite } from './junit.js';

/** One result over several accounts: passed when each of them is. */
export interface AccountsVerdict {
  readonly passed: boolean;
  readonly accounts: readonly AccountVerdict[];
}

export interface AccountVerdict extends Verdict {
  /** The key of the account. */
  readonly account: string;
}

type Account = Parameters<typeof verdictOf>[0];

/**
 * Judges every account in which a scenario is active; null when there is none.
 * @param host the account of the caller: it counts only if it was used, or if there is no other
 */
export function judgeAccounts(accounts: Iterable<Account>, host: Account | null = null): AccountsVerdict | null {
  const running = [...accounts].filter(({ script }) => script.scenario !== null);
  const used = running.filter((account) => account !== host || !isUntouched(account));
  const judged = (used.length > 0 ? used : running).flatMap((account) => {
    account.scheduler.runDue();
    const verdict = verdictOf(account);
    return verdict === null ? [] : [{ account: account.key, ...verdict }];
  });
  return judged.length === 0 ? null : { passed: judged.every(({ passed }) => passed), accounts: judged };
}

export function verdictJunit(verdict: Verdict): string {
  return junitXml(verdict.scenario, verdictCases(verdict), verdict.note);
}

export function accountsJunit({ accounts }: AccountsVerdict): string {
  return junitSuites(accountSuites(accounts));
}

/** A suite for each account. */
export function accountSuites(verdicts: readonly AccountVerdict[]): TestSuite[] {
  return verdicts.map((verdict) => ({
    name: `${verdict.account}: ${verdict.scenario}`,
    cases: verdictCases(verdict),
    ...(verdict.note !== undefined && { note: verdict.note }),
  }));
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
