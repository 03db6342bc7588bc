/** The verdict on one account or on several, and both as JUnit and as Markdown. */
import { verdictOf, type Verdict, isUntouched, type FailedRecord } from '../scenario/runtime/verdict.js';
import { junitSuites, junitXml, type TestCase, type TestSuite } from './junit.js';

/** One result for several accounts: passed if all of them passed. */
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
 * Returns the verdict on every account in which a scenario is active; null if there is none.
 * @param host the account of the caller: it counts only if it was used, or if there is no other
 */
export function judgeAccounts(accounts: Iterable<Account>, host: Account | null = null): AccountsVerdict | null {
  const running = [...accounts].filter(({ script }) => script.scenario !== null);
  const used = running.filter((account) => account !== host || !isUntouched(account));
  const judged: AccountVerdict[] = [];
  for (const account of used.length > 0 ? used : running) {
    account.scheduler.runDue();
    const verdict = verdictOf(account);
    if (verdict !== null) judged.push({ account: account.key, ...verdict });
  }
  return judged.length === 0 ? null : { passed: judged.every(({ passed }) => passed), accounts: judged };
}

/** @param base the address of the sandbox, if it is still running */
export function verdictJunit(verdict: Verdict, base?: string): string {
  return junitXml(verdict.scenario, verdictCases(verdict, base), verdict.note);
}

export function accountsJunit({ accounts }: AccountsVerdict, base?: string): string {
  return junitSuites(accountSuites(accounts, base));
}

/** Returns one suite for each account. */
export function accountSuites(verdicts: readonly AccountVerdict[], base?: string): TestSuite[] {
  return verdicts.map((verdict) => ({
    name: `${verdict.account}: ${verdict.scenario}`,
    cases: verdictCases(verdict, base),
    ...(verdict.note !== undefined && { note: verdict.note }),
  }));
}

/** Returns a case for each check, and a failed case if the application made no call. */
export function verdictCases({ scenario, checks, reason, note = '' }: Verdict, base?: string): TestCase[] {
  const cases = checks.map(({ passed, at, that, expected, found, records = [] }) => ({
    group: `${scenario} at ${at}`,
    name: `${that}: ${expected}`,
    failure: passed ? null : `expected ${expected}; found ${found}`,
    details: records.map(({ id, page }) => (base === undefined ? id : `${id} ${base}${page}`)),
  }));
  return reason === undefined
    ? cases
    : [{ group: scenario, name: 'the application makes calls', failure: note }, ...cases];
}

/**
 * Writes a section for each account.
 * @param base the address of the sandbox, if it is still running
 */
export function accountsMarkdown({ accounts }: AccountsVerdict, base?: string): string {
  return accounts.map((verdict) => verdictMarkdown(verdict, base, ` in ${cell(verdict.account)}`)).join('\n');
}

/** Writes a table of checks. A check that failed links to its records if there is a `base`. */
export function verdictMarkdown({ scenario, passed, checks, note }: Verdict, base?: string, where = ''): string {
  const rows = checks.map(
    ({ passed: held, at, that, expected, found, records = [] }) =>
      `| ${held ? '✅' : '❌'} | ${cell(at)} | ${cell(that)} | ${cell(expected)} | ${[cell(found), ...records.map((one) => linked(one, base))].join(' ')} |`,
  );
  const table = ['| | At | What | Expected | Found |', '| --- | --- | --- | --- | --- |', ...rows];
  return [
    `# Verdict on ${scenario}${where}: ${passed ? 'passed' : 'failed'}`,
    '',
    ...(note === undefined ? [] : [note, '']),
    ...(rows.length === 0 ? ['The scenario has no expectations.'] : table),
    '',
  ].join('\n');
}

function linked({ id, page }: FailedRecord, base: string | undefined): string {
  return base === undefined ? `\`${id}\`` : `[${id}](${base}${page})`;
}

/** A vertical bar would end the cell, a line break the row, and an angle bracket could start HTML. */
function cell(text: string): string {
  return text
    .replace(/\\/g, '\\\\')
    .replace(/\|/g, '\\|')
    .replace(/</g, '&lt;')
    .replace(/\s*\n\s*/g, ' ');
}
