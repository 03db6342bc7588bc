/** One HTTP request of an attempt. Its record is complete, wherever it fails. */
import { StringDecoder } from 'node:string_decoder';
import { keptBody } from '../domain/limits.js';
import type { Attempt } from '../domain/rows.js';
import type { DirectReceiver } from './direct.js';
import type { SendError, SendFailure } from './send-error.js';

export class Exchange {
  sentTo: string;
  plain = false;
  headers: Readonly<Record<string, string>>;
  status: number | null = null;
  responseHeaders: Readonly<Record<string, string>> = {};
  isWhole = false;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The current step, as the end of "still … ". */
  doing = () => 'looking up the host';

  constructor(readonly request: SendRequest) {
    this.sentTo = request.url;
    this.headers = request.headers;
  }

  begin(authority: string, sentTo: string, doing: () => string): void {
    Object.assign(this, { sentTo, doing, status: null, isWhole: false });
    this.#chunks = [];
    this.#bytes = 0;
    this.headers = requestHeaders(this.request, authority);
  }

  /** Returns false once enough was read. */
  receive(chunk: Buffer): boolean {
    if (this.#bytes <= keptBody) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    return this.#bytes <= DRAINED_BYTES;
  }

  get body(): { body: string; truncated?: true } {
    return recorded(Buffer.concat(this.#chunks), this.isWhole);
  }

  outcome(failure: SendFailure | null, durationMs: number): Outcome {
    const { status, sentTo, plain, request, headers } = this;
    return {
      ok: failure === null,
      status,
      durationMs: Math.round(durationMs),
      sentTo,
      plain,
      // A character is at most three bytes long.
      request: {
        url: request.url,
        headers,
        ...(request.body.length * 3 <= keptBody ? { body: request.body } : recorded(Buffer.from(request.body))),
      },
      ...(failure && { error: { code: failure.code, message: failure.message } }),
      ...(failure?.hint !== undefined && { hint: failure.hint }),
      ...(status !== null && { response: { headers: this.responseHeaders, ...this.body } }),
    };
  }
}

export interface SendRequest {
  /** As it was registered. Routes, sinks and tunnels decide where the request goes. */
  readonly url: string;
  /** Header names and values as sent; the sender adds the headers of the connection and the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The account's own sinks, for `https://sink.sandbox/NAME`. Never called for other URLs. */
  readonly sink?: DirectReceiver;
  /** The account's own tunnel clients, for `https://tunnel.sandbox/ID`. Never called for other URLs. */
  readonly tunnel?: DirectReceiver;
}

/**
 * Sending never throws: every failure is an outcome. `response` has header names in lower case, and at most 64 KiB of
 * the body.
 */
export interface Outcome extends Pick<
  Attempt,
  'status' | 'durationMs' | 'hint' | 'sentTo' | 'plain' | 'request' | 'response'
> {
  /**
   * True exactly if a 2xx status arrived within the time limit; a body that arrives late or never makes no difference.
   */
  readonly ok: boolean;
  readonly error?: SendError;
}

/** Number of bytes of a response that are read so that the connection can be reused; a longer one closes it. */
const DRAINED_BYTES = 1024 * 1024;

/** Cuts a body at 64 KiB; a character split by the end is omitted, bytes that are not UTF-8 become U+FFFD. */
function recorded(bytes: Buffer, isWhole = true): { body: string; truncated?: true } {
  if (isWhole && bytes.length <= keptBody) return { body: bytes.toString() };
  return { body: new StringDecoder('utf8').write(bytes.subarray(0, keptBody)), truncated: true };
}

const OURS = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** The headers exactly as sent, for the record. User name and password of the URL become Basic authorization. */
function requestHeaders({ headers: given, url, body }: SendRequest, host: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { host, connection: 'keep-alive' };
  let isAuthorised = false;
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (!OURS.has(key)) headers[name] = value;
    isAuthorised ||= key === 'authorization';
  }
  if (!isAuthorised && url.includes('@')) {
    const { username, password } = new URL(url);
    const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    if (username !== '') headers['authorization'] = `Basic ${pair.toString('base64')}`;
  }
  headers['content-length'] = String(Buffer.byteLength(body));
  return headers;
}
