import type { Attempt } from '../../domain/delivery.js';
import type { SendError } from './send-error.js';

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

/** A webhook request as a sink or a tunnel gets it, without a network in between. */
interface DirectRequest {
  /** The sink or the tunnel: the first segment of the URL's path. */
  readonly name: string;
  /** For a sink: the path after the name, including the query; `/` if nothing follows. */
  readonly path: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
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
