import { cellsOf, type Row } from '../support/figure.js';

/** A Markdown table; the formatter sets the widths. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Rows as a table; empty when there are none. */
export function rowsTable(rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map(cellsOf);
  // Columns that no row fills are left out.
  const head = ['', 'Measured', 'Against', 'Ratio or spread', 'Goal'];
  const used = head.map((_, column) => column < 2 || cells.some((row) => row[column] !== ''));
  const keep = (row: readonly string[]): string[] => row.filter((_, column) => used[column]);
  return table(keep(head), cells.map(keep));
}
