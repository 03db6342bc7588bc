/** Who calls: the Bearer token is the key, and the key names the account. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Accounts } from '../../accounts/registry.js';
import type { Account } from '../../account/account.js';
import { ServiceError } from '../../domain/errors.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A key or token as its sender wrote it. Node reads headers as Latin-1, but most clients send UTF-8. */
export function asWritten(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** The key of an Authorization header, or null. One expression for both ends would take quadratic time for a key full of spaces. */
export function bearerKey(header: string | undefined): string | null {
  if (header === undefined || !/^bearer /i.test(header)) return null;
  const key = asWritten(header).slice('bearer '.length).trim();
  return key === '' ? null : key;
}

/**
 * @param token the control token, which is not an API key: as one it would name an account and stand in a journal
 * @throws ServiceError `unauthorized`, with the challenge that 401 asks for
 */
export function requireAccount(accounts: Accounts, header: string | undefined, token: string | null): Account {
  const key = bearerKey(header);
  if (key === null) {
    const found =
      header === undefined ? 'The Authorization header is missing' : 'The Authorization header has no Bearer key';
    throw unauthorized(`${found}; send "Authorization: Bearer API_KEY".`);
  }
  if (token !== null && isToken(key, token)) {
    throw unauthorized(
      'This is the control token of the sandbox, not an API key. Send an API key of your own, such as "Bearer test_default".',
    );
  }
  if (!accounts.accepts(key)) throw notAccepted(key);
  return accounts.of(key);
}

/** A key that this sandbox has no account for. */
export function notAccepted(key: string): ServiceError {
  return unauthorized(
    key === ''
      ? 'The API key is empty; give one, or leave it out.'
      : 'This API key is not accepted by this sandbox (it was started with --api-keys).',
  );
}

export function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** Compares in constant time, whatever the lengths. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
