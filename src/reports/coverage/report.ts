/** Coverage as JSON, Markdown and JUnit. */
import { junitXml } from '../junit.js';
import type { CoverageItem } from './catalogue.js';
import type { CoverageTally } from './tally.js';

export interface Coverage {
  readonly total: number;
  readonly covered: number;
  readonly items: readonly (CoverageItem & { readonly hits: number })[];
}

export function coverageOf(catalogue: readonly CoverageItem[], tally: Pick<CoverageTally, 'hits'>): Coverage {
  const items = catalogue.map((item) => ({ ...item, hits: tally.hits(item.group, item.name) }));
  return { total: items.length, covered: items.filter(({ hits }) => hits > 0).length, items };
}

/** The share of the items that were exercised, in whole per cent, rounded down: 100 means all. */
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
    `# Contract coverage: ${percent(coverage)} % (${coverage.covered} of ${coverage.total})`,
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

export function coverageJunit(coverage: Coverage): string {
  return junitXml(
    'contract coverage',
    coverage.items.map(({ group, name, hits, hint }) => ({
      name,
      group,
      failure: hits > 0 ? null : `never exercised; try: ${hint}`,
    })),
  );
}
