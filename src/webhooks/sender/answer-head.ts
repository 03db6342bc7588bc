import { UnreadableAnswerError } from './exchange-errors.js';
import { headerOf, isHeaderValue } from './header-text.js';

/** Where an answer's body ends (RFC 9112 §6.3). */
export type Framing = { readonly by: 'length'; readonly bytes: number } | { readonly by: 'chunks' | 'close' };

/** Status line and headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  /** Names in lower case; values of repeated headers joined with a comma and a space. */
  readonly headers: Readonly<Record<string, string>>;
  readonly framing: Framing;
  /** How long the connection may be kept idle afterwards, in milliseconds; 0: it is not kept. */
  readonly idleMs: number;
}

/** How long we keep a connection of which the peer does not say how long it will. Peers of most kinds wait longer. */
const IDLE_MS = 4_000;
const LONGEST_IDLE_MS = 600_000;
/** By how much we close before the peer does, so that no request meets a closing connection. */
const AHEAD_MS = 2_000;

const BEGINNING = 'HTTP/1.';
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/;

/**
 * Judges what has come of a head so far: whoever greets us in another protocol may wait for us to speak next, for ever.
 * @throws UnreadableAnswerError
 */
export function requireBeginning(text: string): void {
  if (!BEGINNING.startsWith(text.slice(0, BEGINNING.length))) throw beginsOtherwise(text);
}

/**
 * Reads the head of an answer. It takes what a strict parser takes, and nothing that two parsers may understand differently.
 * @param text one character a byte, without the empty line at its end
 * @throws UnreadableAnswerError
 */
export function readHead(text: string): AnswerHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, minor, status, reason = ''] = STATUS_LINE.exec(first) ?? [];
  if (minor === undefined || !isHeaderValue(reason)) {
    throw beginsOtherwise(first);
  }
  const headers: Record<string, string> = {};
  for (const line of lines) readHeader(line, headers);
  return {
    status: Number(status),
    headers,
    framing: framingOf(Number(status), headers),
    idleMs: idleOf(minor, headers),
  };
}

function beginsOtherwise(text: string): UnreadableAnswerError {
  return new UnreadableAnswerError(`it begins with ${JSON.stringify(text.slice(0, 40))}`);
}

function readHeader(line: string, headers: Record<string, string>): void {
  const header = headerOf(line);
  if (header === null) throw new UnreadableAnswerError(`${JSON.stringify(line.slice(0, 40))} is no header`);
  const { name, value } = header;
  // An own property, whatever the receiver calls it.
  if (!Object.hasOwn(headers, name)) {
    Object.defineProperty(headers, name, { value, enumerable: true, configurable: true, writable: true });
  } else if (name === 'content-length') {
    throw new UnreadableAnswerError('it has more than one Content-Length');
  } else {
    headers[name] = `${headers[name] ?? ''}, ${value}`;
  }
}

function framingOf(status: number, headers: Readonly<Record<string, string>>): Framing {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  if (length !== undefined && !/^\d{1,15}$/.test(length)) {
    throw new UnreadableAnswerError(`its Content-Length is ${JSON.stringify(length.slice(0, 40))}`);
  }
  if (length !== undefined && coding !== undefined) {
    throw new UnreadableAnswerError('it has both a Content-Length and a Transfer-Encoding');
  }
  if (status < 200 || status === 204 || status === 304) return { by: 'length', bytes: 0 };
  if (coding !== undefined) return { by: tokens(coding).at(-1) === 'chunked' ? 'chunks' : 'close' };
  return length === undefined ? { by: 'close' } : { by: 'length', bytes: Number(length) };
}

function idleOf(
  minor: string,
  { connection = '', 'keep-alive': keepAlive = '' }: Readonly<Record<string, string>>,
): number {
  const wishes = tokens(connection);
  if (wishes.includes('close') || (minor === '0' && !wishes.includes('keep-alive'))) return 0;
  const seconds = /(?:^|[\s,;])timeout=(\d{1,6})/i.exec(keepAlive)?.[1];
  if (seconds === undefined) return IDLE_MS;
  return Math.min(Math.max(Number(seconds) * 1_000 - AHEAD_MS, 0), LONGEST_IDLE_MS);
}

function tokens(list: string): string[] {
  return list.split(',').map((token) => token.trim().toLowerCase());
}
