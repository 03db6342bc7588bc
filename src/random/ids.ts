/** Generates everything that looks random to the application under test: ids, secrets, codes. */
import { createStream, type Draws, type Purpose, purposes, type Stream } from './stream.js';

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const lowerCase = Buffer.from('0123456789abcdef');
const upperCase = Buffer.from('0123456789ABCDEF');

/** Ids are written here first: a text that is joined from pieces takes more time and memory than one made at once. */
const bytes = Buffer.alloc(64);

const written = (length: number): string => bytes.toString('latin1', 0, length);

function writeText(text: string): number {
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return text.length;
}

/** Writes the first `count` of the eight digits of a word; returns where they end. */
function writeHex(word: number, at: number, count = 8, digits = lowerCase): number {
  for (let i = 0; i < count; i += 1) bytes[at + i] = digits[(word >>> (28 - 4 * i)) & 15] ?? 0;
  return at + count;
}

function letters(prefix: string, stream: Stream, count: number): string {
  const start = writeText(prefix);
  let word = 0;
  for (let i = 0; i < count; i += 1) {
    // One draw provides five letters: 62^5 is less than 2^32.
    word = i % 5 === 0 ? stream.next() : Math.floor(word / alphabet.length);
    bytes[start + i] = alphabet[word % alphabet.length] ?? 0;
  }
  return written(start + count);
}

/** In v4 form, lower case. */
function uuidOf(stream: Stream): string {
  writeHex(stream.next(), 0);
  const b = (stream.next() & 0xffff0fff) | 0x4000;
  writeHex(b, 9, 4);
  writeHex(b << 16, 14, 4);
  const c = (stream.next() & 0x3fffffff) | 0x80000000;
  writeHex(c, 19, 4);
  writeHex(c << 16, 24, 4);
  writeHex(stream.next(), 28);
  bytes[8] = bytes[13] = bytes[18] = bytes[23] = dash;
  return written(36);
}

const dash = 0x2d;

function wamidFrom(stream: Stream, phone: string): string {
  let at = writeHex(stream.next(), 0, 8, upperCase);
  at = writeHex(stream.next(), at, 8, upperCase);
  at = writeHex(stream.next(), at, 2, upperCase);
  return wamidOf(phone, written(at));
}

/** Draws each kind from a stream of its own, so that one more id of a kind does not change any other. */
export class Ids {
  readonly #streams: Readonly<Record<Purpose, Stream>>;

  constructor(seed: number | string, account: string, draws: Draws) {
    const streams = purposes.map((purpose) => [purpose, createStream(seed, account, purpose, draws)] as const);
    this.#streams = Object.fromEntries(streams) as Record<Purpose, Stream>;
  }

  /**
   * Returns a lower-case UUID (version 4) for a record created by a call. Neither passing time nor receivers draw from
   * this stream.
   */
  uuid(): string {
    return uuidOf(this.#streams.uuid);
  }

  /** Returns a UUID for a record created by the channel at any instant. */
  channelId(): string {
    return uuidOf(this.#streams.channel);
  }

  endpointId(): string {
    return uuidOf(this.#streams.endpoint);
  }

  /** Returns a UUID for a delivery, which is created as time passes, independently of calls. */
  deliveryId(): string {
    return uuidOf(this.#streams.delivery);
  }

  tunnelId(): string {
    return uuidOf(this.#streams.tunnel);
  }

  /** Like `secret`, from the stream of tunnels. */
  tunnelSecret(): string {
    return letters('whsec_', this.#streams.tunnel, 32);
  }

  /** Returns `evt_` and 24 letters or digits. */
  eventId(): string {
    return letters('evt_', this.#streams.event, 24);
  }

  /** Returns `req_` and 16 hex digits, for an entry of the journal. */
  requestId(): string {
    const { request } = this.#streams;
    const middle = writeHex(request.next(), writeText('req_'));
    return written(writeHex(request.next(), middle));
  }

  /** Returns `whsec_` and 32 letters or digits. */
  secret(): string {
    return letters('whsec_', this.#streams.secret, 32);
  }

  /** Returns a numeric code, which may have leading zeros. */
  code(length: number): string {
    return Array.from({ length }, () => this.#streams.code.next() % 10).join('');
  }

  /**
   * Returns the channel's own message id, which can be decoded like a real one.
   * @param phone E.164, with its plus
   */
  wamid(phone: string): string {
    return wamidFrom(this.#streams.wamid, phone);
  }

  /** Like `wamid`, for messages that come from the channel. */
  channelWamid(phone: string): string {
    return wamidFrom(this.#streams.channel, phone);
  }
}

const marker = '\x15\x02\x00\x11\x18\x12';

/**
 * Builds the channel's own message id: `wamid.` and, in base64, a prefix, the number's length and digits, a marker, a
 * serial number and a zero byte.
 * @param phone E.164, with its plus
 * @param serial 18 upper-case hex digits
 */
export function wamidOf(phone: string, serial: string): string {
  const digits = phone.slice(1);
  const bytes = `\x1c\x18${String.fromCharCode(digits.length)}${digits}${marker}${serial}\0`;
  return `wamid.${Buffer.from(bytes, 'latin1').toString('base64')}`;
}
