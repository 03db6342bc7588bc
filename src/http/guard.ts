/**
 * Decides who may call the sandbox, and for which account. It rejects a foreign Host (DNS rebinding), and a foreign
 * Origin on calls that change state (cross-site requests). It checks the control token if one is set, and the Bearer
 * key, which names the account.
 */
import { isUtf8 } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Account } from '../account/account.js';
import { type Accounts, defaultKey, longestKey } from '../accounts/registry.js';
import { ServiceError } from '../domain/errors.js';
import { isAddress, isLocalName } from '../domain/webhook.js';

/**
 * @throws ServiceError `forbidden`; `validation_error` if HTTP/1.1 requires a Host and there is none (RFC 9112, 3.2)
 */
export function checkHost({ headers, httpVersion }: IncomingMessage, allowed: readonly string[]): void {
  const { host } = headers;
  if (host === undefined) {
    throw new ServiceError(
      httpVersion === '1.1' ? 'validation_error' : 'forbidden',
      'The Host header is missing. Send a Host header, such as "Host: localhost".',
    );
  }
  const isHost = !/[/\\?#@]/.test(host) && URL.canParse(`http://${host}`);
  const name = isHost ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '').toLowerCase() : null;
  if (name !== null && (isAddress(name) || isLocalName(name) || allowed.includes(name))) return;
  throw new ServiceError(
    'forbidden',
    `The host "${host}" is not allowed: it is neither an IP address nor a local name. To allow it, start the sandbox with --allowed-hosts.`,
  );
}

export function checkOrigin(request: IncomingMessage): void {
  const { origin, host } = request.headers;
  if (origin === undefined) {
    // Some browsers leave Origin out of a form's request, but say where it comes from.
    if (request.headers['sec-fetch-site'] !== 'cross-site') return;
    throw new ServiceError('forbidden', 'Web pages of another site are not allowed to call this sandbox.');
  }
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url !== null && url.host === host && url.username === '' && url.password === '') return;
  throw new ServiceError('forbidden', `Web pages of ${origin} are not allowed to call this sandbox.`);
}

/** @throws ServiceError `not_found` if a client that uses the sandbox as a proxy calls another host (RFC 9112, 3.2.2) */
function checkTarget({ originalUrl, headers }: Request): void {
  if (originalUrl.startsWith('/')) return;
  if (URL.canParse(originalUrl) && new URL(originalUrl).host === headers.host?.toLowerCase()) return;
  throw new ServiceError('not_found', `There is nothing at ${originalUrl}: the sandbox is not a proxy.`);
}

export type Guard = (request: Request) => void;

export function hostGuard(allowed: readonly string[]): Guard {
  // The calls of a client have the same Host, so most equal the previous call.
  let known: string | undefined;
  return (request) => {
    checkTarget(request);
    if (known === undefined || request.headers.host !== known) checkHost(request, allowed);
    known = request.headers.host;
    if (request.method !== 'GET' && request.method !== 'HEAD') checkOrigin(request);
  };
}

/** The token is in its own header, or the Bearer key, which then names the default account. */
export function holdsToken({ headers }: IncomingMessage, token: string): boolean {
  const header = headers['x-sandbox-token'];
  const given = typeof header === 'string' ? asWritten(header) : bearerKey(headers.authorization);
  return given !== null && isToken(given, token);
}

/** A browser that opens an address cannot send a header, so the query may contain the token. */
export function opensPage(request: Request, token: string | null): boolean {
  if (token === null || holdsToken(request, token)) return true;
  const given = request.query['control_token'];
  return typeof given === 'string' && isToken(given, token);
}

export function requirePageToken(request: Request, token: string | null, path: string): void {
  if (opensPage(request, token)) return;
  throw unauthorized(`The control plane requires a token. Open ${path}?control_token=TOKEN.`);
}

/** A key or token as its sender wrote it. Node reads headers as Latin-1, but most clients send UTF-8. */
function asWritten(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}

/**
 * The key of an Authorization header, or null. A single expression for both ends would take quadratic time for a key
 * full of spaces.
 */
export function bearerKey(header: string | undefined): string | null {
  if (header === undefined || !/^bearer /i.test(header)) return null;
  const key = asWritten(header).slice('bearer '.length).trim();
  return key === '' ? null : key;
}

/** The control token is not an API key: as a key it would name an account and be in a journal. */
export function requireAccount(accounts: Accounts, header: string | undefined, token: string | null): Account {
  const key = bearerKey(header);
  if (key === null) {
    const found = header === undefined ? 'is missing' : 'has no Bearer key';
    throw unauthorized(`The Authorization header ${found}; send "Authorization: Bearer API_KEY".`);
  }
  if (token !== null && isToken(key, token)) {
    throw unauthorized(
      'This is the control token of the sandbox, not an API key. Send an API key, such as "Bearer test_default".',
    );
  }
  if (!accounts.accepts(key)) throw notAccepted(key);
  return accounts.of(key);
}

/** The default account, if the call has no header, or the control token in place of a key. */
export function callerKey(
  accounts: Accounts,
  { headers: { authorization } }: IncomingMessage,
  token: string | null,
  purpose: 'act on' | 'watch',
): string {
  if (authorization === undefined) return defaultKey;
  const key = bearerKey(authorization);
  if (key === null)
    throw unauthorized(`The Authorization header has no Bearer key; omit it to ${purpose} the default account.`);
  if (token !== null && isToken(key, token)) return defaultKey;
  if (!accounts.accepts(key)) throw notAccepted(key);
  return key;
}

export function notAccepted(key: string): ServiceError {
  if (key.length > longestKey)
    return unauthorized(`The API key has ${key.length} characters; at most ${longestKey} are allowed.`);
  return unauthorized(
    key === ''
      ? 'The API key is empty; send one, or omit it.'
      : 'This API key is not accepted: the sandbox was started with --api-keys. Send a key of that list. A command takes the key from --key or MESSAGING_API_KEY.',
  );
}

export function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** Compares in constant time, for texts of any length. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
