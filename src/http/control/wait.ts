/**
 * Waits for something to happen, or until everything has happened. On a frozen clock, a call that creates events returns
 * when those that are due now have been delivered, so that a test need not wait after it.
 */
import { transaction, type Account } from '../../account/account.js';
import { counted } from '../../domain/text.js';
import { ServiceError } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import type { Row } from '../../domain/rows.js';
import { realDuration } from './values.js';
import type { List } from './filters.js';
import { lists } from './lists.js';
import type { ControlContext, ControlHandlers, ControlService } from './handler.js';

const subjects = {
  event: 'listEvents',
  delivery: 'listDeliveries',
  message: 'listMessages',
  request: 'listRequests',
  otp: 'listOtps',
} as const;

type Waitable = Pick<List<Row>, 'find' | 'nearMisses' | 'described'>;

export const wait: ControlHandlers = {
  waitForMatch: {
    creates: 'always',
    run: async (context) => {
      const { account, query, service, validateQuery } = context;
      const { for: subject, count: wanted, timeout, after, ...filters } = query;
      const name = subject as keyof typeof subjects;
      const count = wanted as number;
      const list: Waitable = lists[subjects[name]];
      // The document names the filters of all lists; this call has only its own filters.
      await validateQuery(subjects[name], filters);
      const page = { limit: count, ...(typeof after === 'number' && { after }) };
      const timeoutMs = realDuration('timeout', timeout as string);
      const found = await until(account, service, timeoutMs, () => {
        const latest = list.find(context, page);
        return latest.items.length >= count ? latest : null;
      });
      if (found) {
        const texts = found.texts();
        return `{"for":"${name}","items":[${texts.join(',')}],"next":${found.items[texts.length - 1]?.seq ?? 0}}`;
      }
      const partly = list.find(context, page).items.length;
      throw new ServiceError(
        'wait_timeout',
        `Within ${timeoutMs} ms ${partly} of ${counted(count, name)} matched ${list.described(context)}.`,
        {
          extra: {
            near_misses: list.nearMisses(context).map(({ row: { seq, id }, differs }) => ({ seq, id, differs })),
          },
        },
      );
    },
  },

  waitForIdle: {
    isHarmless: true,
    run: async ({ account, query, service }) => {
      const { scheduler, dispatcher, clock, store } = account;
      const timeoutMs = realDuration('timeout', query['timeout'] as string);
      const isIdle = () => {
        scheduler.runDue();
        return dispatcher.inFlight.count === 0 && !isDueNow(account) && !scheduler.advancing ? true : null;
      };
      if (!(await until(account, service, timeoutMs, isIdle))) {
        const inFlight = dispatcher.inFlight.count;
        throw new ServiceError(
          'idle_timeout',
          `Still in flight after ${timeoutMs} ms: ${counted(inFlight, 'attempt')}.`,
          { extra: { in_flight: inFlight, due: isDueNow(account) ? 1 : 0 } },
        );
      }
      // Idleness is reported after a flush, so that a crash undoes nothing of it; if the disk fails, it is reported as well.
      await store.answerable()?.catch(() => undefined);
      return { idle: true, now: isoTime(clock.now()), pending: scheduler.pending };
    },
  },
};

/** Machine milliseconds: an attempt takes 10 s at most, and the calls of its receiver may take as long again. */
const longestMs = 25_000;

/**
 * Performs `work`, and resolves with its result once the attempts that it made due have their responses. It does not
 * wait for earlier attempts: one of them may be the receiver that makes this call.
 */
export async function settled<T>({ account, service, query, body }: ControlContext, work: () => T): Promise<T> {
  const { clock, scheduler, dispatcher } = account;
  const earlier = new Set(dispatcher.inFlight.jobs());
  const result = transaction(account, work);
  const isWanted = query['settle'] !== false && (body as { settle?: boolean } | undefined)?.settle !== false;
  if (clock.mode !== 'frozen' || !isWanted) return result;
  const { signal } = account.generation;
  await until(account, service, longestMs, () => {
    scheduler.runDue();
    return isDueNow(account) || [...dispatcher.inFlight.jobs()].some((job) => !earlier.has(job)) ? null : true;
  }).catch((error: unknown) => {
    // The work is done, whatever became of its deliveries.
    if (!signal.aborted) throw error;
  });
  return result;
}

function isDueNow({ scheduler, clock }: Account): boolean {
  const due = scheduler.nextDueMs();
  return due !== null && due <= clock.now();
}

/**
 * Checks now, and after each turn of the event loop that changed the account or ended its last attempt, until `look`
 * returns something or the time is over.
 * @throws ServiceError `wait_interrupted` if the account is reset, restored or deleted: what is waited for belongs to
 * the generation that has ended
 */
async function until<T>(
  account: Account,
  { host }: ControlService,
  timeoutMs: number,
  look: () => T | null,
): Promise<T | null> {
  const { inFlight } = account.dispatcher;
  const { signal } = account.generation;
  let isOver = false as boolean;
  let wake = (): void => undefined;
  const end = () => {
    isOver = true;
    wake();
  };
  const cancel = host.setTimer(timeoutMs, end, { unref: true });
  const stopLooking = account.store.onCommit(() => host.defer(() => wake()));
  signal.addEventListener('abort', end);
  try {
    for (;;) {
      const value = look();
      if (value !== null || isOver) return value;
      await new Promise<void>((resolve) => {
        wake = resolve;
        // The response to an attempt that was cancelled changes nothing.
        if (inFlight.count > 0) void inFlight.quiet().then(() => host.defer(resolve));
      });
      signal.throwIfAborted();
    }
  } finally {
    cancel();
    stopLooking();
    signal.removeEventListener('abort', end);
  }
}
