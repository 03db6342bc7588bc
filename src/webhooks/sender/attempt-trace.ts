import { StringDecoder } from 'node:string_decoder';
import type { Peer } from './peer.js';
import { requestHeaders } from './request-headers.js';
import type { SendFailure } from './send-error.js';
import type { Outcome, SendRequest } from './sender-types.js';

/** The state of an attempt, updated as it proceeds, so that a failure at any point has a complete record. */
export class AttemptTrace {
  sentTo: string;
  plain = false;
  headers: Readonly<Record<string, string>>;
  status: number | null = null;
  responseHeaders: Readonly<Record<string, string>> = {};
  responseBody = new ResponseBody();
  /** The current step of the attempt, as the end of "… while ". */
  doing = 'looking up the host';

  constructor(readonly request: SendRequest) {
    this.sentTo = request.url;
    this.headers = request.headers;
  }

  /**
   * Starts over with another receiver.
   * @param authority value of the `host` header
   */
  addressTo(authority: string): void {
    const { headers, url, body } = this.request;
    this.status = null;
    this.responseBody = new ResponseBody();
    this.headers = requestHeaders(headers, url, authority, Buffer.byteLength(body));
  }

  /** A connection is open, and the request is about to be sent. */
  connected(peer: Peer, path: string): void {
    this.sentTo = peer.origin + path;
    this.plain = peer.tls === 'none';
    this.doing = 'waiting for the response';
  }

  /** @param headers names in lower case; values of repeated headers joined with a comma and a space */
  responded(status: number, headers: Readonly<Record<string, string>>): void {
    this.status = status;
    this.responseHeaders = headers;
  }

  /** @param failure null for a success */
  outcome(failure: SendFailure | null, durationMs: number): Outcome {
    const outcome: { -readonly [K in keyof Outcome]: Outcome[K] } = {
      ok: failure === null,
      status: this.status,
      durationMs: Math.round(durationMs),
      sentTo: this.sentTo,
      plain: this.plain,
      request: { url: this.request.url, headers: this.headers, body: this.request.body.toString() },
    };
    if (failure !== null) outcome.error = { code: failure.code, message: failure.message };
    if (failure?.hint !== undefined) outcome.hint = failure.hint;
    if (this.status !== null) {
      const { text: body, truncated } = this.responseBody;
      outcome.response = { headers: this.responseHeaders, body, ...(truncated && { truncated }) };
    }
    return outcome;
  }
}

/** Number of bytes of a response that are stored with the attempt. */
const KEPT_BYTES = 64 * 1024;

/**
 * Number of bytes of a response that are read so that the connection can be reused; a longer response closes the
 * connection.
 */
const DRAINED_BYTES = 1024 * 1024;

/** A response's body, filled while it arrives, so that the received part is available if the connection breaks. */
export class ResponseBody {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  /** Whether all of it has arrived. */
  complete = false;

  /** @returns false if enough was read */
  add(chunk: Buffer): boolean {
    const room = KEPT_BYTES - this.#bytes;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += chunk.length;
    return this.#bytes <= DRAINED_BYTES;
  }

  /** Whether `text` is shorter than the body that the receiver sent or meant to send. */
  get truncated(): boolean {
    return !this.complete || this.#bytes > KEPT_BYTES;
  }

  /** UTF-8; a character split by the limit is omitted, bytes that are not UTF-8 become U+FFFD. */
  get text(): string {
    const [first] = this.#chunks;
    if (first === undefined) return '';
    const kept = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    return this.truncated ? new StringDecoder('utf8').write(kept) : kept.toString('utf8');
  }
}
