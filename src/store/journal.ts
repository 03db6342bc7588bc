/** The journal of an account: the writes since its complete file was written, a line each. */
import { join } from 'node:path';
import type { Row } from '../domain/rows.js';
import { type AccountData, type Meta, tableEntries } from './account-data.js';
import { type AccountFile, isMeta, UnusableFileError, version } from './account-file.js';
import { type Disk, type DiskFile, errorText, linesOf, partsOf, unlessMissing } from './disk.js';
import type { Change, Table } from './table.js';

const format = 'messaging-sandbox/journal';

/** A change as it is written: a new row whole, of another one the fields that changed. */
type WrittenChange =
  | { readonly put: string; readonly row: Row }
  | { readonly patch: string; readonly id: string; readonly fields: object }
  | { readonly delete: string; readonly id: string }
  | { readonly clear: string; readonly rows?: readonly Row[] | undefined };

export class Journal {
  #open: DiskFile | null = null;
  size = 0;

  constructor(
    private readonly disk: Disk,
    private readonly file: AccountFile,
  ) {}

  get fileName(): string {
    return `${this.file.name}.journal`;
  }

  get #path(): string {
    return join(this.file.dir, this.fileName);
  }

  /**
   * Applies the journal, which exists, to the content of its file.
   * @returns the bytes of a line that was being written when the process ended, which are cut off
   * @throws UnusableFileError if a complete line cannot be applied, or the error of the disk
   */
  async load(data: AccountData): Promise<number> {
    const tables = new Map<string, Table<Row>>(tableEntries(data.tables));
    let size = 0;
    let torn = 0;
    let number = 0;
    for await (const lines of linesOf(this.disk, this.#path)) {
      for (const line of lines) {
        if (!line.isWhole) {
          torn = line.size;
          break;
        }
        number += 1;
        try {
          const content = JSON.parse(line.text) as Record<string, unknown>;
          if (number > 1) data.meta = applyLine(content, tables);
          else if (this.#isEarlier(content)) return 0;
        } catch (error) {
          throw new UnusableFileError(this.fileName, `its line ${number} cannot be applied (${errorText(error)})`);
        }
        size += line.size;
      }
    }
    this.size = size;
    if (size === 0 || torn === 0) return 0;
    await this.#opened();
    return torn;
  }

  /** Adds lines: all of them, or none. */
  async append(lines: readonly string[]): Promise<void> {
    const { key, generation } = this.file;
    const open = this.#open ?? (await this.#opened());
    const head = this.size === 0 ? [`${JSON.stringify({ format, version, key, generation })}\n`] : [];
    let size = this.size;
    try {
      for (const part of partsOf([...head, ...lines])) {
        await open.appendFile(part);
        size += part.byteLength;
      }
    } catch (error) {
      await open.truncate(this.size).catch(() => undefined);
      throw error;
    }
    this.size = size;
  }

  async isInPlace(): Promise<boolean> {
    return this.size === 0 || (await unlessMissing(this.disk.size(this.#path))) === this.size;
  }

  async sync(): Promise<void> {
    await this.#open?.datasync();
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.close().catch(() => undefined);
  }

  async remove(): Promise<void> {
    await this.close();
    this.size = 0;
    await unlessMissing(this.disk.unlink(this.#path));
    await this.disk.syncDirectory(this.file.dir);
  }

  /** Opens the file, and cuts off what does not continue the complete one. */
  async #opened(): Promise<DiskFile> {
    this.#open = await this.disk.open(this.#path, 'a');
    await this.#open.truncate(this.size);
    if (this.size === 0) await this.disk.syncDirectory(this.file.dir);
    return this.#open;
  }

  #isEarlier(head: Record<string, unknown>): boolean {
    const { key, generation } = this.file;
    if (head['format'] !== format || head['version'] !== version || head['key'] !== key) {
      throw new Error('it does not begin a journal of this account');
    }
    if (Number(head['generation']) > generation) throw new Error('it continues a later file of the account');
    return head['generation'] !== generation;
  }
}

/**
 * Returns the line of one write.
 * @param meta the counters and the clock after it, as JSON
 */
export function journalLine(changes: readonly Change[], meta: string): string {
  const written = changes.map((change): WrittenChange => {
    if (change.op === 'put' && change.patch) return { patch: change.table, id: change.row.id, fields: change.patch };
    if (change.op === 'put') return { put: change.table, row: change.row };
    if (change.op === 'delete') return { delete: change.table, id: change.row.id };
    return { clear: change.table, rows: change.rows };
  });
  return `{"changes":${JSON.stringify(written)},"meta":${meta}}\n`;
}

/** @returns the counters and the clock after the write */
function applyLine({ changes, meta }: Record<string, unknown>, tables: ReadonlyMap<string, Table<Row>>): Meta {
  for (const change of changes as WrittenChange[]) {
    const [name] = Object.values(change) as [string];
    const table = tables.get(name);
    if (!table) throw new Error(`there is no table ${name}`);
    if ('clear' in change) table.replace(change.rows ?? []);
    else {
      const id = 'put' in change ? change.row.id : change.id;
      const known = table.get(id);
      // Earlier builds wrote a changed row whole.
      if ('put' in change && known) table.patch(known, change.row);
      else if ('put' in change) table.insert(change.row);
      else if (!known) throw new Error(`${name} has no record ${id}`);
      else if ('patch' in change) table.patch(known, change.fields);
      else table.delete(known);
    }
  }
  if (!isMeta(meta)) throw new Error('its counters or its clock are incomplete');
  return meta;
}
