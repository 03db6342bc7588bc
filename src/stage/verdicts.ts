/** The verdict over several accounts: a suite has one for each test, and not every test meets the scenario. */
import type { Account } from '../account/account.js';
import { onRecords } from '../language/checks.js';
import { findsRecord } from '../rules/expectations.js';
import { evidenceWithin, sinceActivation } from './expectation-records.js';
import { isUntouched } from './participation.js';
import { verdictOf, type Verdict } from './verdict.js';

export interface AccountsVerdict {
  readonly passed: boolean;
  /** No account took part, so nothing could fail. */
  readonly reason?: 'no_part';
  readonly accounts: readonly AccountVerdict[];
  /** Number of accounts that had the scenario, but did not meet it; omitted if there are none. */
  readonly apart?: number;
}

export interface AccountVerdict extends Verdict {
  readonly account: string;
}

/** Number of verdicts of ended generations that are kept. */
const mostKept = 1_000;

export class EndedVerdicts {
  readonly #kept: AccountVerdict[] = [];
  readonly #apart = new Set<string>();

  note(account: Account): void {
    const verdict = judged(account);
    if (verdict === null) return;
    if (!takesPart(account)) this.#apart.add(account.key);
    else if (this.#kept.push(verdict) > mostKept) this.#kept.shift();
  }

  of(fits: (key: string) => boolean): {
    readonly verdicts: readonly AccountVerdict[];
    readonly apart: readonly string[];
  } {
    return { verdicts: this.#kept.filter(({ account }) => fits(account)), apart: [...this.#apart].filter(fits) };
  }
}

/** Includes ended accounts; null if none had a scenario. */
export function judgeAccounts(
  accounts: Iterable<Account>,
  ended: EndedVerdicts,
  fits: (key: string) => boolean = () => true,
): AccountsVerdict | null {
  const running = [...accounts].filter(({ key, script }) => script.scenario !== null && fits(key));
  const past = ended.of(fits);
  if (running.length === 0 && past.verdicts.length === 0 && past.apart.length === 0) return null;
  for (const account of running) account.scheduler.runDue();
  const present = running.filter(takesPart).flatMap((account) => judged(account) ?? []);
  const all = [...past.verdicts, ...present];
  const taking = new Set(all.map(({ account }) => account));
  // Fixtures reset an account before its test, and delete it afterwards: it is one account.
  const apart = new Set([...past.apart, ...running.map(({ key }) => key)].filter((key) => !taking.has(key))).size;
  return {
    passed: all.length > 0 && all.every(({ passed }) => passed),
    ...(all.length === 0 && { reason: 'no_part' }),
    accounts: all,
    ...(apart > 0 && { apart }),
  };
}

/** The verdict of `account` counts whether or not it took part. */
export function verdictsBeside(
  account: Account,
  accounts: Iterable<Account>,
  ended: EndedVerdicts,
): readonly AccountVerdict[] {
  const all = judgeAccounts(accounts, ended)?.accounts ?? [];
  const own = judged(account);
  if (own === null || all.some(({ account: key }) => key === account.key)) return all;
  // A command whose tests create their accounts leaves this account unused.
  return all.length > 0 && isUntouched(account) ? all : [own, ...all];
}

function judged(account: Account): AccountVerdict | null {
  const verdict = verdictOf(account);
  return verdict && { account: account.key, ...verdict };
}

/**
 * An account takes part when a rule of the scenario applied there, a step of its timeline was played there, or one of
 * its expectations found a record. A scenario that expects no calls is met by every account.
 */
export function takesPart(account: Account): boolean {
  const { script, store } = account;
  const { scenario, active } = script;
  if (scenario === null || active === null) return false;
  if (scenario.expect_no_calls === true || active.hasPlayed === true) return true;
  if (scenario.rules.some(({ id }) => store.tables.ruleHits.get(id) !== undefined)) return true;
  const checks = onRecords(scenario.expect);
  const evidence = evidenceWithin(account, sinceActivation(account));
  const around = { checks, steps: active.played ?? [], activatedAtMs: script.activatedAtMs ?? 0 };
  return checks.some((check) => findsRecord(check, evidence, around));
}
