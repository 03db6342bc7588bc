import { readHead, requireBeginning, type AnswerHead } from './answer-head.js';
import { ChunkedBody } from './chunked-body.js';
import { UnreadableAnswerError } from './exchange-errors.js';

/** Longer heads are refused: somebody may never end one. */
const LONGEST_HEAD = 16 * 1024;

/** Who wants to hear of an answer while it comes. */
export interface AnswerListener {
  readonly onHead: (head: AnswerHead) => void;
  /** @returns false to read no further. */
  readonly onChunk: (chunk: Buffer) => boolean;
}

/** How far an answer has come: `enough`: its listener wants no more. */
export type Progress = 'more' | 'whole' | 'enough';

/** Reads the answers of one connection, one after another. */
export class AnswerReader {
  #listener: AnswerListener | null = null;
  /** What has come of a head that is not whole yet, one character a byte. */
  #text = '';
  #head: AnswerHead | null = null;
  /** Receivers say the same again and again, within a second even the date: it is read once. */
  #latest: { readonly text: string; readonly head: AnswerHead } | null = null;
  #chunks: ChunkedBody | null = null;
  #left = 0;
  #wanted = true;
  #surplus = false;
  /** Bytes of the body so far. */
  bytes = 0;

  /** Another answer is to come. */
  expect(listener: AnswerListener): void {
    this.#listener = listener;
    this.#text = '';
    this.#head = null;
    this.#wanted = true;
    this.bytes = 0;
  }

  /** Whether the head is there, and the body begun. */
  get begun(): boolean {
    return this.#head !== null;
  }

  /** How long the connection may be kept after the answer that was read last, in milliseconds. */
  get idleMs(): number {
    return this.#surplus ? 0 : (this.#head?.idleMs ?? 0);
  }

  /** @throws UnreadableAnswerError */
  take(bytes: Buffer): Progress {
    return this.#head === null ? this.#takeHead(bytes) : this.#takeBody(bytes);
  }

  /** Whether the answer is whole when the peer closes the connection now. */
  get endsWithConnection(): boolean {
    return this.#head?.framing.by === 'close';
  }

  #takeHead(bytes: Buffer): Progress {
    const before = this.#text.length;
    const text = this.#text + bytes.toString('latin1', 0, LONGEST_HEAD + 4);
    requireBeginning(text);
    const end = text.indexOf('\r\n\r\n');
    if (end === -1 ? text.length > LONGEST_HEAD : end > LONGEST_HEAD) {
      throw new UnreadableAnswerError(`its head is longer than ${LONGEST_HEAD} bytes`);
    }
    this.#text = text;
    if (end === -1) return 'more';
    const head = this.#read(text.slice(0, end));
    const rest = bytes.subarray(end + 4 - before);
    if (head.status === 101) throw new UnreadableAnswerError('it changes the protocol, which nobody asked for');
    if (head.status < 200) {
      // An interim answer announces another one.
      this.#text = '';
      return rest.length === 0 ? 'more' : this.#takeHead(rest);
    }
    this.#head = head;
    this.#left = head.framing.by === 'length' ? head.framing.bytes : Infinity;
    this.#chunks = head.framing.by === 'chunks' ? new ChunkedBody() : null;
    this.#listener?.onHead(head);
    return this.#takeBody(rest);
  }

  #read(text: string): AnswerHead {
    if (this.#latest?.text !== text) this.#latest = { text, head: readHead(text) };
    return this.#latest.head;
  }

  #takeBody(bytes: Buffer): Progress {
    const end = this.#chunks === null ? this.#takePlain(bytes) : this.#chunks.take(bytes, (data) => this.#tell(data));
    this.#surplus = end !== null && end < bytes.length;
    if (end !== null) return 'whole';
    return this.#wanted ? 'more' : 'enough';
  }

  #takePlain(bytes: Buffer): number | null {
    const data = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= data.length;
    if (data.length > 0) this.#tell(data);
    return this.#left === 0 ? data.length : null;
  }

  #tell(data: Buffer): void {
    this.bytes += data.length;
    if (this.#listener?.onChunk(data) === false) this.#wanted = false;
  }
}
