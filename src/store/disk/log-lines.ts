/** A log as text: a head, then each committed write as one line of JSON. */
import type { Row } from '../../domain/row.js';
import type { Meta } from '../tables/account-data.js';
import type { Change } from '../tables/table.js';
import { metaPatchCheck, problemText, rowChecks } from '../schema/account-schema.js';
import { isObject, Problems } from '../../domain/check.js';
import { currentVersion } from './checkpoint.js';
import type { Batch } from './persistence.js';

const logFormat = 'messaging-sandbox/log';

/** A change as logged. */
export type LoggedChange =
  | { readonly insert: string; readonly row: Row }
  | { readonly patch: string; readonly id: string; readonly set: object; readonly unset?: readonly string[] }
  | { readonly delete: string; readonly id: string }
  | { readonly clear: string };

export interface LoggedBatch {
  readonly changes: readonly LoggedChange[];
  readonly meta: Partial<Meta>;
}

/** The log was written by a later version and must not be changed. */
export class NewerLogError extends Error {
  override readonly name = 'NewerLogError';
}

/** The first line of a log. */
export function logHead(key: string, generation: number): string {
  return `${JSON.stringify({ format: logFormat, version: currentVersion, key, generation })}\n`;
}

/**
 * Returns the error in the first line of a log of this account, as a clause; null if there is none.
 * @throws NewerLogError
 */
export function headProblem(line: string, key: string): string | null {
  const head = parseOr(line);
  if (head === undefined) return 'is not JSON';
  if (!isObject(head) || head.format !== logFormat) return `is not the first line of a log ("format": "${logFormat}")`;
  if (head.key !== key) return `says that the log is of the account ${JSON.stringify(head.key)}`;
  if (typeof head.version !== 'number') return 'has no version number';
  if (head.version > currentVersion) {
    throw new NewerLogError(`has version ${head.version} and this sandbox supports versions up to ${currentVersion}`);
  }
  return null;
}

export function batchLine({ changes, meta }: Batch): string {
  const moved = Object.keys(meta).length === 0 ? undefined : meta;
  return `${JSON.stringify({ changes: changes.map(logged), meta: moved })}\n`;
}

function logged(change: Change): LoggedChange {
  switch (change.op) {
    case 'insert':
      return { insert: change.table, row: change.row };
    case 'patch': {
      // JSON omits undefined, which would restore the old value.
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

/** Returns the batch of a line, or the error in the line, as a clause. */
export function parseBatch(line: string): LoggedBatch | string {
  const value = parseOr(line);
  if (value === undefined) return 'is not JSON';
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

/** The value of a JSON text, or undefined. */
export function parseOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export interface Line {
  readonly text: string;
  /** The position after the line and its end. */
  readonly end: number;
  /** False for the last bytes of a file if no line end follows. */
  readonly isWhole: boolean;
}

/** The lines of a file one by one: a file may be longer than a string can be. */
export function* linesOf(bytes: Buffer): Generator<Line> {
  for (let start = 0; start < bytes.length;) {
    const at = bytes.indexOf(10, start);
    const isWhole = at !== -1;
    const end = isWhole ? at + 1 : bytes.length;
    yield { text: bytes.toString('utf8', start, isWhole ? at : end), end, isWhole };
    start = end;
  }
}
