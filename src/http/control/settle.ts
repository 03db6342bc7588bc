/**
 * Waits for a condition in an account. On a frozen clock, a call that creates events returns when those that are due
 * now have been delivered, so that a test need not wait after it.
 */
import { perform, type Account } from '../../account/account.js';
import { ServiceError } from '../../domain/errors.js';
import type { ControlContext, ControlService } from './handler.js';

/** Machine milliseconds: an attempt takes 10 s at most, and the calls of its receiver may take as long again. */
const longestMs = 25_000;

/**
 * Performs `work`, and resolves with its result once the attempts that it made due have their responses. It does not
 * wait for earlier attempts: one of them may be the receiver that makes this call.
 */
export async function settled<T>(context: ControlContext, work: (context: ControlContext) => T): Promise<T> {
  const { account, service } = context;
  const earlier = new Set(account.dispatcher.jobs());
  const result = perform(account, () => work(context));
  if (account.clock.mode !== 'frozen' || !wantsToSettle(context)) return result;
  const isOver = () => {
    account.scheduler.runDue();
    return isDueNow(account) || [...account.dispatcher.jobs()].some((job) => !earlier.has(job)) ? null : true;
  };
  await until(account, service, longestMs, isOver);
  return result;
}

function wantsToSettle({ query, body }: ControlContext): boolean {
  return query['settle'] !== false && (body as { settle?: boolean } | undefined)?.settle !== false;
}

/** Whether a job is due now. */
export function isDueNow({ scheduler, clock }: Account): boolean {
  const due = scheduler.nextDueMs();
  return due !== null && due <= clock.now();
}

/**
 * Checks now, and after each turn of the event loop that changed the account, until `look` returns something or the
 * time is over; then checks once more.
 * @throws ServiceError `wait_interrupted` if the account is deleted: nothing can happen in it any more
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
      stopListening();
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
    const stopListening = accounts.onDrop((gone) => {
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
