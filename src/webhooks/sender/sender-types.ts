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

export interface SentRequest {
  /** The requested URL; compare `Outcome.sentTo`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text (UTF-8, bytes that are not UTF-8 replaced). */
  readonly body: string;
}

export interface ReceivedResponse {
  /** Header names in lower case; repeated headers joined with a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 64 KiB of the body as text (UTF-8, bytes that are not UTF-8 replaced). */
  readonly body: string;
  /** Whether the receiver sent more than `body` contains, or the body broke off. */
  readonly truncated: boolean;
}

/** The result of one attempt. Sending never throws: every failure is an outcome. */
export interface Outcome {
  /**
   * True exactly if a 2xx status arrived within the time limit; a body that arrives late or never makes no difference.
   */
  readonly ok: boolean;
  /** The response's status; null without a response. */
  readonly status: number | null;
  /** Milliseconds of machine time from the call to the outcome. */
  readonly durationMs: number;
  /** Present exactly if `ok` is false. */
  readonly error?: SendError;
  /** What the user can do about it, if known. */
  readonly hint?: string;
  /** The URL to which the request was actually sent, after routes and the choice of plain HTTP. */
  readonly sentTo: string;
  /** Whether the request was sent (or would have been sent) without TLS. */
  readonly plain: boolean;
  readonly request: SentRequest;
  /** Present if at least the response's head arrived. */
  readonly response?: ReceivedResponse;
}

/** The only part of the sandbox that sends webhook requests. Tests pass in a scripted one. */
export interface Sender {
  /** Makes one request and returns its outcome. Never rejects, never follows a redirect, never retries a failure. */
  send(request: SendRequest): Promise<Outcome>;
  /** Ends every connection; requests in flight end as failures. Idempotent. */
  close(): Promise<void>;
}
