/** How long the log of an account has become, and when that is worth a checkpoint. */

/** A shorter log does not need a new checkpoint. */
const smallestFullLog = 4 * 1024 * 1024;
/**
 * Up to this many records, closing writes the account completely, so that one readable file is left. A long log is
 * replaced in any case, because a start reads a checkpoint many times faster.
 */
const fewRecords = 20_000;

export class LogGrowth {
  /** The bytes since the checkpoint, and those since the capture of the next one. */
  #bytes: number;
  #newBytes = 0;
  #fullAt: number;

  constructor(logBytes: number, checkpointBytes: number) {
    this.#bytes = logBytes;
    this.#fullAt = fullSize(checkpointBytes);
  }

  get isFull(): boolean {
    return this.#bytes >= this.#fullAt;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#newBytes += bytes;
  }

  /** After a reset, the checkpoint is too small for a long log. */
  cleared(): void {
    this.#fullAt = Math.min(this.#fullAt, this.#bytes + smallestFullLog);
  }

  captured(): void {
    this.#newBytes = 0;
  }

  /** @param bytes the size of the new checkpoint */
  replaced(bytes: number): void {
    this.#fullAt = fullSize(bytes);
    this.#bytes = this.#newBytes;
  }

  /** A checkpoint that could not be written is due again when the log has grown. */
  postpone(): void {
    this.#fullAt = this.#bytes + smallestFullLog;
  }

  isWorthClosing(records: number): boolean {
    return this.#bytes >= smallestFullLog || (this.#bytes > 0 && records <= fewRecords);
  }
}

function fullSize(checkpointBytes: number): number {
  return Math.max(smallestFullLog, 2 * checkpointBytes);
}
