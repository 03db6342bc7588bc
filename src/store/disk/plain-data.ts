/**
 * An account as plain data, judged whole before anything is dropped for it: an uploaded snapshot, or a checkpoint file
 * that people may have edited (contract §4 snapshots, §7).
 */
import type { Meta, PlainAccountData, TableName } from '../tables/account-data.js';
import { isObject, Problems, type Problem } from './check.js';
import type { Row } from '../../domain/row.js';
import { rowChecks } from './row-checks.js';
import { metaCheck } from './rows/meta.js';

/** Everything that is wrong with a value that should be an account. */
export class PlainDataError extends Error {
  override readonly name = 'PlainDataError';

  /**
   * @param problems the first hundred
   * @param total how many there are
   */
  constructor(
    readonly problems: readonly Problem[],
    readonly total: number,
  ) {
    const lines = problems.slice(0, 5).map(problemText);
    const more = total > lines.length ? `; and ${String(total - lines.length)} more` : '';
    super(`it is not the data of an account: ${lines.join('; ')}${more}`);
  }
}

/** A problem as a clause: where, what was expected, what was found. */
export function problemText({ path, message }: Problem): string {
  return `${path} ${message}`;
}

/**
 * The value as an account's data: the same objects, checked, with every table there (one that is missing is empty).
 * @throws PlainDataError with every problem, by path
 */
export function parsePlainData(value: unknown): PlainAccountData {
  const problems = new Problems();
  const data = checkAccount(value, problems);
  if (data === null || problems.count > 0) throw new PlainDataError(problems.list, problems.count);
  return data;
}

/**
 * Of an account that is damaged, the records that make sense, and how many do not; null when its counters and clock are
 * among them.
 */
export function soundData(value: unknown): { readonly data: PlainAccountData; readonly dropped: number } | null {
  if (!isObject(value) || !isObject(value.tables)) return null;
  const meta = new Problems();
  metaCheck(value.meta, () => 'meta', meta);
  if (meta.count > 0) return null;
  let dropped = 0;
  let highest = (value.meta as Meta).seq;
  const tables: Partial<Record<TableName, object[]>> = {};
  for (const [name, { row: check }] of rowChecks) {
    const rows = value.tables[name] ?? [];
    const taken = new Set<unknown>();
    tables[name as TableName] = (Array.isArray(rows) ? rows : [undefined]).filter((row): row is Row => {
      const problems = new Problems();
      check(row, () => name, problems);
      const { id, seq } = (isObject(row) ? row : {}) as Partial<Row>;
      if (problems.count > 0 || seq === undefined || taken.has(id) || taken.has(seq)) {
        dropped += 1;
        return false;
      }
      taken.add(id).add(seq);
      highest = Math.max(highest, seq);
      return true;
    });
  }
  return {
    data: { meta: { ...(value.meta as Meta), seq: highest }, tables: tables as Record<TableName, object[]> },
    dropped,
  };
}

function checkAccount(value: unknown, problems: Problems): PlainAccountData | null {
  if (!isObject(value)) {
    problems.add('the file', value, 'an object with meta and tables');
    return null;
  }
  const { meta, tables } = value;
  metaCheck(meta, () => 'meta', problems);
  if (!isObject(tables)) {
    problems.add('tables', tables, 'an object with a list for each kind of record');
    return null;
  }
  const highest = isObject(meta) && typeof meta.seq === 'number' ? meta.seq : Infinity;
  for (const name of Object.keys(tables)) {
    if (!rowChecks.has(name))
      problems.add(`tables.${name}`, tables[name], `one of ${[...rowChecks.keys()].join(', ')}`);
  }
  const checked = Object.fromEntries(
    Array.from(rowChecks.keys(), (name) => [name, checkTable(name, tables[name] ?? [], highest, problems)]),
  ) as Record<TableName, object[]>;
  return { meta: meta as PlainAccountData['meta'], tables: checked };
}

function checkTable(name: string, rows: unknown, highest: number, problems: Problems): object[] {
  if (!Array.isArray(rows)) {
    problems.add(`tables.${name}`, rows, 'a list of records');
    return [];
  }
  const check = rowChecks.get(name)?.row;
  const ids = new Set<unknown>();
  const seqs = new Set<unknown>();
  rows.forEach((row: unknown, i) => {
    const path = (): string => `tables.${name}[${String(i)}]`;
    check?.(row, path, problems);
    if (!isObject(row)) return;
    const { id, seq } = row;
    if (ids.has(id)) problems.add(`${path()}.id`, id, 'an id that no other record of the table has');
    if (seqs.has(seq)) problems.add(`${path()}.seq`, seq, 'a number that no other record of the table has');
    if (typeof seq === 'number' && seq > highest) {
      problems.add(`${path()}.seq`, seq, `at most meta.seq, which is ${String(highest)}`);
    }
    ids.add(id);
    seqs.add(seq);
  });
  return rows as object[];
}
