/** The verdict on one account or on several. */
import { isUntouched, verdictOf, type Verdict } from '../scenario/run/verdict.js';

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
