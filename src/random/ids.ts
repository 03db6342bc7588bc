/** Generates everything that looks random to the application under test: ids, secrets, codes. */
import { createStream, type Draws, type Purpose, type Stream } from './stream.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function letters(prefix: string, stream: Stream, count: number): string {
  let text = prefix;
  let word = 0;
  for (let i = 0; i < count; i += 1) {
    // One draw provides five letters: 62^5 is less than 2^32.
    word = i % 5 === 0 ? stream.next() : Math.floor(word / alphabet.length);
    text += alphabet.charAt(word % alphabet.length);
  }
  return text;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** In v4 form, lower case. */
function uuidOf(stream: Stream): string {
  const a = hex(stream.next());
  const b = hex((stream.next() & 0xffff0fff) | 0x4000);
  const c = hex((stream.next() & 0x3fffffff) | 0x80000000);
  const d = hex(stream.next());
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
}

function wamidFrom(stream: Stream, phone: string): string {
  const serial = hex(stream.next()) + hex(stream.next()) + hex(stream.next()).slice(0, 2);
  return wamidOf(phone, serial.toUpperCase());
}

export class Ids {
  readonly #uuids: Stream;
  readonly #wamids: Stream;
  readonly #channel: Stream;
  readonly #endpoints: Stream;
  readonly #deliveries: Stream;
  readonly #events: Stream;
  readonly #secrets: Stream;
  readonly #codes: Stream;
  readonly #requests: Stream;
  readonly #tunnels: Stream;

  constructor(seed: number | string, account: string, draws: Draws) {
    const stream = (purpose: Purpose): Stream => createStream(seed, account, purpose, draws);
    this.#uuids = stream('uuid');
    this.#wamids = stream('wamid');
    this.#channel = stream('channel');
    this.#endpoints = stream('endpoint');
    this.#deliveries = stream('delivery');
    this.#events = stream('event');
    this.#secrets = stream('secret');
    this.#codes = stream('code');
    this.#requests = stream('request');
    this.#tunnels = stream('tunnel');
  }

  /**
   * Returns a lower-case UUID (version 4) for a record created by a call. Neither passing time nor receivers draw from
   * this stream.
   */
  uuid(): string {
    return uuidOf(this.#uuids);
  }

  /**
   * Returns a UUID for a record created by the channel at any instant. It does not change the ids of what the
   * application sends.
   */
  channelId(): string {
    return uuidOf(this.#channel);
  }

  /** Returns a UUID from a separate stream, so that an extra webhook does not change any other id. */
  endpointId(): string {
    return uuidOf(this.#endpoints);
  }

  /** Returns a UUID from a separate stream, because deliveries are created as time passes, independently of calls. */
  deliveryId(): string {
    return uuidOf(this.#deliveries);
  }

  /** Returns a UUID from a separate stream, so that opening a tunnel does not change the ids that the API returns. */
  tunnelId(): string {
    return uuidOf(this.#tunnels);
  }

  /** Like `secret`, from the stream of tunnels. */
  tunnelSecret(): string {
    return letters('whsec_', this.#tunnels, 32);
  }

  /** Returns `evt_` and 24 letters or digits. */
  eventId(): string {
    return letters('evt_', this.#events, 24);
  }

  /** Returns `req_` and 16 hex digits, for an entry of the journal. */
  requestId(): string {
    return `req_${hex(this.#requests.next())}${hex(this.#requests.next())}`;
  }

  /**
   * Returns `whsec_` and 32 letters or digits: over 190 bits if it were secret, which is not necessary in a sandbox.
   */
  secret(): string {
    return letters('whsec_', this.#secrets, 32);
  }

  /** Returns a numeric code, which may have leading zeros. */
  code(length: number): string {
    let text = '';
    for (let i = 0; i < length; i += 1) text += String(this.#codes.next() % 10);
    return text;
  }

  /**
   * Returns the channel's own message id, which can be decoded like a real one.
   * @param phone E.164, with its plus
   */
  wamid(phone: string): string {
    return wamidFrom(this.#wamids, phone);
  }

  /** Like `wamid`, for messages that come from the channel. */
  channelWamid(phone: string): string {
    return wamidFrom(this.#channel, phone);
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
