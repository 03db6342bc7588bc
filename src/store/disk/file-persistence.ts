/** An account on disk: a readable checkpoint and the log of what changed since. A lowdb adapter. */
import { join } from 'node:path';
import type { SystemClock } from '../../time/system-clock.js';
import { type AccountData, tableEntries } from '../tables/account-data.js';
import { batchLine } from './log-entry.js';
import { ChangeLog } from './change-log.js';
import { checkpointBytes, writeCheckpoint } from './checkpoint.js';
import { type Disk } from './disk.js';
import { errorText, unlessMissing } from './disk-errors.js';
import { checkpointName, logName } from './file-names.js';
import type { Batch, Fsync, Health, Persistence } from './persistence.js';
import { writeAtomically } from './atomic-write.js';

/** A log smaller than this is never worth a new checkpoint. */
const smallestFullLog = 4 * 1024 * 1024;
/**
 * Up to so many records, closing folds the log into the checkpoint however short it is, so that one readable file is left. A
 * long log is folded in any case: a start reads a checkpoint many times faster.
 */
const foldedAtClose = 20_000;

export interface FilePersistenceOptions {
  readonly disk: Disk;
  readonly host: SystemClock;
  readonly dir: string;
  /** The file name of the account, without ending. */
  readonly name: string;
  readonly key: string;
  readonly data: AccountData;
  readonly fsync: Fsync;
  readonly warn: (text: string) => void;
  /** What is on disk; null for an account that has no files yet. */
  readonly found: FoundFiles | null;
  /** The checkpoint of an account that has no files yet and is not small; by default it is written down at once. */
  readonly first?: readonly Buffer[] | undefined;
  /** Waits until the files of an account that had the name before are gone. Asked again when it failed. */
  readonly vacated: () => Promise<void>;
}

export interface FoundFiles {
  readonly checkpointBytes: number;
  /** The first generation that the checkpoint does not contain. */
  readonly from: number;
  /** The generation to go on with, its good bytes, and the bytes of all generations since the checkpoint. */
  readonly generation: number;
  readonly size: number;
  readonly logBytes: number;
}

/** The checkpoint of an account that begins with `data`, in slices. */
export function firstCheckpoint(key: string, data: AccountData): Iterable<Buffer> {
  return checkpointBytes({ key, log: 1 }, data);
}

export class FilePersistence implements Persistence {
  readonly lasts = true;
  readonly #options: FilePersistenceOptions;
  readonly #log: ChangeLog;
  /** The first generation that the checkpoint on disk does not contain. */
  #from: number;
  #checkpointBytes: number;
  /** Bytes logged since the checkpoint, and from how many on a new one is due. */
  #logBytes: number;
  #fullAt: number;
  #checkpoint: Promise<void> | null = null;
  #overtaken = false;
  #closing: Promise<void> | null = null;

  constructor(options: FilePersistenceOptions) {
    const { disk, host, dir, name, key, fsync, warn, found, data } = options;
    this.#options = options;
    this.#from = found?.from ?? 1;
    this.#checkpointBytes = found?.checkpointBytes ?? 0;
    this.#logBytes = found?.logBytes ?? 0;
    this.#fullAt = this.#fullSize();
    // The account as it is handed over, before its first change.
    let first = found ? null : (options.first ?? [...firstCheckpoint(key, data)]);
    this.#log = new ChangeLog({
      disk,
      host,
      key,
      fsync,
      warn,
      path: (generation) => join(dir, logName(name, generation)),
      generation: found?.generation ?? 1,
      size: found?.size ?? 0,
      prepare: async () => {
        if (first === null) return;
        await options.vacated();
        await writeAtomically(disk, dir, checkpointName(name), first);
        first = null;
      },
      rewrite: () => this.#rewrite(),
    });
  }

  /** Whether what is appended can be written at present. */
  health(): Health {
    return this.#log.health();
  }

  append(batch: Batch): void {
    if (this.#closing) return;
    const line = batchLine(batch);
    this.#log.append(line);
    this.#logBytes += line.length;
    if (batch.changes.some((change) => change.op === 'clear')) this.#cleared();
    if (this.#logBytes >= this.#fullAt && this.health().ok) this.#startCheckpoint();
  }

  /** The account is read by the directory, which builds it before there is a persistence. */
  read(): Promise<AccountData> {
    return Promise.resolve(this.#options.data);
  }

  write(_data: AccountData): Promise<void> {
    return this.#log.flush();
  }

  written(): Promise<void> {
    return this.#log.flush('interval');
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Stops: the files are about to be removed. Who waits for a line is told first, and nothing is written down whole. */
  async abandon(): Promise<void> {
    this.#closing ??= Promise.resolve();
    this.#overtaken = true;
    await this.#log.flush().catch(() => undefined);
    await this.#log.abandon();
    await this.#checkpoint;
  }

  /** What a checkpoint says of the time before a clear is wrong after it, and what it holds no longer matters. */
  #cleared(): void {
    this.#overtaken = true;
    this.#checkpointBytes = 0;
    this.#fullAt = Math.min(this.#fullAt, this.#fullSize());
  }

  #fullSize(): number {
    return Math.max(smallestFullLog, 2 * this.#checkpointBytes);
  }

  /** Writes the account down whole now. */
  async fold(): Promise<void> {
    this.#startCheckpoint();
    await this.#checkpoint;
  }

  #startCheckpoint(): void {
    if (this.#checkpoint || this.#closing) return;
    this.#checkpoint = this.#foldNow().then(() => {
      this.#checkpoint = null;
    });
  }

  /** Makes up for lines that the log gave up. */
  async #rewrite(): Promise<boolean> {
    await this.#checkpoint;
    let done = false;
    if (!this.#closing) {
      this.#checkpoint = this.#foldNow().then((folded) => {
        this.#checkpoint = null;
        done = folded;
      });
    }
    await this.#checkpoint;
    return done;
  }

  /**
   * Begins a new generation of the log, writes the account down whole, and removes the generations before; says whether
   * it came to that. Never rejects.
   */
  async #foldNow(): Promise<boolean> {
    const { disk, host, dir, name, key, data } = this.#options;
    this.#overtaken = false;
    const before = this.#logBytes;
    try {
      const log = await this.#log.rotate();
      const bytes = await writeCheckpoint({
        disk,
        host,
        dir,
        fileName: checkpointName(name),
        head: { key, log },
        data,
        overtaken: () => this.#overtaken,
        logged: () => this.#log.sync(),
      });
      if (bytes !== null) {
        this.#checkpointBytes = bytes;
        this.#logBytes -= before;
        await this.#removeLogs(log);
      }
      this.#fullAt = bytes === null ? this.#logBytes + smallestFullLog : this.#fullSize();
      return bytes !== null;
    } catch (error) {
      this.#fullAt = this.#logBytes + smallestFullLog;
      // When the log itself cannot be written, it has told so.
      if (this.health().ok) this.#warnStale(error);
      return false;
    }
  }

  #warnStale(error: unknown): void {
    const { name, warn } = this.#options;
    warn(
      `${checkpointName(name)} could not be written: ${errorText(error)}. Nothing is lost: the changes are in its log, ` +
        'and writing is tried again when the log has grown.',
    );
  }

  /** Removes the generations that the checkpoint contains. */
  async #removeLogs(upTo: number): Promise<void> {
    const { disk, dir, name } = this.#options;
    for (; this.#from < upTo; this.#from += 1) {
      await unlessMissing(disk.unlink(join(dir, logName(name, this.#from))));
    }
  }

  async #close(): Promise<void> {
    await this.#checkpoint;
    if (!this.health().ok) await this.#foldNow();
    else if (this.#logBytes > 0 && (this.#small() || this.#logBytes >= smallestFullLog)) {
      // An error here is told by the log itself, which keeps everything.
      await this.#log
        .sync()
        .then(() => this.#foldNow())
        .catch(() => undefined);
    }
    await this.#log.close();
  }

  #small(): boolean {
    return tableEntries(this.#options.data.tables).reduce((sum, [, table]) => sum + table.size, 0) <= foldedAtClose;
  }
}
