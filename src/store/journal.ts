/**
 * The journal of an account: the writes since its file, one line each. A line that was being written when the process
 * ended is cut off.
 */
import { isObject } from '../domain/json.js';
import type { Row } from '../domain/rows.js';
import { type AccountData, type Batch, type Meta, tableEntries } from './account-data.js';
import { formatVersion, UnusableFileError } from './account-file.js';
import { errorText } from './disk.js';
import type { Change, Table } from './table.js';

const format = 'messaging-sandbox/journal';

/** The first line: which file of which account the journal continues. */
export function headOf({ key, generation }: { readonly key: string; readonly generation: number }): string {
  return `${JSON.stringify({ format, version: formatVersion, key, generation })}\n`;
}

/** A change as it is written. */
type WrittenChange =
  | { readonly insert: string; readonly row: Row }
  | { readonly patch: string; readonly id: string; readonly set: object; readonly unset?: readonly string[] }
  | { readonly delete: string; readonly id: string }
  | { readonly clear: string };

export function lineOf({ changes, meta }: Batch): string {
  return `${JSON.stringify({ changes: changes.map(written), meta })}\n`;
}

function written(change: Change): WrittenChange {
  switch (change.op) {
    case 'insert':
      return { insert: change.table, row: change.row };
    case 'patch': {
      // JSON omits undefined, which would restore the old value.
      const unset = Object.entries(change.patch).flatMap(([name, value]) => (value === undefined ? [name] : []));
      return { patch: change.table, id: change.id, set: change.patch, ...(unset.length > 0 && { unset }) };
    }
    case 'delete':
      return { delete: change.table, id: change.row.id };
    case 'clear':
      return { clear: change.table };
  }
}

/**
 * Applies a journal to the account of a file.
 * @returns the bytes up to the end of the last complete line; 0 if the journal belongs to an earlier file
 * @throws UnusableFileError if a complete line cannot be applied
 */
export function applyJournal(bytes: Buffer, key: string, generation: number, data: AccountData): number {
  const tables = new Map<string, Table<Row>>(tableEntries(data.tables));
  let number = 0;
  let end = 0;
  for (let next = bytes.indexOf(10); next !== -1; next = bytes.indexOf(10, end)) {
    number += 1;
    try {
      const line: unknown = JSON.parse(bytes.toString('utf8', end, next));
      if (!isObject(line)) throw new Error('it is not an object');
      if (number > 1) applyLine(line as unknown as WrittenLine, data.meta, tables);
      else if (line['format'] !== format || line['version'] !== formatVersion || line['key'] !== key) {
        throw new Error('it does not begin a journal of this account');
      } else if (Number(line['generation']) < generation) return 0;
      else if (line['generation'] !== generation) throw new Error('it continues a later file of the account');
    } catch (error) {
      throw new UnusableFileError(`its line ${number} cannot be applied (${errorText(error)})`);
    }
    end = next + 1;
  }
  return end;
}

interface WrittenLine {
  readonly changes: readonly WrittenChange[];
  readonly meta: Partial<Meta>;
}

function applyLine({ changes, meta: { draws, ...meta } }: WrittenLine, into: Meta, tables: Map<string, Table<Row>>) {
  for (const change of changes) applyChange(change, tables);
  Object.assign(into, meta);
  Object.assign(into.draws, draws);
}

function applyChange(change: WrittenChange, tables: Map<string, Table<Row>>): void {
  const name =
    'insert' in change
      ? change.insert
      : 'clear' in change
        ? change.clear
        : 'delete' in change
          ? change.delete
          : change.patch;
  const table = tables.get(name);
  if (!table) throw new Error(`there is no table ${name}`);
  if ('insert' in change) table.insert(change.row);
  else if ('clear' in change) table.clear();
  else {
    const row = table.get(change.id);
    if (!row) throw new Error(`${name} has no record ${change.id}`);
    if ('delete' in change) table.delete(row);
    else
      table.patch(row, {
        ...change.set,
        ...Object.fromEntries((change.unset ?? []).map((field) => [field, undefined])),
      });
  }
}
