/**
 * Coverage of a whole run: every account of the sandbox, including the time before a reset. Otherwise, a test suite
 * that uses a key for each test, or resets after each, would have almost nothing to report.
 */
import type { AccountStore } from '../../store/tables/account-store.js';
import { coverageCatalogue } from './catalogue.js';
import type { DocumentedOperations } from './catalogue.js';
import { coverageOf } from './report.js';
import type { Coverage, CoverageChoice } from './report.js';
import { CoverageTally } from './tally.js';

/** The accounts of a sandbox, including future ones. */
interface OpenedAccounts {
  onOpen(listener: (account: { readonly store: AccountStore }) => void): void;
}

/**
 * Starts counting.
 * @returns a function that returns the counts
 */
export function countWholeRun(
  accounts: OpenedAccounts,
  document: DocumentedOperations,
  choice: CoverageChoice = {},
): () => Coverage {
  const tallies: CoverageTally[] = [];
  accounts.onOpen(({ store }) => tallies.push(new CoverageTally(store)));
  const hits = (group: string, name: string) => tallies.reduce((sum, tally) => sum + tally.hits(group, name), 0);
  return () => coverageOf(coverageCatalogue(document), { hits }, choice);
}
