/**
 * The file of an account: all of it as JSON that any tool can read, a record a line, replaced as a whole. A lowdb adapter.
 */
import type { Adapter } from 'lowdb';
import { isObject } from '../domain/json.js';
import { type AccountData, type PlainAccountData, tableEntries, tablesOf } from './account-data.js';
import { accountFileName, type Disk, writeAtomically } from './disk.js';

/** Of the file and of its journal. Before version 1.0 of the sandbox, another one is refused. */
export const formatVersion = 3;
const format = 'messaging-sandbox/account';

/** A file that does not contain an account, as a clause about it. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

/** An account file of another version, which must stay as it is. */
export class OtherVersionError extends Error {
  override readonly name = 'OtherVersionError';

  constructor(
    readonly key: string,
    version: unknown,
  ) {
    super(`it has format version ${JSON.stringify(version)}, and this sandbox reads version ${formatVersion}`);
  }
}

export class AccountFile implements Adapter<AccountData> {
  /**
   * The number of the journal that continues the file: each write of the file begins another one, so that an old journal
   * is never applied to a newer file. 0 before the first write.
   */
  generation = 0;
  /** In bytes. */
  size = 0;

  /**
   * @param name the file name, without its extension
   * @param key of the account; of a file that was read, the one that it contains
   */
  constructor(
    private readonly disk: Disk,
    private readonly dir: string,
    private readonly name: string,
    public key = '',
  ) {}

  /** @throws UnusableFileError, OtherVersionError, or the error of the disk */
  async read(): Promise<AccountData> {
    const bytes = await this.disk.read(`${this.dir}/${accountFileName(this.name)}`);
    const { key, generation, data } = parse(bytes);
    Object.assign(this, { key, generation, size: bytes.length });
    return data;
  }

  /** Writes the account as it is now; changes during the write are not contained. */
  async write(data: AccountData): Promise<void> {
    const head = { format, version: formatVersion, key: this.key, generation: this.generation + 1 };
    const chunks = [...chunksOf(head, data)];
    this.size = await writeAtomically(this.disk, this.dir, accountFileName(this.name), chunks);
    this.generation += 1;
  }
}

/** Short enough for a string, however large the account is. */
const chunkChars = 1024 * 1024;

function* chunksOf(head: object, { meta, tables }: AccountData): Generator<Buffer> {
  let text = `${JSON.stringify(head).slice(0, -1)},\n"meta":${JSON.stringify(meta)},\n"tables":{`;
  for (const [at, [name, table]] of tableEntries(tables).entries()) {
    text += `${at === 0 ? '' : ','}\n"${name}":[`;
    for (const [number, row] of table.all().entries()) {
      text += `${number === 0 ? '' : ','}\n${JSON.stringify(row)}`;
      if (text.length < chunkChars) continue;
      yield Buffer.from(text);
      text = '';
    }
    text += ']';
  }
  yield Buffer.from(`${text}\n}}\n`);
}

function parse(bytes: Buffer): { readonly key: string; readonly generation: number; readonly data: AccountData } {
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new UnusableFileError(bytes.length === 0 ? 'it is empty' : `it is not complete JSON (${String(error)})`);
  }
  if (!isObject(content) || content['format'] !== format) {
    throw new UnusableFileError(`it is not an account file (its "format" is not "${format}")`);
  }
  const { key, version, generation, meta, tables } = content;
  if (typeof key !== 'string' || key === '') throw new UnusableFileError('its "key" is missing');
  if (version !== formatVersion) throw new OtherVersionError(key, version);
  const isWhole =
    typeof generation === 'number' && isObject(meta) && isObject(meta['clock']) && isObject(meta['draws']);
  if (!isWhole || !isObject(tables) || !Object.values(tables).every(areRows)) {
    throw new UnusableFileError('its counters, its clock or its tables are incomplete');
  }
  const plain = { meta, tables } as unknown as PlainAccountData;
  return { key, generation, data: { meta: plain.meta, tables: tablesOf(plain.tables) } };
}

/** Whether a table has records by which the sandbox can find them. Everything else in a file is taken as it is. */
function areRows(rows: unknown): boolean {
  if (!Array.isArray(rows)) return false;
  const ids = new Set<unknown>();
  for (const row of rows as unknown[]) {
    if (!isObject(row) || typeof row['id'] !== 'string' || typeof row['seq'] !== 'number') return false;
    ids.add(row['id']);
  }
  return ids.size === rows.length;
}
