/**
 * Texts of rows at rest that stay bytes of the file that they were read from until somebody asks: a start that finds a
 * million makes no million strings, and the collector of garbage has not to carry them about. The bytes are kept as long as
 * one of those rows is.
 */

const lineEnd = 0x0a;
const comma = 0x2c;
/** What the indexes look at is shorter, but for rare rows. */
const beginBytes = 96;

export class FileTexts {
  readonly #bytes: Buffer;

  /** @param bytes of a file in which each text is the end of a line, but for a comma */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  textAt(at: number): string {
    const stop = this.#bytes.indexOf(lineEnd, at);
    return this.#bytes.toString('utf8', at, this.#bytes[stop - 1] === comma ? stop - 1 : stop);
  }

  /** At least what the text begins with, up to a length at which it is cut, be it within a character. */
  beginAt(at: number): string {
    return this.#bytes.toString('utf8', at, at + beginBytes);
  }
}
