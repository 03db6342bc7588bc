/**
 * The journal of an account: the writes since its complete file was written, a line each. While the file is written anew, the
 * journal so far is the previous one, and another one has begun.
 */
import { join } from 'node:path';
import type { Row } from '../domain/rows.js';
import { type AccountData, tableEntries } from './account-data.js';
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
  /** The previous journal exists beside this one: together they continue the file. */
  hasPrevious = false;

  constructor(
    private readonly disk: Disk,
    private readonly file: AccountFile,
  ) {}

  get fileName(): string {
    return `${this.file.name}.journal`;
  }

  get previousName(): string {
    return `${this.fileName}.previous`;
  }

  get #path(): string {
    return join(this.file.dir, this.fileName);
  }

  get #previousPath(): string {
    return join(this.file.dir, this.previousName);
  }

  /**
   * Applies the journals that exist to the content of their file.
   * @returns the bytes of a line that was being written when the process ended, which are cut off
   * @throws UnusableFileError if a complete line cannot be applied, or the error of the disk
   */
  async load(data: AccountData): Promise<number> {
    const { file } = this;
    const replay = new Replay(data);
    const previous = await this.#apply(this.previousName, file.generation, replay);
    if (previous.torn > 0) throw new UnusableFileError(this.previousName, 'its last line is incomplete');
    this.hasPrevious = previous.size > 0;
    if (this.hasPrevious) file.latest += 1;
    const { size, torn } = await this.#apply(this.fileName, file.latest, replay);
    replay.requireWhole(this.fileName);
    this.size = size;
    if (size === 0 || torn === 0) return 0;
    await this.#opened();
    return torn;
  }

  async append(lines: readonly string[]): Promise<void> {
    const { key, latest } = this.file;
    const open = this.#open ?? (await this.#opened());
    const head = this.size === 0 ? [`${JSON.stringify({ format, version, key, generation: latest })}\n`] : [];
    let size = this.size;
    try {
      for (const part of partsOf(this.disk, [...head, ...lines])) {
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

  /** Begins the journal of the file that is about to be written; what was appended so far continues the present one. */
  async renew(): Promise<void> {
    await this.sync();
    await this.close();
    await this.disk.rename(this.#path, this.#previousPath);
    this.file.latest += 1;
    this.hasPrevious = true;
    this.size = 0;
  }

  /** After the file was written anew, nothing needs the previous journal; if it stays, it is not applied. */
  async removePrevious(): Promise<void> {
    this.hasPrevious = false;
    await unlessMissing(this.disk.unlink(this.#previousPath));
  }

  async remove(): Promise<void> {
    await this.close();
    this.size = 0;
    await this.removePrevious();
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

  /**
   * Applies a journal, if it exists and does not continue an earlier file.
   * @returns bytes: of its whole lines, and of a line after them that is not
   */
  async #apply(fileName: string, generation: number, replay: Replay): Promise<{ size: number; torn: number }> {
    let size = 0;
    let torn = 0;
    let number = 0;
    const path = join(this.file.dir, fileName);
    if ((await unlessMissing(this.disk.size(path))) === undefined) return { size, torn };
    for await (const lines of linesOf(this.disk, path)) {
      for (const line of lines) {
        if (!line.isWhole) {
          torn = line.size;
          break;
        }
        number += 1;
        try {
          const content = JSON.parse(line.text) as Record<string, unknown>;
          if (number > 1) replay.apply(content);
          else if (this.#isEarlier(content, generation)) return { size: 0, torn: 0 };
        } catch (error) {
          throw new UnusableFileError(fileName, `its line ${number} cannot be applied (${errorText(error)})`);
        }
        size += line.size;
      }
    }
    return { size, torn };
  }

  #isEarlier(head: Record<string, unknown>, generation: number): boolean {
    const { key, generation: ofFile } = this.file;
    if (head['format'] !== format || head['version'] !== version || head['key'] !== key) {
      throw new Error('it does not begin a journal of this account');
    }
    if (Number(head['generation']) < ofFile) return true;
    if (head['generation'] !== generation) throw new Error('it continues another file of the account');
    return false;
  }
}

/** `meta` has the counters and the clock after the write, as JSON. */
export function journalLine(changes: readonly Change[], meta: string): string {
  const written = changes.map((change): WrittenChange => {
    if (change.op === 'put' && change.patch) return { patch: change.table, id: change.row.id, fields: change.patch };
    if (change.op === 'put') return { put: change.table, row: change.row };
    if (change.op === 'delete') return { delete: change.table, id: change.row.id };
    return { clear: change.table, rows: change.rows };
  });
  return `{"changes":${JSON.stringify(written)},"meta":${meta}}\n`;
}

/** The account may contain some of the changes already. */
class Replay {
  readonly #tables: ReadonlyMap<string, Table<Row>>;
  /** Changed records that do not exist: they were deleted while the file was written, so their deletion must follow. */
  readonly #missing = new Set<string>();

  constructor(private readonly data: AccountData) {
    this.#tables = new Map<string, Table<Row>>(tableEntries(data.tables));
  }

  apply({ changes, meta }: Record<string, unknown>): void {
    for (const change of changes as WrittenChange[]) this.#applyChange(change);
    if (!isMeta(meta)) throw new Error('its counters or its clock are incomplete');
    this.data.meta = meta;
  }

  /** @throws UnusableFileError if a changed record is missing */
  requireWhole(fileName: string): void {
    const [missing] = this.#missing;
    if (missing !== undefined)
      throw new UnusableFileError(fileName, `it changes the record ${missing}, which does not exist`);
  }

  #applyChange(change: WrittenChange): void {
    const [name] = Object.values(change) as [string];
    const table = this.#tables.get(name);
    if (!table) throw new Error(`there is no table ${name}`);
    if ('clear' in change) {
      table.replace(change.rows ?? []);
      for (const one of this.#missing) if (one.startsWith(`${name}/`)) this.#missing.delete(one);
      return;
    }
    const id = 'put' in change ? change.row.id : change.id;
    const known = table.get(id);
    if ('patch' in change) {
      if (known) table.patch(known, change.fields);
      else this.#missing.add(`${name}/${id}`);
      return;
    }
    if (known) table.delete(known);
    if ('put' in change) table.insert(change.row);
    this.#missing.delete(`${name}/${id}`);
  }
}
