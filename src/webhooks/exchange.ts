/** The request of an attempt, and its result: the form in which every attempt is recorded. */
import { StringDecoder } from 'node:string_decoder';
import { keptBody } from '../domain/limits.js';
import type { Attempt } from '../domain/rows.js';
import type { SendError, SendFailure } from './failure.js';

/** The HTTP request of an attempt. The sender does not change the body, and does not sign it. */
export interface SendRequest {
  /** The endpoint's URL as it was registered. Routes, sinks and tunnels decide where the request goes. */
  readonly url: string;
  /** Header names and values as sent; the sender adds `content-length` and `host`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes; a string is sent as its UTF-8 bytes. */
  readonly body: string | Buffer;
  /** The account's own sinks, for `https://sink.sandbox/NAME`. Never called for other URLs. */
  readonly sink?: DirectReceiver;
  /** The account's own tunnel clients, for `https://tunnel.sandbox/ID`. Never called for other URLs. */
  readonly tunnel?: DirectReceiver;
  /** Whether a rule or a caller changed the body or the signature on purpose. */
  readonly faulty?: boolean;
}

/** A POST as a sink or a tunnel gets it, without a network in between. */
export interface DirectRequest {
  /** The sink or the tunnel: the first segment of the path. */
  readonly name: string;
  /** The path as in the URL, including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response of a sink or a tunnel. */
export interface DirectResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Accepts one request; rejects with a SendFailure if a tunnel's server refused the connection or its client
 * disconnected. After `signal` has aborted, the response is ignored.
 */
export type DirectReceiver = (request: DirectRequest, signal: AbortSignal) => Promise<DirectResponse>;

/**
 * The result of one attempt, in the form of its record; `response` has header names in lower case, and at most 64 KiB of
 * the body. Sending never throws: every failure is an outcome.
 */
export interface Outcome extends Pick<
  Attempt,
  'status' | 'durationMs' | 'hint' | 'sentTo' | 'plain' | 'request' | 'response'
> {
  /**
   * True exactly if a 2xx status arrived within the time limit; a body that arrives late or never makes no difference.
   */
  readonly ok: boolean;
  /** Present exactly if `ok` is false. */
  readonly error?: SendError;
}

/** The only part of the sandbox that sends webhook requests. Tests pass in a scripted one. */
export interface Sender {
  /** Makes one request and returns its outcome. Never rejects, never follows a redirect, never retries a failure. */
  send(request: SendRequest): Promise<Outcome>;
  /** Ends every connection; requests in flight end as failures. Idempotent. */
  close(): Promise<void>;
}

/** An attempt in progress, so that a failure at any point has a complete record. */
export class Exchange {
  sentTo: string;
  plain = false;
  headers: Readonly<Record<string, string>>;
  status: number | null = null;
  responseHeaders: Readonly<Record<string, string>> = {};
  body = new ReceivedBody();
  /** Returns the current step, as the end of "still … ". */
  doing = () => 'looking up the host';

  constructor(readonly request: SendRequest) {
    this.sentTo = request.url;
    this.headers = request.headers;
  }

  /**
   * Starts, or starts over with another receiver.
   * @param authority value of the `host` header
   */
  begin(authority: string, sentTo: string, doing: () => string): void {
    const { headers, url, body } = this.request;
    Object.assign(this, { sentTo, doing, status: null, body: new ReceivedBody() });
    this.headers = requestHeaders(headers, url, authority, Buffer.byteLength(body));
  }

  /** @param failure null for a success */
  outcome(failure: SendFailure | null, durationMs: number): Outcome {
    const { status, sentTo, plain, request, headers } = this;
    const outcome: Outcome = {
      ok: failure === null,
      status,
      durationMs: Math.round(durationMs),
      sentTo,
      plain,
      request: { url: request.url, headers, ...kept(request.body) },
      ...(failure && { error: { code: failure.code, message: failure.message } }),
      ...(failure?.hint !== undefined && { hint: failure.hint }),
    };
    return status === null ? outcome : { ...outcome, response: { headers: this.responseHeaders, ...this.body.record } };
  }
}

/**
 * Number of bytes of a response that are read so that the connection can be reused; a longer response closes the
 * connection.
 */
const DRAINED_BYTES = 1024 * 1024;

function kept(body: string | Buffer): { body: string; truncated?: true } {
  if (body.length * 3 <= keptBody || Buffer.byteLength(body) <= keptBody) return { body: body.toString() };
  return { body: textOf(Buffer.from(body).subarray(0, keptBody)), truncated: true };
}

/** UTF-8; a character split by the limit is omitted, bytes that are not UTF-8 become U+FFFD. */
function textOf(bytes: Buffer): string {
  return new StringDecoder('utf8').write(bytes);
}

/** The body of a response, filled while it arrives, so that the received part is available if the connection breaks. */
export class ReceivedBody {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  /** Whether all of it has arrived. */
  complete = false;

  /** @returns false if enough was read */
  add(chunk: Buffer): boolean {
    const room = keptBody - this.#bytes;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += chunk.length;
    return this.#bytes <= DRAINED_BYTES;
  }

  get record(): { body: string; truncated?: true } {
    const bytes = Buffer.concat(this.#chunks);
    if (this.complete && this.#bytes <= keptBody) return { body: bytes.toString() };
    return { body: textOf(bytes), truncated: true };
  }
}

/** Headers that depend on the connection and the body. */
const OURS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/**
 * Returns the headers of a webhook request exactly as sent, so that a record can show them.
 * @param endpointUrl its user name and password, if any, become Basic authorization
 * @param host value of the `host` header
 */
export function requestHeaders(
  given: Readonly<Record<string, string>>,
  endpointUrl: string,
  host: string,
  bodyBytes: number,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { host, connection: 'keep-alive' };
  for (const [name, value] of Object.entries(given)) if (!OURS.has(name.toLowerCase())) headers[name] = value;
  if (endpointUrl.includes('@') && !Object.keys(given).some((name) => name.toLowerCase() === 'authorization')) {
    const { username, password } = new URL(endpointUrl);
    const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    if (username !== '') headers['authorization'] = `Basic ${pair.toString('base64')}`;
  }
  headers['content-length'] = String(bodyBytes);
  return headers;
}
