/** Records at rest in a file that somebody may have changed: made whole, so that they are judged like all others. */
import { createTables, tableEntries } from './account-data.js';
import { isObject } from '../disk/check.js';
import { settledFrom } from './settled-line.js';
import type { Table } from './table.js';
import type { Row } from '../../domain/row.js';

/** The content of an account file without records at rest; one that makes no sense stays as it is, for the judge. */
export function awakened(content: Record<string, unknown>): Record<string, unknown> {
  const { tables, parts, ...rest } = content;
  if (!isObject(tables)) return content;
  const whole = { ...tables };
  for (const [name, table] of tableEntries(createTables())) {
    const rows = tables[name];
    const own = isObject(parts) ? parts[name] : undefined;
    if (!table.parts || !Array.isArray(rows)) continue;
    table.parts.restore(Array.isArray(own) ? own : []);
    whole[name] = rows.map((row: unknown) => (Array.isArray(row) ? (rowOf(table, row) ?? row) : row));
  }
  return { ...rest, tables: whole };
}

function rowOf(table: Table<Row>, values: readonly unknown[]): Row | null {
  try {
    return table.open(settledFrom(values));
  } catch {
    return null;
  }
}
