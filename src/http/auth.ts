/**
 * Who calls: the Bearer token is the key, the key is the account (contract §1, §2 row 7).
 */
import type { Accounts } from '../account/accounts.js';
import type { Account } from '../account/account.js';
import { ServiceError } from '../domain/errors.js';

/** The key of an Authorization header, or null. */
export function bearerKey(header: string | undefined): string | null {
  const found = /^Bearer +(\S.*?) *$/i.exec(header ?? '');
  return found?.[1] ?? null;
}

/** @throws ServiceError `unauthorized`, with the challenge that 401 asks for */
export function requireAccount(accounts: Accounts, header: string | undefined): Account {
  const key = bearerKey(header);
  if (key === null) {
    const found =
      header === undefined ? 'The Authorization header is missing' : 'The Authorization header holds no Bearer key';
    throw unauthorized(`${found}; send "Authorization: Bearer API_KEY".`);
  }
  if (!accounts.accepts(key))
    throw unauthorized('This API key is not accepted by this sandbox (it was started with --api-keys).');
  return accounts.of(key);
}

export function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}
