/** The complete file of an account, JSON that any tool can read, a record a line. lowdb reads and writes it. */
import { constants } from 'node:buffer';
import { join } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { isObject } from '../domain/json.js';
import type { Row } from '../domain/rows.js';
import { type AccountData, createTables, type Meta, tableEntries } from './account-data.js';
import { type Disk, fileNameOf, linesOf, partsOf, putInPlace, unlessMissing, writeUnfinished } from './disk.js';
import type { Table } from './table.js';

/** Before version 1.0 of the sandbox, other versions are refused. */
export const version = 4;
const format = 'messaging-sandbox/account';

/** The lines of a file beside its first one and the lines of records. */
const tableLine = /^"(\w+)":\[$/;
const lastLine = '}}';
const otherLines = new Set(['"tables":{', '', ']', '],', lastLine]);

interface Content {
  readonly key: string;
  readonly generation: number;
  readonly size: number;
  readonly data: AccountData;
}

/** Ends the name of an account file that is being removed: without it, a start would miss the file of a journal. */
export const removedSuffix = '.removed';

export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';

  /** @param otherVersionOf the account of a file that another version wrote, and that must stay as it is */
  constructor(
    fileName: string,
    readonly reason: string,
    readonly otherVersionOf: string | null = null,
  ) {
    super(`${fileName}: ${reason}`);
  }
}

export class AccountFile implements Adapter<AccountData> {
  readonly #low: Low<AccountData>;
  /** The number of the journal that continues the file, so that an old journal is never applied to a newer file. */
  generation = 0;
  /** The highest number that a file or a journal may have: each writing of the file begins another one. */
  latest = 0;
  size = 0;
  /** Ends the `renew` that is under way. */
  #stop: AbortSignal | null = null;
  #unfinishedSize = 0;

  /**
   * @param name the file name, without its extension
   * @param key of the account; of a file that is loaded, the one that it contains
   */
  constructor(
    private readonly disk: Disk,
    readonly dir: string,
    readonly name: string,
    public key = '',
    data = {} as AccountData,
  ) {
    this.#low = new Low<AccountData>(this, data);
  }

  get fileName(): string {
    return `${this.name}.json`;
  }

  get #path(): string {
    return join(this.dir, this.fileName);
  }

  async load(): Promise<AccountData> {
    await this.#low.read();
    return this.#low.data;
  }

  /** False if somebody removed, replaced or changed the file. */
  async isInPlace(): Promise<boolean> {
    return (await unlessMissing(this.disk.size(this.#path))) === this.size;
  }

  /** Changes during the write are not contained. */
  async save(): Promise<void> {
    this.latest += 1;
    this.#stop = null;
    await this.#low.write();
    await this.finish();
  }

  /**
   * Writes the account in parts, between which calls change it: a record is as it was at some time meanwhile. With the lines
   * that the next journal has at the end, the file is the account again; `finish` it when they are on the medium.
   * @throws the reason of `stop` as soon as it is aborted, or the error of the disk
   */
  async renew(stop: AbortSignal): Promise<void> {
    this.#stop = stop;
    await this.#low.write();
  }

  async discard(): Promise<void> {
    await unlessMissing(this.disk.unlink(`${this.#path}.tmp`));
  }

  async finish(): Promise<void> {
    await putInPlace(this.disk, this.dir, this.fileName);
    this.size = this.#unfinishedSize;
    this.generation = this.latest;
  }

  /**
   * Removes the file, and `others` that mean nothing without it, in such an order that an account whose removal is cut short
   * stays as it was or is gone: see `finishRemoval`.
   */
  async remove(others: () => Promise<void>): Promise<void> {
    const marker = join(this.dir, `${this.name}${removedSuffix}`);
    const isStored = await unlessMissing(this.disk.rename(this.#path, marker).then(() => true));
    await this.disk.syncDirectory(this.dir);
    await others();
    if (isStored) await this.disk.unlink(marker);
  }

  /** lowdb calls it. The fields of the rows are taken as they are: the file is our own. */
  async read(): Promise<AccountData> {
    const { key, generation, size, data } = (await this.#readLines()) ?? (await this.#readWhole());
    // A copy or a renamed file must not become a second file of an account.
    if (fileNameOf(key) !== this.name) {
      throw this.#unusable(`it contains the account ${JSON.stringify(key)}, whose file is ${fileNameOf(key)}.json`);
    }
    Object.assign(this, { key, generation, latest: generation, size });
    return data;
  }

  /** lowdb calls it. */
  async write({ meta, tables }: AccountData): Promise<void> {
    const head = { format, version, key: this.key, generation: this.latest, meta };
    const parts = partsOf(this.disk, linesToWrite(head, tables));
    await this.disk.makeDirectory(this.dir);
    const taken = this.#stop ? untilStopped(parts, this.#stop) : Array.from(parts);
    this.#unfinishedSize = await writeUnfinished(this.disk, this.dir, this.fileName, taken);
  }

  /** Reads the file a line at a time, as `write` lays it out. Returns null if it is not laid out so. */
  async #readLines(): Promise<Content | null> {
    const tables: Record<string, unknown[]> = {};
    let head: Record<string, unknown> | null = null;
    let rows: unknown[] = [];
    let last = '';
    let size = 0;
    try {
      for await (const lines of linesOf(this.disk, this.#path)) {
        for (const line of lines) {
          size += line.size;
          last = line.text;
          const [, name] = tableLine.exec(last) ?? [];
          if (!head) head = JSON.parse(`${last.slice(0, -1)}}`) as Record<string, unknown>;
          else if (name !== undefined) tables[name] = rows = [];
          else if (last.startsWith('{')) rows.push(JSON.parse(last.endsWith(',') ? last.slice(0, -1) : last));
          else if (!otherLines.has(last)) return null;
        }
      }
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
    return head && last === lastLine ? this.#contentOf({ ...head, tables }, size) : null;
  }

  /** Reads a file that a person has laid out anew, or the first error in one that is not an account file. */
  async #readWhole(): Promise<Content> {
    const bytes = await this.disk.read(this.#path);
    if (bytes.length > constants.MAX_STRING_LENGTH) {
      const size = Math.round(bytes.length / 1_000_000);
      throw this.#unusable(`it has ${size} MB and does not have each record on a separate line, or is not complete`);
    }
    let content: unknown;
    try {
      content = JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      throw this.#unusable(bytes.length === 0 ? 'it is empty' : `it is not complete JSON (${String(error)})`);
    }
    return this.#contentOf(content, bytes.length);
  }

  #contentOf(content: unknown, size: number): Content {
    if (!isObject(content) || content['format'] !== format || typeof content['key'] !== 'string') {
      throw this.#unusable(`it is not an account file (its "format" is not "${format}", or its "key" is missing)`);
    }
    const { key, generation, meta, tables } = content;
    if (content['version'] !== version) {
      const found = JSON.stringify(content['version']);
      throw this.#unusable(`it has format version ${found}, and this sandbox reads version ${version}`, key);
    }
    const data = isMeta(meta) ? { meta, tables: createTables() } : null;
    const isWhole =
      isObject(tables) && data && tableEntries(data.tables).every(([name, table]) => fill(table, tables[name] ?? []));
    if (isWhole && typeof generation === 'number') return { key, generation, size, data };
    throw this.#unusable('its counters, its clock or its tables are incomplete');
  }

  #unusable(reason: string, otherVersionOf?: string): UnusableFileError {
    return new UnusableFileError(this.fileName, reason, otherVersionOf);
  }
}

function* untilStopped(parts: Iterable<Buffer>, stop: AbortSignal): Generator<Buffer, void> {
  for (const part of parts) {
    stop.throwIfAborted();
    yield part;
  }
}

function* linesToWrite(head: object, tables: AccountData['tables']): Generator<string, void> {
  yield `${JSON.stringify(head).slice(0, -1)},\n"tables":{`;
  for (const [at, [name, table]] of tableEntries(tables).entries()) {
    yield `${at === 0 ? '' : ','}\n"${name}":[`;
    let separator = '\n';
    for (const row of table.all()) {
      yield separator + JSON.stringify(row);
      separator = ',\n';
    }
    yield '\n]';
  }
  yield `\n${lastLine}\n`;
}

export function isMeta(meta: unknown): meta is Meta {
  return isObject(meta) && isObject(meta['clock']) && isObject(meta['draws']);
}

function isRow(row: unknown): row is Row {
  return isObject(row) && typeof row['id'] === 'string' && typeof row['seq'] === 'number';
}

/** False if the sandbox cannot find these records. */
function fill(table: Table<Row>, rows: unknown): boolean {
  if (!Array.isArray(rows) || !rows.every(isRow)) return false;
  table.fill(rows);
  return table.size === rows.length;
}
