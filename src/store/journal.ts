/**
 * The journal of an account: the writes since its file, one line each. A line that was being written when the process
 * ended is cut off.
 */
import { join } from 'node:path';
import type { Row } from '../domain/rows.js';
import type { Cancel } from '../time/system-clock.js';
import { type AccountData, type Meta, tableEntries } from './account-data.js';
import { type AccountPlace, formatVersion, isObject, UnusableFileError } from './account-file.js';
import type { DiskFile } from './disk.js';
import { unlessMissing } from './disk-errors.js';
import { journalName } from './file-names.js';
import type { Batch } from './persistence.js';
import type { Change, Table } from './table.js';

const format = 'messaging-sandbox/journal';
const syncAfterMs = 50;

export class Journal {
  readonly path: string;
  #file: DiskFile | null = null;
  /** Whether the medium may lack bytes. */
  #isBehind = false;
  #syncing: Promise<void> = Promise.resolve();
  #cancelSync: Cancel | null = null;

  /**
   * @param size the bytes of a file that is continued; 0 for a new one, which may overwrite an old journal
   * @param onError receives the error of a sync that no call waits for
   */
  constructor(
    private readonly place: AccountPlace,
    private readonly onError: (error: unknown) => void,
    public generation: number,
    public size: number,
  ) {
    this.path = join(place.dir, journalName(place.name));
  }

  /**
   * Resolves when the lines are stored as `Fsync` says. One call at a time; after an error, `restart` comes first.
   * @throws the error of the disk
   */
  async append(lines: string): Promise<void> {
    const { disk, fsync, dir, key } = this.place;
    if (this.#file === null) {
      this.#file = await disk.open(this.path, this.size === 0 ? 'w' : 'a');
      if (this.size === 0) await disk.syncDirectory(dir);
    }
    const head = { format, version: formatVersion, key, generation: this.generation };
    const bytes = Buffer.from(this.size === 0 ? `${JSON.stringify(head)}\n${lines}` : lines);
    try {
      this.#isBehind = true;
      await this.#file.appendFile(bytes);
    } catch (error) {
      // Leaves only complete lines, in case the process ends before the account is written completely.
      await this.#file.truncate(this.size).catch(() => undefined);
      throw error;
    }
    this.size += bytes.byteLength;
    if (fsync === 'always') await this.sync();
    else this.#syncSoon();
  }

  /**
   * Resolves when everything written before the call is on the medium. After an error, all later calls reject, because
   * the system may have dropped the bytes.
   */
  sync(): Promise<void> {
    const file = this.#file;
    if (file !== null && this.#isBehind) {
      this.#isBehind = false;
      this.#syncing = this.#syncing.then(() => file.datasync());
    }
    return this.#syncing;
  }

  /** Begins an empty journal, because the file of the account contains everything now. */
  async restart(generation: number): Promise<void> {
    await this.close();
    await unlessMissing(this.place.disk.unlink(this.path)).catch(() => undefined);
    this.generation = generation;
    this.size = 0;
  }

  async close(): Promise<void> {
    this.#cancelSync?.();
    this.#cancelSync = null;
    const file = this.#file;
    this.#file = null;
    await this.#syncing.catch(() => undefined);
    this.#syncing = Promise.resolve();
    this.#isBehind = false;
    await file?.close().catch(() => undefined);
  }

  /** Lines are written during this sync. */
  #syncSoon(): void {
    this.#cancelSync ??= this.place.host.setTimer(
      syncAfterMs,
      () => {
        this.#cancelSync = null;
        this.sync().then(() => {
          if (this.#isBehind && this.#file) this.#syncSoon();
        }, this.onError);
      },
      { unref: true },
    );
  }
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
      throw new UnusableFileError(
        `its line ${number} cannot be applied (${error instanceof Error ? error.message : ''})`,
      );
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
  const tableOf = (name: string): Table<Row> => {
    const table = tables.get(name);
    if (!table) throw new Error(`there is no table ${name}`);
    return table;
  };
  const rowOf = (table: Table<Row>, id: string): Row => {
    const row = table.get(id);
    if (!row) throw new Error(`${table.name} has no record ${id}`);
    return row;
  };
  if ('insert' in change) tableOf(change.insert).insert(change.row);
  else if ('clear' in change) tableOf(change.clear).clear();
  else if ('delete' in change) {
    const table = tableOf(change.delete);
    table.delete(rowOf(table, change.id));
  } else {
    const table = tableOf(change.patch);
    const unset = Object.fromEntries((change.unset ?? []).map((name) => [name, undefined]));
    table.patch(rowOf(table, change.id), { ...change.set, ...unset });
  }
}
