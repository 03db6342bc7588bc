/**
 * Puts an ASCII text together byte by byte, and makes it in one piece: a text that is added up from short ones keeps all its
 * pieces, for as long as the id is kept, and has to be made whole before it can be looked up.
 */
const hexDigits = Buffer.from('0123456789abcdef');
const upperHexDigits = Buffer.from('0123456789ABCDEF');
const base64Digits = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const padding = 0x3d;

export class AsciiText {
  readonly #bytes: Buffer;
  #length = 0;

  /** @param mostBytes what goes beyond is lost */
  constructor(mostBytes: number) {
    this.#bytes = Buffer.alloc(mostBytes);
  }

  /** Starts over. */
  clear(): this {
    this.#length = 0;
    return this;
  }

  byte(code: number): this {
    this.#bytes[this.#length++] = code;
    return this;
  }

  text(ascii: string): this {
    for (let at = 0; at < ascii.length; at += 1) this.byte(ascii.charCodeAt(at));
    return this;
  }

  /** Hex digits of a 32-bit word, from the highest on. @param count at most eight */
  hex(word: number, count = 8): this {
    return this.#hex(word, count, hexDigits);
  }

  /** The same in capitals. */
  upperHex(word: number, count = 8): this {
    return this.#hex(word, count, upperHexDigits);
  }

  #hex(word: number, count: number, digits: Buffer): this {
    for (let shift = 28; shift > 28 - 4 * count; shift -= 4) this.byte(digits[(word >>> shift) & 15] ?? 0);
    return this;
  }

  /** What the other text holds, in base64. */
  base64(of: AsciiText): this {
    const bytes = of.#bytes;
    for (let at = 0; at < of.#length; at += 3) {
      const left = of.#length - at;
      const three =
        ((bytes[at] ?? 0) << 16) | (left > 1 ? (bytes[at + 1] ?? 0) << 8 : 0) | (left > 2 ? (bytes[at + 2] ?? 0) : 0);
      this.#digit64(three >> 18);
      this.#digit64(three >> 12);
      if (left > 1) this.#digit64(three >> 6);
      else this.byte(padding);
      if (left > 2) this.#digit64(three);
      else this.byte(padding);
    }
    return this;
  }

  #digit64(bits: number): void {
    this.byte(base64Digits[bits & 63] ?? 0);
  }

  toString(): string {
    return this.#bytes.toString('latin1', 0, this.#length);
  }
}
