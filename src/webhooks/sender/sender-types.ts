import type { Cutoff } from './cutoff.js';

/** One HTTP request that an attempt wants to make. The sender adds nothing to the body and signs nothing. */
export interface SendRequest {
  /** The endpoint's URL as it was registered; where it is really sent is the sender's business (contract §6). */
  readonly url: string;
  /** Header names and values as they go out; `content-length` and `host` are the sender's. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes; a string stands for its UTF-8 bytes. */
  readonly body: string | Buffer;
  /** Who takes what is addressed to `https://sink.sandbox/NAME`: the account's own sinks. Never called for other URLs. */
  readonly sink?: SinkReceiver;
  /** Who takes what is addressed to `https://tunnel.sandbox/ID`: the account's own clients. Never called for other URLs. */
  readonly tunnel?: TunnelReceiver;
  /** Body or signature are not what the service would send, because a rule or a caller wanted it so. */
  readonly bent?: boolean;
}

/** A webhook request as it comes to the built-in receiver (contract §4, sink), without a network in between. */
interface SinkCall {
  readonly name: string;
  /** Path after the name, query included; `/` when nothing follows. */
  readonly path: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What answered without a network in between. */
export interface DirectAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Takes one request; the sender's cap on an attempt counts while it thinks. */
export type SinkReceiver = (call: SinkCall) => Promise<DirectAnswer>;

/** A webhook request as a tunnel gets it (contract §6c), to be made by the client at its other end. */
export interface TunnelRequest {
  /** Which tunnel: the first segment of the URL's path. */
  readonly tunnel: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Takes one request; rejects with a SendFailure when the client's server refused it or the client went away. Once the
 * cutoff has struck, nobody waits for the answer any more.
 */
export type TunnelReceiver = (request: TunnelRequest, cutoff: Pick<Cutoff, 'onCut'>) => Promise<DirectAnswer>;

/** Why an attempt failed. Stable: tests and scenario files may compare them. */
export type SendErrorCode =
  | 'non_2xx'
  | 'redirect_not_followed'
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'host_unreachable'
  | 'dns_not_found'
  | 'dns_failed'
  | 'tls_error'
  | 'invalid_response'
  | 'invalid_request'
  | 'invalid_url'
  | 'public_destination_blocked'
  | 'sink_not_available'
  | 'tunnel_closed'
  | 'sender_closed'
  | 'internal_error';

export interface SendError {
  readonly code: SendErrorCode;
  /** A full sentence: what happened, with the values involved. */
  readonly message: string;
}

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
  /** Whether the receiver sent more than `body` holds, or the body broke off. */
  readonly truncated: boolean;
}

/** What became of one attempt. Sending never throws: every failure is an outcome (contract §4, §6). */
export interface Outcome {
  /** True exactly when a complete 2xx answer arrived within the cap. */
  readonly ok: boolean;
  /** The answer's status; null when there was no answer. */
  readonly status: number | null;
  /** Milliseconds of machine time from the call to the outcome. */
  readonly durationMs: number;
  /** Present exactly when `ok` is false. */
  readonly error?: SendError;
  /** What to do about it, when that is known. */
  readonly hint?: string;
  /** The URL the request really went to, after routes and the choice of plain HTTP. */
  readonly sentTo: string;
  /** Whether the request went out (or would have gone out) without TLS. */
  readonly plain: boolean;
  readonly request: SentRequest;
  /** Present when at least the answer's head arrived. */
  readonly response?: ReceivedResponse;
}

/** The only way a webhook request leaves the sandbox. Tests hand in a scripted one. */
export interface Sender {
  /** Makes one request and tells what became of it. Never rejects, never follows a redirect, never retries a failure. */
  send(request: SendRequest): Promise<Outcome>;
  /** Ends every connection; requests in flight end as failures. Idempotent. */
  close(): Promise<void>;
}
