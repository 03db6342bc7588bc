/** Coverage as JSON, Markdown and JUnit. */
import { junitXml } from '../junit.js';
import type { AccountStore } from '../../store/tables/account-store.js';
import {
  CALLER_ERROR,
  coverageCatalogue,
  tallyGroup,
  type CoverageItem,
  type DocumentedOperations,
} from './catalogue.js';
import { CoverageTally } from './tally.js';

export interface Coverage {
  readonly total: number;
  readonly covered: number;
  readonly items: readonly (CoverageItem & { readonly hits: number })[];
}

/** The groups that count: all except `caller error`, which only special tests cause. */
export interface CoverageChoice {
  /** Groups that count in addition. */
  readonly include?: readonly string[];
  /** Groups that do not count, or single items as `group: name`. */
  readonly ignore?: readonly string[];
}

export function coverageOf(
  catalogue: readonly CoverageItem[],
  tally: Pick<CoverageTally, 'hits'>,
  { include = [], ignore = [] }: CoverageChoice = {},
): Coverage {
  const counts = ({ group, name }: CoverageItem): boolean =>
    (group !== CALLER_ERROR || include.includes(group)) &&
    !ignore.includes(group) &&
    !ignore.includes(`${group}: ${name}`);
  const items = catalogue.filter(counts).map((item) => ({ ...item, hits: tally.hits(tallyGroup(item), item.name) }));
  return { total: items.length, covered: items.filter(({ hits }) => hits > 0).length, items };
}

/** The share of exercised items, in per cent, rounded down: 100 means all. */
export function percent({ total, covered }: Pick<Coverage, 'total' | 'covered'>): number {
  return total === 0 ? 100 : Math.floor((covered / total) * 100);
}

export function coverageMarkdown(coverage: Coverage): string {
  const groups = [...new Set(coverage.items.map(({ group }) => group))];
  const rows = groups.map((group) => {
    const own = coverage.items.filter((item) => item.group === group);
    const covered = own.filter(({ hits }) => hits > 0).length;
    return `| ${group} | ${covered} | ${own.length} | ${percent({ total: own.length, covered })} % |`;
  });
  const missing = coverage.items.filter(({ hits }) => hits === 0);
  return [
    `# API coverage: ${percent(coverage)} % (${coverage.covered} of ${coverage.total})`,
    '',
    '| Group | Exercised | Of | |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...(missing.length === 0
      ? ['Everything was exercised.']
      : ['## Never exercised', '', '| | How to exercise it |', '|---|---|']),
    ...missing.map(({ group, name, hint }) => `| ${group}: ${name} | ${hint} |`),
    '',
  ].join('\n');
}

/** An item that was not exercised is skipped, not failed: the caller decides whether the share is sufficient. */
export function coverageJunit(coverage: Coverage): string {
  return junitXml(
    'contract coverage',
    coverage.items.map(({ group, name, hits, hint }) => ({
      name,
      group,
      failure: null,
      ...(hits === 0 && { skipped: `never exercised; try: ${hint}` }),
    })),
  );
}

/**
 * Returns the first name that is neither a group nor an item as `group: name`, with the existing groups; null if all
 * are known.
 */
export function unknownChoice(catalogue: readonly CoverageItem[], names: readonly string[]): string | null {
  const groups = [...new Set(catalogue.map(({ group }) => group))];
  const known = new Set([...groups, ...catalogue.map(({ group, name }) => `${group}: ${name}`)]);
  const wrong = names.find((name) => !known.has(name));
  if (wrong === undefined) return null;
  return `"${wrong}" is neither a group of the coverage nor one of its items. Groups: ${groups.join(', ')}. Write an item as "group: name".`;
}

/** The accounts of a sandbox, including future ones. */
interface OpenedAccounts {
  onOpen(listener: (account: { readonly store: AccountStore }) => void): void;
}

/**
 * Starts counting the coverage of a whole run: every account, including the time before a reset. Otherwise, a test suite
 * that uses a key for each test, or resets after each, would have almost nothing to report.
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
