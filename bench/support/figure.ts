/** A figure as it is kept: every single value, so that medians, ratios and spreads can be made again at any time. */
import { median, ratios, type Line } from './stats.js';
import { shown, type Unit } from './units.js';

/** What the project wants of a figure: its median, or the median of its ratios, no more or no less than this. */
export interface Goal {
  readonly of: 'value' | 'ratio';
  readonly least?: number;
  readonly most?: number;
}

export interface Figure {
  readonly what: string;
  readonly unit: Unit;
  /** One per round. */
  readonly values: readonly number[];
  /** Measured in the same rounds: value n stands beside value n. */
  readonly against?: { readonly what: string; readonly values: readonly number[] };
  readonly goal?: Goal;
}

/** A row of a table: a figure, or a line that its measurement has put into words already. */
export type Row = Figure | Line;

/** Whether the goal is met by what was measured. */
export function meets({ values, against, goal }: Figure): boolean {
  if (goal === undefined) return true;
  const judged = median(
    goal.of === 'value' ? values : values.map((value, n) => value / (against?.values[n] ?? Number.NaN)),
  );
  return judged >= (goal.least ?? -Infinity) && judged <= (goal.most ?? Infinity);
}

/** What a row comes to, in words: measured, against, ratio, goal. */
export function cellsOf(row: Row): readonly [string, string, string, string, string] {
  if (!('values' in row)) return [row.what, row.measured, row.against, row.ratio, ''];
  const { what, unit, values, against } = row;
  return [
    what,
    shown(median(values), unit),
    against === undefined ? '' : `${against.what} ${shown(median(against.values), unit)}`,
    against === undefined ? spread(values, unit) : ratios(values, against.values),
    goalOf(row),
  ];
}

/** Lowest and highest, where there is no ratio to tell them. */
function spread(values: readonly number[], unit: Unit): string {
  return values.length < 2 ? '' : `${shown(Math.min(...values), unit)}–${shown(Math.max(...values), unit)}`;
}

function goalOf(figure: Figure): string {
  const { goal, unit } = figure;
  if (goal === undefined) return '';
  const say = (bound: number): string => (goal.of === 'ratio' ? `${bound}×` : shown(bound, unit));
  const least = goal.least === undefined ? [] : [`≥ ${say(goal.least)}`];
  const most = goal.most === undefined ? [] : [`≤ ${say(goal.most)}`];
  return `${[...least, ...most].join(', ')}: ${meets(figure) ? 'met' : '**missed**'}`;
}
