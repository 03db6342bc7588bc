/**
 * On a frozen clock a call that makes events answers when what is due now has been delivered, so that a test needs no wait
 * after it.
 */
import { perform, type Account } from '../../account/account.js';
import type { ControlContext } from './handler.js';
import { until } from './until.js';

/** Machine milliseconds: an attempt lasts 10 s at most, and what its receiver causes may take as long again. */
const longestMs = 25_000;

/**
 * Performs `work` and resolves with what it returns once the attempts that it made due have their responses. Attempts that
 * were under way before are not waited for: one of them may be the receiver that makes this call.
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

/** Whether a job waits for its turn at this very instant. */
export function isDueNow({ scheduler, clock }: Account): boolean {
  const due = scheduler.nextDueMs();
  return due !== null && due <= clock.now();
}
