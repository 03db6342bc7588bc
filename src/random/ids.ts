/**
 * Each purpose has a seeded stream, derived from (seed, account, purpose), so that one more draw for one purpose does
 * not affect any other.
 */
import { createHash } from 'node:crypto';

/** The store keeps the position of each stream, so that streams continue after a restart. */
export type Draws = Record<string, number>;

export interface Stream {
  next(): number;
}

/**
 * Draw n is a keyed hash of n. Its whole state is one number, which is cheap to store. It is not for cryptography: a
 * second run must be able to predict every value.
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

/** The bias of the remainder is less than 2^-20 for the sizes used here. */
export function below(stream: Stream, limit: number): number {
  return stream.next() % limit;
}

const purposes = [
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
] as const;
type Purpose = (typeof purposes)[number];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

function letters(stream: Stream, count: number): string {
  let text = '';
  let word = 0;
  for (let i = 0; i < count; i += 1) {
    // One draw provides five letters: 62^5 is less than 2^32.
    word = i % 5 === 0 ? stream.next() : Math.floor(word / alphabet.length);
    text += alphabet.charAt(word % alphabet.length);
  }
  return text;
}

/** Draws each kind from a separate stream, so that one more id of a kind does not change any other. */
export class Ids {
  readonly #streams: Readonly<Record<Purpose, Stream>>;

  /** @param isTaken whether a record has this id, which an edited snapshot may have drawn before its streams say so */
  constructor(
    seed: number | string,
    account: string,
    draws: Draws,
    private readonly isTaken: (id: string) => boolean = () => false,
  ) {
    const streams = purposes.map((purpose) => [purpose, createStream(seed, account, purpose, draws)] as const);
    this.#streams = Object.fromEntries(streams) as Record<Purpose, Stream>;
  }

  /**
   * UUID version 4. The default purpose is a record created by a call: neither passing time nor receivers draw from
   * that stream.
   */
  uuid(purpose: 'uuid' | 'channel' | 'endpoint' | 'delivery' | 'tunnel' = 'uuid'): string {
    return this.#free(() => this.#uuid(this.#streams[purpose]));
  }

  #free(draw: () => string): string {
    let id = draw();
    while (this.isTaken(id)) id = draw();
    return id;
  }

  #uuid(stream: Stream): string {
    const a = hex(stream.next());
    const b = hex((stream.next() & 0xffff0fff) | 0x4000);
    const c = hex((stream.next() & 0x3fffffff) | 0x80000000);
    return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${hex(stream.next())}`;
  }

  /** `evt_` and 24 letters or digits. */
  eventId(): string {
    return this.#free(() => `evt_${letters(this.#streams.event, 24)}`);
  }

  /** `req_` and 16 hex digits, for an entry of the journal. */
  requestId(): string {
    const { request } = this.#streams;
    return this.#free(() => `req_${hex(request.next())}${hex(request.next())}`);
  }

  /** `whsec_` and 32 letters or digits. */
  secret(purpose: 'secret' | 'tunnel' = 'secret'): string {
    return `whsec_${letters(this.#streams[purpose], 32)}`;
  }

  /** The code can have leading zeros. */
  code(length: number): string {
    return Array.from({ length }, () => this.#streams.code.next() % 10).join('');
  }

  /**
   * The channel's own message id can be decoded like a real one: `wamid.` and, in base64, a prefix, the number's length
   * and digits, a marker, 18 hex digits and a zero byte. `channel` is for messages that come from there.
   */
  wamid(phone: string, purpose: 'wamid' | 'channel' = 'wamid'): string {
    const stream = this.#streams[purpose];
    const digits = phone.slice(1);
    const serial = `${hex(stream.next())}${hex(stream.next())}${hex(stream.next()).slice(0, 2)}`.toUpperCase();
    const bytes = `\x1c\x18${String.fromCharCode(digits.length)}${digits}\x15\x02\x00\x11\x18\x12${serial}\0`;
    return `wamid.${Buffer.from(bytes, 'latin1').toString('base64')}`;
  }
}
