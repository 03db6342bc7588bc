/** Records as files for other tools. */
import type { PageOf } from './collection.js';

/** The largest page that the control plane returns. */
const limit = 1000;

/** Reads a whole list, oldest first. */
export async function readWhole<T>(
  read: (page: { query: { limit: number; after?: number } }) => Promise<PageOf<T>>,
): Promise<T[]> {
  const all: T[] = [];
  for (let after: number | null = 0; after !== null;) {
    const { items, next }: PageOf<T> = await read({ query: { limit, ...(after > 0 && { after }) } });
    all.push(...items);
    after = next;
  }
  return all;
}

/**
 * Returns a table as CSV (RFC 4180). The fields of an object become separate columns (`request.headers`); deeper values
 * stay JSON.
 */
export function csvOf(records: readonly object[]): string {
  const rows = records.map((record) => new Map(cellsOf(record)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function cellsOf(record: object): [string, string][] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]): [string, string][] =>
    isObject(value)
      ? Object.entries(value).map(([inner, deep]): [string, string] => [`${name}.${inner}`, textOf(deep)])
      : [[name, textOf(value)]],
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  // A spreadsheet would execute such a text, which may come from a customer, as a formula. Phone numbers and numbers
  // stay unchanged.
  return /^[=@\t\r]|^[+-](?!\d+$)/.test(value) ? `'${value}` : value;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
