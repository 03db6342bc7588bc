import type { Account } from '../account/account.js';
import type { Accounts } from '../accounts/registry.js';
import { hitsOf } from '../reports/coverage.js';
import { traceOf } from '../reports/post-mortem.js';
import { scenarioSubject } from '../rules/timeline.js';
import { judgeFinalState } from '../stage/scenario-jobs.js';
import { type AccountsVerdict, judgeAccounts } from '../stage/verdicts.js';
import { within } from '../time/system-clock.js';
import { exchangesOf, exchangesOfRejected, type RejectedExchange } from './har.js';

interface Seen {
  readonly hits: ReturnType<typeof hitsOf>;
  readonly exchanges: ReturnType<typeof exchangesOf>;
  readonly trace: ReturnType<typeof traceOf>;
}

/**
 * A suite with an account or a reset for each test would otherwise leave almost nothing to report. Verdicts are kept by
 * the sandbox itself.
 */
export class History {
  readonly #ended: Seen[] = [];

  constructor(
    private readonly accounts: Accounts,
    private readonly url: string,
    private readonly rejected: readonly RejectedExchange[],
  ) {
    accounts.onEnd((account) => this.#ended.push(this.#read(account)));
  }

  /**
   * Evaluates the checks of the end after the deliveries in progress. Returns false if some did not end within
   * `longestMs` machine milliseconds.
   */
  async settle(longestMs: number): Promise<boolean> {
    const all = [...this.accounts.all()];
    const deliveries = Promise.all(all.map(({ dispatcher }) => dispatcher.inFlight.quiet()));
    const ended = await within(longestMs, deliveries);
    await Promise.all([...this.accounts.all()].map((account) => judgeFinalState(account)));
    return ended !== 'late';
  }

  seen(): readonly Seen[] {
    return [...this.#ended, ...[...this.accounts.all()].map((account) => this.#read(account))];
  }

  /** The calls and webhook requests of all accounts, and calls that were rejected before they had one. */
  exchanges(): ReturnType<typeof exchangesOf> {
    return [...this.seen().flatMap(({ exchanges }) => exchanges), ...exchangesOfRejected(this.rejected, this.url)];
  }

  verdict(): AccountsVerdict | null {
    return judgeAccounts(this.accounts.all(), this.accounts.ended);
  }

  get hasStepsLeft(): boolean {
    return [...this.accounts.all()].some(({ store }) =>
      [...store.tables.jobs.list('subject', scenarioSubject)].some(({ kind }) => kind === 'scenario.step'),
    );
  }

  #read({ key, store }: Account): Seen {
    return { hits: hitsOf(store), exchanges: exchangesOf(store, this.url), trace: traceOf(key, store) };
  }
}
