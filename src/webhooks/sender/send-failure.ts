import { isLoopbackAddress } from './address-range.js';
import {
  BrokenBodyError,
  ConnectError,
  MalformedRequestError,
  UnreadableAnswerError,
  codeOf,
  isHangUp,
} from './exchange-errors.js';
import type { Peer } from './peer.js';
import type { SendErrorCode } from './sender-types.js';

/** Why an attempt got no complete answer, in the words that the attempt's record shows. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  constructor(
    readonly code: SendErrorCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

export interface FailureSetting {
  readonly peer: Peer;
  readonly insideContainer: boolean;
}

const UNREACHABLE = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN', 'ETIMEDOUT', 'EACCES'];

/** Translates what Node, TLS or a connection threw into one of our codes, a sentence and, where there is one, a remedy. */
export function explainFailure(error: unknown, setting: FailureSetting): SendFailure {
  if (error instanceof SendFailure) return error;
  if (error instanceof ConnectError) return explainUnconnected(error.cause, setting);
  if (error instanceof BrokenBodyError) {
    const message = `The answer of ${describe(setting.peer)} broke off after ${error.bytes} bytes of its body: ${detailOf(error.cause)}.`;
    return new SendFailure('invalid_response', message);
  }
  return explainBrokenExchange(error, setting.peer);
}

function explainUnconnected(error: unknown, { peer, insideContainer }: FailureSetting): SendFailure {
  if (error instanceof SendFailure) return error;
  const code = codeOf(error);
  const target = describe(peer);
  if (code === 'ECONNREFUSED') {
    return new SendFailure(
      'connection_refused',
      `${target} refused the connection.`,
      refusedHint(peer, insideContainer),
    );
  }
  if (UNREACHABLE.includes(code)) {
    return new SendFailure('host_unreachable', `${target} could not be reached (${code}).`);
  }
  if (isHangUp(error)) {
    return new SendFailure('connection_reset', `${target} closed the connection before it was established.`);
  }
  const detail = detailOf(error);
  if (peer.tls === 'none') return new SendFailure('connection_failed', `No connection to ${target}: ${detail}.`);
  const hint =
    peer.tls === 'verify'
      ? 'Only certificates of local hosts go unverified; a public receiver needs a valid one.'
      : 'The host speaks TLS, but no handshake came about; does it ask for a client certificate or an old TLS version?';
  return new SendFailure('tls_error', `No TLS connection to ${target}: ${detail}.`, hint);
}

function explainBrokenExchange(error: unknown, peer: Peer): SendFailure {
  const target = describe(peer);
  const detail = detailOf(error);
  if (error instanceof MalformedRequestError) {
    return new SendFailure('invalid_request', `The request could not be put into HTTP: ${detail}.`);
  }
  if (error instanceof UnreadableAnswerError) {
    return new SendFailure('invalid_response', `What ${target} answered is not HTTP/1.1: ${detail}.`);
  }
  if (isHangUp(error)) {
    return new SendFailure(
      'connection_reset',
      `${target} closed the connection without an answer.`,
      'The receiver took the connection and dropped it: look for a crash or an early exit in its handler.',
    );
  }
  return new SendFailure('connection_failed', `The exchange with ${target} failed: ${detail}.`);
}

/** The origin with its port spelt out, and the address behind a name, because that is where surprises are. */
function describe(peer: Peer): string {
  const others = peer.addresses.map(({ address }) => address).filter((address) => address !== peer.host);
  const port = `:${peer.port}`;
  const origin = peer.origin.replace(new RegExp(`(?:${port})?$`), port);
  return others.length === 0 ? origin : `${origin} (${others.join(', ')})`;
}

function refusedHint(peer: Peer, insideContainer: boolean): string {
  const loopback = peer.addresses.every(({ address }) => isLoopbackAddress(address));
  if (loopback && insideContainer) {
    return (
      `Inside a container ${peer.host} is the container itself. For a server on your machine register ` +
      `https://host.docker.internal:${peer.port} (on Linux start with --add-host=host.docker.internal:host-gateway), ` +
      'for another container its service name.'
    );
  }
  const port = peer.port === 443 ? ' A URL without a port means 443: add the port of your server.' : '';
  return loopback
    ? `Is your server running and listening on port ${peer.port}?${port}`
    : `The host is there, but nothing listens on port ${peer.port}; a server that listens on 127.0.0.1 alone is not reachable from here.${port}`;
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const text = error.message.trim().replace(/\.$/, '');
  return code === '' || text.includes(code) ? text : `${text} (${code})`;
}
