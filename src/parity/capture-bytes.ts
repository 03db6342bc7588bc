/** The bytes of a capture as text and JSON. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

export function decoded(bytes: Buffer, encoding: string): Buffer {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, { maxOutputLength: longest });
    if (encoding === 'br') return brotliDecompressSync(bytes, { maxOutputLength: longest });
    if (encoding === 'deflate') return inflateSync(bytes, { maxOutputLength: longest });
  } catch {
    // The archive says how it came over the wire, but most tools store it decompressed.
  }
  return bytes;
}

const longest = 256 * 1024 * 1024;

export function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
