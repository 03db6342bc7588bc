import type { SendError } from './send-error.js';

/** The HTTP request of an attempt. The sender does not change the body, and does not sign it. */
export interface SendRequest {
  /** The endpoint's URL as it was registered. Routes, sinks and tunnels decide where the request goes. */
  readonly url: string;
  /** Header names and values as they go out; `content-length` and `host` are the sender's. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes; a string is sent as its UTF-8 bytes. */
  readonly body: string | Buffer;
  /** The account's own sinks, for `https://sink.sandbox/NAME`. Never called for other URLs. */
  readonly sink?: SinkReceiver;
  /** The account's own tunnel clients, for `https://tunnel.sandbox/ID`. Never called for other URLs. */
  readonly tunnel?: TunnelReceiver;
  /** Whether a rule or a caller changed the body or the signature on purpose. */
  readonly faulty?: boolean;
}

/** A webhook request as the built-in receiver gets it, without a network in between. */
interface SinkCall {
  readonly name: string;
  /** Path after the name, query included; `/` when nothing follows. */
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

/** Takes one request, under the sender's cap on an attempt. */
export type SinkReceiver = (call: SinkCall) => Promise<DirectResponse>;

/** A webhook request as a tunnel gets it, to be made by the client at its other end. */
export interface TunnelRequest {
  /** Which tunnel: the first segment of the URL's path. */
  readonly tunnel: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Takes one request; rejects with a SendFailure if the client's server refused the connection or the client
 * disconnected. After `signal` has aborted, the response is ignored.
 */
export type TunnelReceiver = (request: TunnelRequest, signal: AbortSignal) => Promise<DirectResponse>;

export interface SentRequest {
  /** The URL that was asked for; compare `Outcome.sentTo`. */
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
  /** Whether the receiver sent more than `body` contains, or the body was cut off. */
  readonly truncated: boolean;
}

/** The result of one attempt. Sending never throws: every failure is an outcome. */
export interface Outcome {
  /** True exactly when a 2xx status arrived within the cap; a body that comes late or never changes nothing. */
  readonly ok: boolean;
  /** The response's status; null when there was no response. */
  readonly status: number | null;
  /** Milliseconds of machine time from the call to the outcome. */
  readonly durationMs: number;
  /** Present exactly when `ok` is false. */
  readonly error?: SendError;
  /** What the user can do about it, if known. */
  readonly hint?: string;
  /** The URL the request really went to, after routes and the choice of plain HTTP. */
  readonly sentTo: string;
  /** Whether the request went out (or would have gone out) without TLS. */
  readonly plain: boolean;
  readonly request: SentRequest;
  /** Present when at least the response's head arrived. */
  readonly response?: ReceivedResponse;
}

/** The only way a webhook request leaves the sandbox. Tests hand in a scripted one. */
export interface Sender {
  /** Makes one request and returns its outcome. Never rejects, never follows a redirect, never retries a failure. */
  send(request: SendRequest): Promise<Outcome>;
  /** Ends every connection; requests in flight end as failures. Idempotent. */
  close(): Promise<void>;
}
