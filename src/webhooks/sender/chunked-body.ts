import { UnreadableAnswerError } from './exchange-errors.js';
import { headerOf } from './header-text.js';

/** Sizes, extensions and trailers are read into memory, so they must not be endless. */
const LONGEST_LINE = 16 * 1024;

/** A size and, behind it, extensions that mean nothing to us (RFC 9112 §7.1). */
const SIZE_LINE = /^([0-9a-f]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

/** A body that comes in chunks, and what is left of it to come. */
export class ChunkedBody {
  #expects: 'size' | 'data' | 'end of data' | 'trailer' = 'size';
  #line = '';
  #trailers = 0;
  /** Bytes of the present chunk that have not come yet. */
  #left = 0;

  /**
   * Takes what came next, and hands on what it says.
   * @returns where the body ended within `bytes`; null while it goes on.
   * @throws UnreadableAnswerError
   */
  take(bytes: Buffer, onData: (data: Buffer) => void): number | null {
    let at = 0;
    while (at < bytes.length) {
      if (this.#expects === 'data') {
        const data = bytes.subarray(at, at + this.#left);
        at += data.length;
        this.#left -= data.length;
        if (this.#left === 0) this.#expects = 'end of data';
        onData(data);
        continue;
      }
      const end = bytes.indexOf('\n', at);
      const till = end === -1 ? bytes.length : end + 1;
      this.#line += bytes.toString('latin1', at, Math.min(till, at + LONGEST_LINE + 1));
      if (this.#line.length + this.#trailers > LONGEST_LINE)
        throw new UnreadableAnswerError('a line within its chunks is too long');
      at = till;
      if (end !== -1 && this.#endLine()) return at;
    }
    return null;
  }

  /** @returns whether this was the last line of the body. */
  #endLine(): boolean {
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r\n')) throw new UnreadableAnswerError('a line within its chunks ends in LF alone');
    const text = line.slice(0, -2);
    if (this.#expects === 'trailer') {
      this.#trailers += line.length;
      if (text === '') return true;
      if (headerOf(text) === null) throw new UnreadableAnswerError('a line behind its chunks is no header');
      return false;
    }
    if (this.#expects === 'end of data') {
      if (text !== '') throw new UnreadableAnswerError('a chunk is longer than its size');
      this.#expects = 'size';
      return false;
    }
    const size = SIZE_LINE.exec(text)?.[1];
    if (size === undefined)
      throw new UnreadableAnswerError(`${JSON.stringify(text.slice(0, 40))} is no size of a chunk`);
    this.#left = Number.parseInt(size, 16);
    this.#expects = this.#left === 0 ? 'trailer' : 'data';
    return false;
  }
}
