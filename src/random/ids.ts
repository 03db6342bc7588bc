/** Generates everything that looks random to the application under test: ids, secrets, codes. */
import { createStream, type Draws, type Purpose, purposes, type Stream } from './stream.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Eight hex digits. */
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

/** In v4 form, lower case. */
function uuidOf(stream: Stream): string {
  const a = hex(stream.next());
  const b = hex((stream.next() & 0xffff0fff) | 0x4000);
  const c = hex((stream.next() & 0x3fffffff) | 0x80000000);
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${hex(stream.next())}`;
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
    return `whsec_${letters(this.#streams.tunnel, 32)}`;
  }

  /** Returns `evt_` and 24 letters or digits. */
  eventId(): string {
    return `evt_${letters(this.#streams.event, 24)}`;
  }

  /** Returns `req_` and 16 hex digits, for an entry of the journal. */
  requestId(): string {
    const { request } = this.#streams;
    return `req_${hex(request.next())}${hex(request.next())}`;
  }

  /** Returns `whsec_` and 32 letters or digits. */
  secret(): string {
    return `whsec_${letters(this.#streams.secret, 32)}`;
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

function wamidFrom(stream: Stream, phone: string): string {
  const serial = hex(stream.next()) + hex(stream.next()) + hex(stream.next()).slice(0, 2);
  return wamidOf(phone, serial.toUpperCase());
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
