/** What a JSON text would take once parsed, counted before it is parsed: a small text can make a process run out of memory. */
import { getHeapStatistics } from 'node:v8';

const containerBytes = 64;
const valueBytes = 16;

/** Of the text and its values together. */
export const maxParsedBytes = Math.min(1024 ** 3, getHeapStatistics().heap_size_limit / 2);

export interface JsonLimits {
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Estimated memory of the text and its values. */
  readonly parsedBytes: number;
}

/** Returns which limit the text exceeds, or null. The text need not be valid JSON. */
export function exceededLimit(text: Uint8Array, limits: JsonLimits): 'depth' | 'size' | null {
  let depth = 0;
  let size = text.length;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        size += containerBytes + valueBytes;
        if (depth > limits.depth) return 'depth';
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
        size += valueBytes;
        break;
      default:
    }
    if (size > limits.parsedBytes) return 'size';
  }
  return null;
}

/** Returns where the string that starts at a quotation mark ends; the end of the text when it does not. */
function endOfString(text: Uint8Array, start: number): number {
  for (let at = text.indexOf(0x22, start + 1); at >= 0; at = text.indexOf(0x22, at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
