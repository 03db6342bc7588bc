/**
 * Waits for something to happen, or until everything has happened. On a frozen clock, a call that creates events returns
 * when those that are due now have been delivered, so that a test need not wait after it.
 */
import { transaction, type Account } from '../../account/account.js';
import { counted } from '../../domain/text.js';
import { ServiceError } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import type { Row } from '../../domain/rows.js';
import { realDuration } from './given-values.js';
import { deliveryList, eventList, messageList, otpList, requestList } from './lists.js';
import { differences, findRows, readFilter, type Filter, type TableList } from './filters.js';
import type { ControlContext, ControlHandlers, ControlService } from './handler.js';

type Query = Readonly<Record<string, unknown>>;

/** The lists in which a call can wait for a record. */
const subjects = { event: eventList, delivery: deliveryList, message: messageList, request: requestList, otp: otpList };

const defaultTimeoutMs = 5000;

export const wait: ControlHandlers = {
  waitForMatch: {
    lasts: true,
    run: async ({ account, query, service, validateQuery }) => {
      const { for: subject, count: wanted, timeout: _timeout, after: cursor, ...filters } = query;
      const name = subject as keyof typeof subjects;
      const count = typeof wanted === 'number' ? wanted : 1;
      const list = subjects[name] as unknown as TableList<Row>;
      // The document names the filters of all lists; this call has only those of its own.
      await validateQuery(`/_sandbox/${list.table}`, filters);
      const filter = readFilter(filters);
      const after = typeof cursor === 'number' ? { cursor } : {};
      const find = () => findRows(list, account, filter, { limit: count, ...after }).items;
      const timeoutMs = timeoutOf(query);
      const items = await until(account, service, timeoutMs, () => {
        const rows = find();
        return rows.length >= count ? rows : null;
      });
      if (items) {
        return { for: name, items: items.map((row) => list.show(row, account)), next: items.at(-1)?.seq ?? 0 };
      }
      const partly = find().length;
      const nearMisses = nearMissesOf(account, list, filter);
      throw new ServiceError(
        'wait_timeout',
        `Within ${timeoutMs} ms ${partly} of ${counted(count, name)} matched ${describe(filter)}.`,
        { extra: { near_misses: nearMisses } },
      );
    },
  },

  waitForIdle: {
    isHarmless: true,
    run: async ({ account, query, service }) => {
      const { scheduler, dispatcher, clock, store } = account;
      const timeoutMs = timeoutOf(query, 10_000);
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

function timeoutOf(query: Query, fallbackMs = defaultTimeoutMs): number {
  const given = query['timeout'];
  return typeof given === 'string' ? realDuration('timeout', given) : fallbackMs;
}

const mostNearMisses = 10;

/**
 * Returns the latest records that do not match some filter, with the differences; the closest first, then the latest.
 */
function nearMissesOf(account: Account, list: TableList<Row>, filter: Filter): object[] {
  const latest = findRows(list, account, {}, { limit: mostNearMisses, order: 'desc' }).items;
  return latest
    .map((row) => ({ seq: row.seq, id: row.id, differs: differences(list, filter, row, account) }))
    .filter(({ differs }) => differs.length > 0)
    .sort((a, b) => a.differs.length - b.differs.length);
}

function describe(filter: Filter): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name}=${value}`);
  return parts.length === 0 ? 'anything' : parts.join(', ');
}

/** Machine milliseconds: an attempt takes 10 s at most, and the calls of its receiver may take as long again. */
const longestMs = 25_000;

/**
 * Performs `work`, and resolves with its result once the attempts that it made due have their responses. It does not
 * wait for earlier attempts: one of them may be the receiver that makes this call.
 */
export async function settled<T>(context: ControlContext, work: (context: ControlContext) => T): Promise<T> {
  const { account, service } = context;
  const earlier = new Set(account.dispatcher.inFlight.jobs());
  const result = transaction(account, () => work(context));
  if (account.clock.mode !== 'frozen' || !wantsToSettle(context)) return result;
  const isOver = () => {
    account.scheduler.runDue();
    return isDueNow(account) || [...account.dispatcher.inFlight.jobs()].some((job) => !earlier.has(job)) ? null : true;
  };
  await until(account, service, longestMs, isOver);
  return result;
}

function wantsToSettle({ query, body }: ControlContext): boolean {
  return query['settle'] !== false && (body as { settle?: boolean } | undefined)?.settle !== false;
}

/** Whether a job is due now. */
function isDueNow({ scheduler, clock }: Account): boolean {
  const due = scheduler.nextDueMs();
  return due !== null && due <= clock.now();
}

/**
 * Checks now, and after each turn of the event loop that changed the account or ended its last attempt, until `look`
 * returns something or the time is over; then checks once more.
 * @throws ServiceError `wait_interrupted` if the account is deleted: nothing can happen in it any more
 */
function until<T>(
  account: Account,
  { accounts, host }: ControlService,
  timeoutMs: number,
  look: () => T | null,
): Promise<T | null> {
  const now = look();
  if (now !== null) return Promise.resolve(now);
  const { inFlight } = account.dispatcher;
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
    const lookSoon = () => {
      if (isComing) return;
      isComing = true;
      host.defer(() => {
        isComing = false;
        if (isOver) return;
        const value = look();
        if (value !== null) end(value);
        else watchFlight();
      });
    };
    // The response to an attempt that was cancelled changes nothing.
    const watchFlight = () => {
      if (inFlight.count > 0) void inFlight.quiet().then(lookSoon);
    };
    const stopLooking = account.store.onCommit(lookSoon);
    const stopListening = accounts.onDrop((gone) => {
      if (gone !== account) return;
      leave();
      reject(dropped());
    });
    watchFlight();
  });
}

export function dropped(): ServiceError {
  return new ServiceError(
    'wait_interrupted',
    'The account was deleted while this call was waiting. The next call with its key creates a new account.',
  );
}
