import { StringDecoder } from 'node:string_decoder';

/** How much of a response is recorded on the attempt. */
const KEPT_BYTES = 64 * 1024;

/** How much is read so that the connection can be used again; beyond it the connection is closed instead. */
const DRAINED_BYTES = 1024 * 1024;

/** A response's body as far as it came; filled while it arrives, so that it is there when it breaks off. */
export class ResponseBody {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #complete = false;

  /** @returns false when enough was read. */
  add(chunk: Buffer): boolean {
    const room = KEPT_BYTES - this.#bytes;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += chunk.length;
    return this.#bytes <= DRAINED_BYTES;
  }

  /** Marks the body as complete. */
  end(): void {
    this.#complete = true;
  }

  /** Whether `text` is less than what the receiver sent or meant to send. */
  get truncated(): boolean {
    return !this.#complete || this.#bytes > KEPT_BYTES;
  }

  /** UTF-8; a character cut in two by the limit is left out, bytes that are not UTF-8 become U+FFFD. */
  get text(): string {
    const [first] = this.#chunks;
    if (first === undefined) return '';
    const kept = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    return this.truncated ? new StringDecoder('utf8').write(kept) : kept.toString('utf8');
  }
}
