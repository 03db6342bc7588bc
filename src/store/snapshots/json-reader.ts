/**
 * Reads the JSON of a snapshot in steps: parsed in one piece, a large one would hold all other calls for seconds. The items
 * of arrays at the fourth level, which are the records in `state.tables.NAME`, are parsed one by one. Without them, the text
 * is short.
 */
import { isUtf8 } from 'node:buffer';
import { containerBytes, deepestBody, valueBytes } from '../../domain/depth.js';
import type { SystemClock } from '../../time/system-clock.js';
import { inTurns, type Steps, turnOfOthers } from '../../time/turns.js';
import type { Slices } from '../disk/disk.js';

const listLevel = 4;
/** The depth of a snapshot, which contains whole bodies of the usual depth, some levels down. */
export const deepestSnapshot = 2 * deepestBody;
/** Maximum memory for one record, and for the text without the records. A record has texts of a few MB at most. */
const maxPieceBytes = 32 * 1024 ** 2;
/** The bytes that are searched in one step, a fraction of a millisecond. */
const stepBytes = 64 * 1024;

/** The text cannot be read; the message is a clause without a subject. */
export class UnreadableJson extends Error {
  constructor(
    readonly why: 'depth' | 'size' | 'encoding' | 'syntax',
    message: string,
  ) {
    super(message);
  }
}

export interface ReadOptions {
  /** Whether the records are needed; by default they are. Without them, the text is only checked. */
  readonly keep?: boolean;
  /** Called with the estimated memory of the texts and values so far. */
  readonly hold?: (bytes: number) => void;
}

/**
 * Returns the value of a JSON text, in turns with other work.
 * @throws UnreadableJson
 */
export async function readJson(slices: Slices, host: SystemClock, options: ReadOptions = {}): Promise<unknown> {
  const reader = new JsonReader(options);
  for await (const slice of slices) {
    await inTurns(reader.read(slice), host);
    await turnOfOthers(host);
  }
  return reader.end();
}

class JsonReader {
  readonly #keep: boolean;
  readonly #hold: (bytes: number) => void;
  /** The text without records. Each list of them is replaced by its index in `#lists`. */
  readonly #frame: Buffer[] = [];
  readonly #lists: unknown[][] = [];
  /** The list that is being read, and whether a comma has ended a record of it. */
  #list: unknown[] | null = null;
  #hasComma = false;
  /** The part of the present record that was in earlier slices. */
  #begun: Buffer[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Estimated memory of the values in the present record or, between lists, in the frame. */
  #values = 0;
  #frameBytes = 0;
  #total = 0;

  constructor({ keep = true, hold = () => undefined }: ReadOptions) {
    this.#keep = keep;
    this.#hold = hold;
  }

  *read(slice: Buffer): Steps<void> {
    let start = 0;
    for (let at = 0; at < slice.length;) {
      const end = Math.min(at + stepBytes, slice.length);
      const border = this.#search(slice, at, end);
      at = border === -1 ? end : border + 1;
      if (border !== -1) {
        start = this.#list ? this.#endRecord(slice, start, border) : this.#beginList(slice.subarray(start, at), at);
      }
      yield;
    }
    const rest = slice.subarray(start);
    if (this.#list) this.#begun.push(rest);
    else this.#addToFrame(rest);
  }

  end(): unknown {
    const text = parsable(this.#frame);
    // Some editors put a byte order mark before the JSON.
    return withLists(parse(text.replace(/^\uFEFF/, '')), this.#lists);
  }

  /** Returns where the next list or record begins or ends; -1 if that is not before `end`. */
  #search(bytes: Buffer, start: number, end: number): number {
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at];
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === 0x5c) this.#isEscaped = true;
        else if (byte === 0x22) this.#isInString = false;
        continue;
      }
      switch (byte) {
        case 0x22: // "
          this.#isInString = true;
          break;
        case 0x5b: // [
        case 0x7b: // {
          this.#depth += 1;
          this.#add(containerBytes + valueBytes);
          if (this.#depth > deepestSnapshot) throw new UnreadableJson('depth', 'is nested too deeply');
          if (byte === 0x5b && this.#depth === listLevel) return at;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.#depth -= 1;
          if (this.#list && this.#depth < listLevel) return at;
          break;
        case 0x2c: // ,
          this.#add(valueBytes);
          if (this.#list && this.#depth === listLevel) return at;
          break;
        default:
      }
    }
    return -1;
  }

  #add(bytes: number): void {
    this.#values += bytes;
    if (this.#values > maxPieceBytes) throw tooLarge();
  }

  /** @returns where the first record begins */
  #beginList(before: Buffer, next: number): number {
    this.#addToFrame(Buffer.concat([before, Buffer.from(String(this.#lists.length))]));
    this.#list = [];
    this.#lists.push(this.#list);
    this.#hasComma = false;
    return next;
  }

  /**
   * @param border the comma after the record, or the end of its list
   * @returns where the next record begins, or the text after the list
   */
  #endRecord(slice: Buffer, start: number, border: number): number {
    const pieces = [...this.#begun, slice.subarray(start, border)];
    this.#begun = [];
    this.#spend(pieces.reduce((sum, { length }) => sum + length, 0));
    const text = parsable(pieces);
    const isLast = this.#depth < listLevel;
    if (!isLast || this.#hasComma || /[^ \t\r\n]/.test(text)) {
      const record = parse(text);
      if (this.#keep) this.#list?.push(record);
    }
    this.#hasComma = true;
    if (!isLast) return border + 1;
    this.#list = null;
    return border;
  }

  #addToFrame(bytes: Buffer): void {
    this.#frameBytes += this.#spend(bytes.length);
    if (this.#frameBytes > maxPieceBytes) throw tooLarge();
    // A copy, because a part of a slice would keep the whole slice in memory.
    this.#frame.push(Buffer.from(bytes));
  }

  /** Counts a piece that was read: its text, and the values in it. */
  #spend(textBytes: number): number {
    const bytes = this.#values + textBytes;
    if (bytes > maxPieceBytes) throw tooLarge();
    this.#values = 0;
    this.#total += bytes;
    this.#hold(this.#total);
    return bytes;
  }
}

function tooLarge(): UnreadableJson {
  const most = maxPieceBytes / 1024 ** 2;
  return new UnreadableJson('size', `contains too many values: parsed, one record would take more than ${most} MB`);
}

function parsable(pieces: readonly Buffer[]): string {
  const [single] = pieces;
  const bytes = single && pieces.length === 1 ? single : Buffer.concat(pieces);
  if (!isUtf8(bytes)) throw new UnreadableJson('encoding', 'is not valid UTF-8');
  return bytes.toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableJson('syntax', error instanceof Error ? error.message : String(error));
  }
}

/** Puts the lists back into a value that has their numbers. */
function withLists(value: unknown, lists: readonly unknown[][], level = 1): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (level === listLevel) return Array.isArray(value) ? lists[value[0] as number] : value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) fields[name] = withLists(fields[name], lists, level + 1);
  return value;
}
