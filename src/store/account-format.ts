/**
 * The two files of an account as text: its complete file, JSON that any tool can read, a record a line; and its journal, the
 * writes since, a line each.
 */
import { isObject } from '../domain/json.js';
import type { Row } from '../domain/rows.js';
import { type AccountData, createTables, type Meta, tableEntries } from './account-data.js';
import { errorText } from './disk.js';
import type { Change, Table } from './table.js';

/** Of both files. Before version 1.0 of the sandbox, another one is refused. */
const version = 4;
const fileFormat = 'messaging-sandbox/account';
const journalFormat = 'messaging-sandbox/journal';

/** A file from which no account can be read. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';

  /** @param otherVersionOf the account of a file that another version wrote, and that must stay as it is */
  constructor(
    message: string,
    readonly otherVersionOf: string | null = null,
  ) {
    super(message);
  }
}

/** What both files say of themselves. */
interface Head {
  readonly key: string;
  /**
   * The number of the journal that continues the file: each write of the file begins another one, so that an old journal
   * is never applied to a newer file.
   */
  readonly generation: number;
}

/** The content of a file. */
interface ReadAccount extends Head {
  readonly data: AccountData;
}

/** Yields the file of an account as it is now, in texts that are short enough for a string. */
export function* fileTexts({ key, generation }: Head, { meta, tables }: AccountData): Generator<string> {
  const head = JSON.stringify({ format: fileFormat, version, key, generation, meta });
  yield `${head.slice(0, -1)},\n"tables":{`;
  let comma = '';
  for (const [name, table] of tableEntries(tables)) {
    yield `${comma}\n"${name}":[\n${table
      .all()
      .map((row) => JSON.stringify(row))
      .join(',\n')}]`;
    comma = ',';
  }
  yield '\n}}\n';
}

/**
 * Reads the file of an account. The fields of its rows are taken as they are: it is our own.
 * @throws UnusableFileError
 */
export function parseFile(bytes: Buffer): ReadAccount {
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new UnusableFileError(bytes.length === 0 ? 'it is empty' : `it is not complete JSON (${String(error)})`);
  }
  if (!isObject(content) || content['format'] !== fileFormat || typeof content['key'] !== 'string') {
    throw new UnusableFileError(
      `it is not an account file (its "format" is not "${fileFormat}", or its "key" is missing)`,
    );
  }
  const { key, generation, meta, tables } = content;
  if (content['version'] !== version) {
    const found = JSON.stringify(content['version']);
    throw new UnusableFileError(`it has format version ${found}, and this sandbox reads version ${version}`, key);
  }
  const data = isMeta(meta) ? { meta, tables: createTables() } : null;
  const isWhole =
    isObject(tables) && data && tableEntries(data.tables).every(([name, table]) => isFilled(table, tables[name] ?? []));
  if (!isWhole || typeof generation !== 'number') {
    throw new UnusableFileError('its counters, its clock or its tables are incomplete');
  }
  return { key, generation, data };
}

function isMeta(meta: unknown): meta is Meta {
  return isObject(meta) && isObject(meta['clock']) && isObject(meta['draws']);
}

function isRow(row: unknown): row is Row {
  return isObject(row) && typeof row['id'] === 'string' && typeof row['seq'] === 'number';
}

/** Puts the rows of a file into their table; false if they are not records by which the sandbox can find them. */
function isFilled(table: Table<Row>, rows: unknown): boolean {
  if (!Array.isArray(rows) || !rows.every(isRow)) return false;
  table.fill(rows);
  return table.size === rows.length;
}

/** Returns the first line of a journal: which file of which account it continues. */
export function journalHead({ key, generation }: Head): string {
  return `${JSON.stringify({ format: journalFormat, version, key, generation })}\n`;
}

/** A change as it is written: a row as it is after the write. */
type WrittenChange =
  | { readonly put: string; readonly row: Row }
  | { readonly delete: string; readonly id: string }
  | { readonly clear: string; readonly rows?: readonly Row[] | undefined };

/**
 * Returns the line of one write.
 * @param meta the counters and the clock after it, as JSON
 */
export function journalLine(changes: readonly Change[], meta: string): string {
  return `{"changes":${JSON.stringify(changes.map(written))},"meta":${meta}}\n`;
}

function written(change: Change): WrittenChange {
  switch (change.op) {
    case 'put':
      return { put: change.table, row: change.row };
    case 'delete':
      return { delete: change.table, id: change.row.id };
    case 'clear':
      return { clear: change.table, rows: change.rows };
  }
}

/**
 * Applies a journal to the content of its file. A line that was being written when the process ended is left out.
 * @returns the bytes up to the end of the last complete line; 0 if the journal belongs to an earlier file
 * @throws UnusableFileError if a complete line cannot be applied
 */
export function applyJournal(bytes: Buffer, account: ReadAccount): number {
  const tables = new Map<string, Table<Row>>(tableEntries(account.data.tables));
  let size = 0;
  let number = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, size)) {
    number += 1;
    try {
      const line = JSON.parse(bytes.toString('utf8', size, end)) as Record<string, unknown>;
      if (number > 1) account.data.meta = applyLine(line, tables);
      else if (isEarlier(line, account)) return 0;
    } catch (error) {
      throw new UnusableFileError(`its line ${number} cannot be applied (${errorText(error)})`);
    }
    size = end + 1;
  }
  return size;
}

/** Whether a journal with this head belongs to an earlier file. */
function isEarlier(head: Record<string, unknown>, { key, generation }: Head): boolean {
  if (head['format'] !== journalFormat || head['version'] !== version || head['key'] !== key) {
    throw new Error('it does not begin a journal of this account');
  }
  if (Number(head['generation']) > generation) throw new Error('it continues a later file of the account');
  return head['generation'] !== generation;
}

/** @returns the counters and the clock after the write */
function applyLine({ changes, meta }: Record<string, unknown>, tables: ReadonlyMap<string, Table<Row>>): Meta {
  for (const change of changes as WrittenChange[]) {
    const name = 'put' in change ? change.put : 'delete' in change ? change.delete : change.clear;
    const table = tables.get(name);
    if (!table) throw new Error(`there is no table ${name}`);
    if ('clear' in change) table.replace(change.rows ?? []);
    else {
      const known = table.get('put' in change ? change.row.id : change.id);
      if (known) table.delete(known);
      else if ('delete' in change) throw new Error(`${name} has no record ${change.id}`);
      if ('put' in change) table.insert(change.row);
    }
  }
  if (!isMeta(meta)) throw new Error('its counters or its clock are incomplete');
  return meta;
}
