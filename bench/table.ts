/** Medians, ratios and their Markdown tables. */

export interface Figure {
  readonly what: string;
  readonly unit: '/s' | 'ms';
  /** One value per round. */
  readonly values: readonly number[];
  /** Values of the same rounds for another server; the ratio is taken round by round. */
  readonly against?: { readonly what: string; readonly values: readonly number[] };
  /** What the project requires of the ratio, or of the value if `of` says so. */
  readonly goal?: { readonly least?: number; readonly most?: number; readonly of?: 'value' };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Returns the value that `share` percent of the values do not exceed; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Returns the ratio of each round. */
export const ratiosOf = (values: readonly number[], others: readonly number[]): number[] =>
  values.map((value, round) => value / (others[round] ?? Number.NaN));

/** Returns the median with its range: `1.62 (1.40–1.81)`. */
export function spread(values: readonly number[], digits = 2): string {
  const text = (value: number) => value.toFixed(digits);
  const range = values.length > 1 ? ` (${text(Math.min(...values))}–${text(Math.max(...values))})` : '';
  return text(median(values)) + range;
}

export function shown(value: number, unit: Figure['unit']): string {
  const digits = value < 10 ? 2 : 0;
  const text = value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return unit === '/s' ? `${text}/s` : `${text} ${unit}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function figureTable(figures: readonly Figure[]): string {
  return table(['Figure', 'Measured', 'Against', 'Ratio', 'Goal'], figures.map(figureRow));
}

function figureRow({ what, unit, values, against, goal }: Figure): string[] {
  const range = values.length > 1 ? ` (${shown(Math.min(...values), unit)}–${shown(Math.max(...values), unit)})` : '';
  const ratios = against === undefined ? [] : ratiosOf(values, against.values);
  return [
    what,
    shown(median(values), unit) + range,
    against === undefined ? '' : `${against.what} ${shown(median(against.values), unit)}`,
    against === undefined ? '' : spread(ratios),
    goal === undefined ? '' : verdict(goal, median(goal.of === 'value' ? values : ratios), unit),
  ];
}

function verdict({ least, most, of }: NonNullable<Figure['goal']>, value: number, unit: Figure['unit']): string {
  const met = value >= (least ?? -Infinity) && value <= (most ?? Infinity);
  const bound = (limit: number) => (of === 'value' ? shown(limit, unit) : `${limit}×`);
  const goal = [least === undefined ? '' : `≥ ${bound(least)}`, most === undefined ? '' : `≤ ${bound(most)}`];
  return `${goal.filter(Boolean).join(', ')}: ${met ? 'met' : '**missed**'}`;
}
