/** The complete file of an account, JSON that any tool can read, a record a line. lowdb reads and writes it. */
import { join } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { isObject } from '../domain/json.js';
import type { Row } from '../domain/rows.js';
import { type AccountData, createTables, type Meta, tableEntries } from './account-data.js';
import { type Disk, fileNameOf, unlessMissing, writeAtomically } from './disk.js';
import type { Table } from './table.js';

/** Of the file and its journal. Before version 1.0 of the sandbox, another one is refused. */
export const version = 4;
const format = 'messaging-sandbox/account';

/** A file from which no account can be read. */
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
  /**
   * The number of the journal that continues the file: each write of the file begins another one, so that an old journal
   * is never applied to a newer file. 0 before the first write.
   */
  generation = 0;
  /** In bytes. */
  size = 0;

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

  /** @throws UnusableFileError, or the error of the disk */
  async load(): Promise<AccountData> {
    await this.#low.read();
    return this.#low.data;
  }

  /** Writes the account as it is now; changes during the write are not contained. */
  save(): Promise<void> {
    return this.#low.write();
  }

  async remove(): Promise<void> {
    await unlessMissing(this.disk.unlink(join(this.dir, this.fileName)));
  }

  /** For lowdb. The fields of the rows are taken as they are: the file is our own. */
  async read(): Promise<AccountData> {
    const bytes = await this.disk.read(join(this.dir, this.fileName));
    const { key, generation, data } = this.#parse(bytes);
    // A copy or a renamed file must not become a second file of an account.
    if (fileNameOf(key) !== this.name) {
      throw this.#unusable(`it contains the account ${JSON.stringify(key)}, whose file is ${fileNameOf(key)}.json`);
    }
    Object.assign(this, { key, generation, size: bytes.length });
    return data;
  }

  /** For lowdb. */
  async write({ meta, tables }: AccountData): Promise<void> {
    const head = JSON.stringify({ format, version, key: this.key, generation: this.generation + 1, meta });
    // A text for each table: together, they could be longer than a string can be.
    const texts = tableEntries(tables).map(([name, table], at) => {
      const rows = table.all().map((row) => JSON.stringify(row));
      return `${at === 0 ? '' : ','}\n"${name}":[\n${rows.join(',\n')}]`;
    });
    const all = [`${head.slice(0, -1)},\n"tables":{`, ...texts, '\n}}\n'];
    this.size = await writeAtomically(this.disk, this.dir, this.fileName, all);
    this.generation += 1;
  }

  #parse(bytes: Buffer): { readonly key: string; readonly generation: number; readonly data: AccountData } {
    let content: unknown;
    try {
      content = JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      throw this.#unusable(bytes.length === 0 ? 'it is empty' : `it is not complete JSON (${String(error)})`);
    }
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
    if (isWhole && typeof generation === 'number') return { key, generation, data };
    throw this.#unusable('its counters, its clock or its tables are incomplete');
  }

  #unusable(reason: string, otherVersionOf?: string): UnusableFileError {
    return new UnusableFileError(this.fileName, reason, otherVersionOf);
  }
}

export function isMeta(meta: unknown): meta is Meta {
  return isObject(meta) && isObject(meta['clock']) && isObject(meta['draws']);
}

function isRow(row: unknown): row is Row {
  return isObject(row) && typeof row['id'] === 'string' && typeof row['seq'] === 'number';
}

/** Returns false if these are not records by which the sandbox can find them. */
function fill(table: Table<Row>, rows: unknown): boolean {
  if (!Array.isArray(rows) || !rows.every(isRow)) return false;
  table.fill(rows);
  return table.size === rows.length;
}
