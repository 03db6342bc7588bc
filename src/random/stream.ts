/**
 * Seeded randomness: one stream per purpose, derived from (seed, account, purpose), so that an extra draw for one
 * purpose does not affect any other.
 */
import { createHash } from 'node:crypto';

/** The purposes for which an account draws, each with its own stream. */
export const purposes = [
  'uuid',
  'wamid',
  'channel',
  'endpoint',
  'delivery',
  'event',
  'secret',
  'code',
  'request',
  'tunnel',
  'name',
  'word',
] as const;
export type Purpose = (typeof purposes)[number];

/** The position of each stream, by purpose. The store keeps it, so that streams continue after a restart. */
export type Draws = Record<string, number>;

export interface Stream {
  /** Returns the next 32 random bits as an unsigned integer. */
  next(): number;
}

/**
 * A counter-based generator: draw n is a keyed hash of n. Its whole state is one number, which is cheap to store. It is
 * not for cryptography: a second run must be able to predict every value.
 */
export function createStream(seed: number | string, account: string, purpose: string, draws: Draws): Stream {
  const key = createHash('sha256')
    .update(JSON.stringify([String(seed), account, purpose]))
    .digest();
  const a = key.readInt32LE(0);
  const b = key.readInt32LE(4);
  const c = key.readInt32LE(8);
  const d = key.readInt32LE(12);
  return {
    next() {
      const n = draws[purpose] ?? 0;
      draws[purpose] = n + 1;
      let x = mix((n + a) | 0) ^ b;
      x = mix((x + Math.imul(n, 0x9e3779b1) + c) | 0) ^ d;
      return mix(x) >>> 0;
    },
  };
}

/** The finaliser of MurmurHash3: every input bit affects every output bit. */
function mix(value: number): number {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** Returns a whole number in [0, below). The bias of the remainder is less than 2^-20 for the sizes used here. */
export function below(stream: Stream, limit: number): number {
  return stream.next() % limit;
}
