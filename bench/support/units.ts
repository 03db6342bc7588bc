import { ms, whole } from './stats.js';

export type Unit = '/s' | 'ms' | 'µs' | 'bytes' | 'kB' | 'MB' | 'messages/s' | 'deliveries/s';

/** A value with its unit, as short as it can be read. */
export function shown(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return '–';
  if (unit === 'ms') return value < 10_000 ? ms(value) : `${(value / 1_000).toFixed(1)} s`;
  if (unit === '/s') return `${whole(value)}/s`;
  return `${whole(value)} ${unit}`;
}

/** Four digits are more than any measurement here is worth; they keep the results readable. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
