import { median, ratios } from '../support/stats.js';
import { shown, type Unit } from '../support/units.js';
import { table } from '../page/table.js';

/** One figure of two builds, measured in the same rounds. */
export interface Pair {
  readonly what: string;
  readonly unit: Unit;
  readonly better: 'higher' | 'lower';
  readonly base: readonly number[];
  readonly head: readonly number[];
  /** Shown, but too restless to fail anybody's build, such as a p99. */
  readonly shownOnly?: true;
}

/** How much worse than the base, as a share of it: 0.1 = by 10 %; negative = better. Of the median ratio. */
export function loss({ better, base, head }: Pair): number {
  const ratio = median(head.map((value, round) => value / (base[round] ?? Number.NaN)));
  return better === 'higher' ? 1 - ratio : ratio - 1;
}

/** @param tolerance a share, such as 0.1 */
export function isWorse(pair: Pair, tolerance: number): boolean {
  return pair.shownOnly !== true && loss(pair) > tolerance;
}

export function comparisonTable(pairs: readonly Pair[], tolerance: number): string {
  const cells = pairs.map((pair) => [
    pair.what,
    shown(median(pair.base), pair.unit),
    shown(median(pair.head), pair.unit),
    ratios(pair.head, pair.base),
    pair.shownOnly === true ? 'not judged' : isWorse(pair, tolerance) ? '**worse**' : 'ok',
  ]);
  return table(['', 'Base', 'This tree', 'Ratio', `Within ${tolerance * 100} %`], cells);
}
