/**
 * Who calls: the Bearer token is the key, the key is the account (contract §1, §2 row 7).
 */
import type { Accounts } from '../../accounts/registry.js';
import type { Account } from '../../account/account.js';
import { ServiceError } from '../../domain/errors.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A key or token as its sender wrote it: headers are read a character a byte, and what is not ASCII comes as UTF-8, or else as Latin-1. */
export function asWritten(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/** The key of an Authorization header, or null. No single expression does it: one that looks for both ends of the key takes quadratic time for a key full of spaces. */
export function bearerKey(header: string | undefined): string | null {
  if (header === undefined || !/^bearer /i.test(header)) return null;
  const key = asWritten(header).slice('bearer '.length).trim();
  return key === '' ? null : key;
}

/** @throws ServiceError `unauthorized`, with the challenge that 401 asks for */
export function requireAccount(accounts: Accounts, header: string | undefined): Account {
  const key = bearerKey(header);
  if (key === null) {
    const found =
      header === undefined ? 'The Authorization header is missing' : 'The Authorization header holds no Bearer key';
    throw unauthorized(`${found}; send "Authorization: Bearer API_KEY".`);
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
