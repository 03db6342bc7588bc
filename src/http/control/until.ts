/** Waits for something to be so in an account. */
import type { Account } from '../../account/account.js';
import { ServiceError } from '../../domain/errors.js';
import type { ControlService } from './handler.js';

/**
 * Looks now and after each turn of the event loop that changed the account, until `look` finds something or time is up; then
 * looks once more.
 * @throws ServiceError `wait_interrupted` when the account is dropped: nothing will ever happen in it
 */
export function until<T>(
  account: Account,
  { accounts, host }: ControlService,
  timeoutMs: number,
  look: () => T | null,
): Promise<T | null> {
  const now = look();
  if (now !== null) return Promise.resolve(now);
  return new Promise((resolve, reject) => {
    let isComing = false;
    let isOver = false;
    const leave = () => {
      isOver = true;
      cancel();
      stopLooking();
      stopFearing();
    };
    const end = (value: T | null) => {
      leave();
      resolve(value);
    };
    const cancel = host.setTimer(timeoutMs, () => end(look()), { unref: true });
    const lookAgain = () => {
      isComing = false;
      if (isOver) return;
      const value = look();
      if (value !== null) end(value);
    };
    const stopLooking = account.store.onCommit(() => {
      if (isComing) return;
      isComing = true;
      host.defer(lookAgain);
    });
    const stopFearing = accounts.onDrop((gone) => {
      if (gone !== account) return;
      leave();
      reject(dropped());
    });
  });
}

export function dropped(): ServiceError {
  return new ServiceError(
    'wait_interrupted',
    'The account was deleted while this call was waiting. The next call with its key creates a new account.',
  );
}
