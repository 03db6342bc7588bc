/**
 * A committed write as one line of JSON, and back. Applying a line twice does no harm: an insert puts, a patch assigns to what
 * is there, a delete removes what is there. So a checkpoint can be written while writes go on.
 */
import type { Meta } from '../tables/account-data.js';
import { isObject, Problems } from './check.js';
import type { Batch } from './persistence.js';
import { problemText, rowChecks } from './account-schema.js';
import { metaPatchCheck } from './rows/account.js';
import type { Change } from '../tables/change.js';
import type { Row } from '../../domain/row.js';

/** A change as it stands in the log. */
export type LoggedChange =
  | { readonly insert: string; readonly row: Row }
  | { readonly patch: string; readonly id: string; readonly set: object; readonly unset?: readonly string[] }
  | { readonly delete: string; readonly id: string }
  | { readonly clear: string };

export interface LoggedBatch {
  readonly changes: readonly LoggedChange[];
  readonly meta: Partial<Meta>;
}

/** The batch as a line, with its end. Fixed now: rows go on changing in place. */
export function batchLine(batch: Batch): string {
  const meta = Object.keys(batch.meta).length === 0 ? undefined : batch.meta;
  return `${JSON.stringify({ changes: batch.changes.map(logged), meta })}\n`;
}

function logged(change: Change): LoggedChange {
  switch (change.op) {
    case 'insert':
      return { insert: change.table, row: change.row };
    case 'patch': {
      // JSON leaves undefined out, which would let the old value come back.
      const unset = Object.entries(change.patch).flatMap(([name, value]) => (value === undefined ? [name] : []));
      const patch = { patch: change.table, id: change.id, set: change.patch };
      return unset.length === 0 ? patch : { ...patch, unset };
    }
    case 'delete':
      return { delete: change.table, id: change.row.id };
    case 'clear':
      return { clear: change.table };
  }
}

/** The batch that a line holds, or what is wrong with the line, as a clause. */
export function parseBatch(line: string): LoggedBatch | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not JSON';
  }
  if (!isObject(value) || !Array.isArray(value.changes)) return 'has no list of changes';
  const problems = new Problems();
  const meta = value.meta ?? {};
  metaPatchCheck(meta, () => 'meta', problems);
  value.changes.forEach((change: unknown, i) => checkChange(change, `changes[${String(i)}]`, problems));
  const [first] = problems.list;
  if (first) return `cannot be applied: ${problemText(first)}`;
  return { changes: value.changes as LoggedChange[], meta };
}

function checkChange(change: unknown, path: string, problems: Problems): void {
  if (!isObject(change)) {
    problems.add(path, change, 'an object');
    return;
  }
  const table = change.insert ?? change.patch ?? change.delete ?? change.clear;
  const checks = typeof table === 'string' ? rowChecks.get(table) : undefined;
  if (!checks) {
    problems.add(path, change, 'insert, patch, delete or clear with the name of a table');
    return;
  }
  if ('insert' in change) {
    checks.row(change.row, () => `${path}.row`, problems);
    return;
  }
  if ('clear' in change) return;
  if (typeof change.id !== 'string') problems.add(`${path}.id`, change.id, 'the id of a record');
  if (!('patch' in change)) return;
  checks.patch(change.set, () => `${path}.set`, problems);
  const { unset = [] } = change;
  if (!Array.isArray(unset) || unset.some((name) => typeof name !== 'string')) {
    problems.add(`${path}.unset`, unset, 'a list of field names');
  }
}
