/** Medians and Markdown. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

/** The value that `share` percent of the values do not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Ratios of runs made side by side: median, lowest and highest. */
export function ratios(values: readonly number[], others: readonly number[]): string {
  const each = values.map((value, i) => value / (others[i] ?? Number.NaN));
  return `${median(each).toFixed(2)} (${Math.min(...each).toFixed(2)}–${Math.max(...each).toFixed(2)})`;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

/** One line of the report: what was measured, of what, what it came to, and against what. */
export interface Line {
  readonly what: string;
  readonly measured: string;
  readonly against: string;
  readonly ratio: string;
}
