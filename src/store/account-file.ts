/** The files of an account: lowdb reads and writes the complete one, and a journal has the writes since. */
import { join } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import type { AccountData } from './account-data.js';
import { applyJournal, fileTexts, journalHead, parseFile, UnusableFileError } from './account-format.js';
import { type Disk, type DiskFile, fileNameOf, unlessMissing, writeAtomically } from './disk.js';

export const accountFileName = (name: string): string => `${name}.json`;
export const journalName = (name: string): string => `${name}.journal`;

export class AccountFile implements Adapter<AccountData> {
  readonly #low: Low<AccountData>;
  #journal: DiskFile | null = null;
  /** See `Head`; 0 before the first write. */
  #generation = 0;
  /** The name of the file that is being read. */
  reading = '';
  /** In bytes. */
  size = 0;
  /** The bytes of the journal that belong to the file. */
  journalSize = 0;

  /**
   * @param name the file name, without its extension
   * @param key of the account; of a file that is read, the one that it contains
   */
  constructor(
    private readonly disk: Disk,
    private readonly dir: string,
    private readonly name: string,
    public key = '',
    data = {} as AccountData,
  ) {
    this.#low = new Low<AccountData>(this, data);
  }

  /**
   * Reads the account.
   * @returns its data, and the bytes of a line that was being written when the process ended, which are cut off
   * @throws UnusableFileError, or the error of the disk, about the file `reading`
   */
  async load(): Promise<{ readonly data: AccountData; readonly torn: number }> {
    await this.#low.read();
    const length = this.journalSize === 0 ? 0 : await this.disk.size(this.#path(journalName(this.name)));
    if (length > this.journalSize) await this.#openJournal();
    return { data: this.#low.data, torn: length - this.journalSize };
  }

  /** For lowdb. */
  async read(): Promise<AccountData> {
    this.reading = accountFileName(this.name);
    const bytes = await this.disk.read(this.#path(this.reading));
    const account = parseFile(bytes);
    const { key, generation } = account;
    // A copy or a renamed file must not become a second file of an account.
    if (fileNameOf(key) !== this.name) {
      const own = accountFileName(fileNameOf(key));
      throw new UnusableFileError(`it contains the account ${JSON.stringify(key)}, whose file is ${own}`);
    }
    this.key = key;
    this.#generation = generation;
    this.size = bytes.length;
    this.reading = journalName(this.name);
    const journal = await unlessMissing(this.disk.read(this.#path(this.reading)));
    if (journal) this.journalSize = applyJournal(journal, account);
    return account.data;
  }

  /** For lowdb. Writes the account as it is now; changes during the write are not contained. */
  async write(data: AccountData): Promise<void> {
    const texts = [...fileTexts({ key: this.key, generation: this.#generation + 1 }, data)];
    this.size = await writeAtomically(this.disk, this.dir, accountFileName(this.name), texts);
    this.#generation += 1;
  }

  /** Writes all of the account into its file, and removes the journal. */
  async save(): Promise<void> {
    await this.#low.write();
    await this.close();
    this.journalSize = 0;
    // If it stays, the next one overwrites it.
    await this.disk.unlink(this.#path(journalName(this.name))).catch(() => undefined);
  }

  /** Adds lines to the journal: all of them, or none. */
  async append(lines: string): Promise<void> {
    const journal = this.#journal ?? (await this.#openJournal());
    const head = this.journalSize === 0 ? journalHead({ key: this.key, generation: this.#generation }) : '';
    const bytes = Buffer.from(head + lines);
    try {
      await journal.appendFile(bytes);
    } catch (error) {
      await journal.truncate(this.journalSize).catch(() => undefined);
      throw error;
    }
    this.journalSize += bytes.byteLength;
  }

  /** Resolves when the journal is on the medium. */
  async sync(): Promise<void> {
    await this.#journal?.datasync();
  }

  async close(): Promise<void> {
    const journal = this.#journal;
    this.#journal = null;
    await journal?.close().catch(() => undefined);
  }

  async remove(): Promise<void> {
    await this.close();
    // The file goes first: a journal without it is not loaded.
    await unlessMissing(this.disk.unlink(this.#path(accountFileName(this.name))));
    await unlessMissing(this.disk.unlink(this.#path(journalName(this.name))));
    await this.disk.syncDirectory(this.dir);
  }

  async #openJournal(): Promise<DiskFile> {
    const journal = await this.disk.open(this.#path(journalName(this.name)), 'a');
    this.#journal = journal;
    await journal.truncate(this.journalSize);
    if (this.journalSize === 0) await this.disk.syncDirectory(this.dir);
    return journal;
  }

  #path(fileName: string): string {
    return join(this.dir, fileName);
  }
}
