/** Draws the coverage report: the position of each tile, its shade, and how to exercise an empty one. */
import type { Coverage } from '../../core/records.js';

export type Item = Coverage['items'][number];

export interface Group {
  readonly name: string;
  readonly items: readonly Item[];
  readonly covered: number;
}

/** Groups that share one matrix: the results of calls, by operation and status. */
const byStatus = new Set(['operation', 'outcome', 'caller error']);

/** In the order of the report. */
export function groupsOf(items: readonly Item[]): Group[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = byStatus.has(item.group) ? 'operation' : item.group;
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].map(([name, own]) => ({ name, items: own, covered: own.filter(({ hits }) => hits > 0).length }));
}

/** Per cent, rounded down: 100 means all. */
export function percent(covered: number, total: number): number {
  return total === 0 ? 100 : Math.floor((covered / total) * 100);
}

/**
 * 0 for never. The shade then grows with about every power of four, so that small counts differ and large ones stay in
 * range.
 */
export function shade(hits: number): 0 | 1 | 2 | 3 | 4 {
  if (hits === 0) return 0;
  if (hits < 4) return 1;
  if (hits < 16) return 2;
  return hits < 100 ? 3 : 4;
}

export interface Matrix {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (Item | null)[] }[];
}

/** Operations by statuses: `sendMessage 429` is in row sendMessage, column 429. */
export function matrixOf(items: readonly Item[]): Matrix {
  const parts = items.map((item) => {
    const at = item.name.lastIndexOf(' ');
    return { item, row: item.name.slice(0, at), column: item.name.slice(at + 1) };
  });
  const columns = [...new Set(parts.map(({ column }) => column))].sort();
  const rows = [...new Set(parts.map(({ row }) => row))].map((name) => ({
    name,
    cells: columns.map((column) => parts.find((each) => each.row === name && each.column === column)?.item ?? null),
  }));
  return { columns, rows };
}

/** Returns the scenarios that a hint names. */
export function scenariosIn(hint: string, known: readonly string[]): string[] {
  const named = new Set(hint.match(/[a-z0-9][a-z0-9_.-]*[a-z0-9]/g) ?? []);
  return hint.includes('scenario ') ? known.filter((name) => named.has(name)) : [];
}

/** Returns the last two digits of the magic number in a hint, such as `20` of `555 0120`; null if there is none. */
export function magicIn(hint: string): string | null {
  return /\b555 01(\d\d)\b/.exec(hint)?.[1] ?? null;
}

/** Returns the request header in a hint, ready to be copied; null if there is none. */
export function headerIn(hint: string): string | null {
  return /X-Sandbox-Prefer: [\w=]+/.exec(hint)?.[0] ?? null;
}
