/**
 * Coverage of a whole run: every account of the sandbox, and what was exercised before a reset too. A test suite that
 * takes a key per test, or resets after each, would otherwise leave next to nothing to report (contract §8, exec).
 */
import type { AccountStore } from '../../store/account-store.js';
import { coverageCatalogue } from './catalogue.js';
import type { DocumentedOperations } from './catalogue.js';
import { coverageOf } from './report.js';
import type { Coverage } from './report.js';
import { CoverageTally } from './tally.js';

/** The accounts of a sandbox, those to come included. */
interface OpenedAccounts {
  onOpen(listener: (account: { readonly store: AccountStore }) => void): void;
}

/** Counts from now on. @returns what was counted until it is called */
export function countWholeRun(accounts: OpenedAccounts, document: DocumentedOperations): () => Coverage {
  const tallies: CoverageTally[] = [];
  accounts.onOpen(({ store }) => tallies.push(new CoverageTally(store)));
  const catalogue = coverageCatalogue(document);
  return () => {
    const parts = tallies.map((tally) => coverageOf(catalogue, tally));
    const items = catalogue.map((item, index) => ({
      ...item,
      hits: parts.reduce((sum, part) => sum + (part.items[index]?.hits ?? 0), 0),
    }));
    return { total: items.length, covered: items.filter(({ hits }) => hits > 0).length, items };
  };
}
