/** Waits for something to happen, or until everything has happened. */
import type { Account } from '../../account/account.js';
import { counted } from '../../domain/in-words.js';
import type { Delivery } from '../../domain/delivery.js';
import { ServiceError } from '../../domain/errors.js';
import type { Event } from '../../domain/event.js';
import { isoTime } from '../../domain/instant.js';
import type { Message } from '../../domain/message.js';
import type { Otp } from '../../domain/otp.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { Row } from '../../domain/row.js';
import { showEvent, showRequest } from '../../presenters/control/records.js';
import { showMessage } from '../../presenters/control/message.js';
import type { SystemClock } from '../../time/system-clock.js';
import { showDeliveryOf } from './deliveries.js';
import { realDuration } from './given-values.js';
import { deliveryList, eventList, messageList, otpList, requestList } from './filter-fields.js';
import { differences, findRows, readFilter, type Filter, type List } from './filters.js';
import type { ControlHandlers } from './handler.js';
import { text } from './listing.js';
import { nameOf } from './messages.js';
import { showOtpOf } from './otps.js';
import { dropped, isDueNow, until } from './settle.js';

type Query = Readonly<Record<string, unknown>>;

/** The record types that a call can wait for: each with its list, and how an item is shown. */
interface Subject<R extends Row> {
  readonly list: List<R>;
  readonly show: (account: Account, row: R) => object;
}

const subjects = {
  event: { list: eventList, show: (_account, row: Event) => showEvent(row) } satisfies Subject<Event>,
  delivery: {
    list: deliveryList,
    show: (account, row: Delivery) => showDeliveryOf(account)(row),
  } satisfies Subject<Delivery>,
  message: {
    list: messageList,
    show: (account, row: Message) => showMessage(row, nameOf(account, row)),
  } satisfies Subject<Message>,
  request: {
    list: requestList,
    show: (_account, row: RequestRecord) => showRequest(row),
  } satisfies Subject<RequestRecord>,
  otp: { list: otpList, show: (account, row: Otp) => showOtpOf(account)(row) } satisfies Subject<Otp>,
};

const notFilters = ['for', 'count', 'timeout', 'after'];

const defaultTimeoutMs = 5000;
/** An advance that waits for quiet (`settle_real`) has nothing in flight, so there is no notification of its end. */
const lookAgainMs = 10;

export const wait: ControlHandlers = {
  waitForMatch: async ({ account, query, service }) => {
    const name = query['for'] as keyof typeof subjects;
    const subject = subjects[name] as unknown as Subject<Row>;
    const { fields } = subject.list;
    const filter = readFilter(fields, query, notFilters, `, with for=${name}`);
    const count = typeof query['count'] === 'number' ? query['count'] : 1;
    const after = typeof query['after'] === 'number' ? { cursor: query['after'] } : {};
    const find = () => findRows(subject.list, account, filter, { limit: count, ...after }).items;
    const timeoutMs = timeoutOf(query);
    const items = await until(account, service, timeoutMs, () => {
      const rows = find();
      return rows.length >= count ? rows : null;
    });
    if (items) {
      return {
        for: name,
        items: items.map((row) => subject.show(account, row)),
        next: items.at(-1)?.seq ?? 0,
      };
    }
    const partly = find().length;
    const nearMisses = nearMissesOf(account, subject, filter);
    throw new ServiceError(
      'wait_timeout',
      `Within ${timeoutMs} ms ${partly} of ${counted(count, name)} matched ${describe(filter)}.`,
      { extra: { near_misses: nearMisses } },
    );
  },

  waitForIdle: async ({ account, query, service }) => {
    const { scheduler, dispatcher, clock } = account;
    const timeoutMs = timeoutOf(query, 10_000);
    const deadlineMs = service.host.monotonic() + timeoutMs;
    const dueNow = () => isDueNow(account);
    for (;;) {
      if (!service.accounts.holds(account)) throw dropped();
      scheduler.runDue();
      if (dispatcher.count === 0 && !dueNow() && !scheduler.advancing) {
        // Idleness is reported after a flush, so that a crash undoes nothing of it; if the disk fails, it is reported as well.
        await account.store.answerable()?.catch(() => undefined);
        return { idle: true, now: isoTime(clock.now()), pending: scheduler.pending };
      }
      const leftMs = deadlineMs - service.host.monotonic();
      if (leftMs <= 0) {
        throw new ServiceError(
          'idle_timeout',
          `Still in flight after ${timeoutMs} ms: ${counted(dispatcher.count, 'attempt')}.`,
          {
            extra: { in_flight: dispatcher.count, due: dueNow() ? 1 : 0 },
          },
        );
      }
      if (dispatcher.count > 0) await firstOf(service.host, leftMs, dispatcher.quiet());
      else await pause(service.host, Math.min(leftMs, lookAgainMs));
    }
  },
};

function timeoutOf(query: Query, fallbackMs = defaultTimeoutMs): number {
  const given = text(query, 'timeout');
  return given === undefined ? fallbackMs : realDuration('timeout', given);
}

function pause(host: SystemClock, ms: number): Promise<void> {
  return new Promise((resolve) => void host.setTimer(ms, resolve, { unref: true }));
}

function firstOf(host: SystemClock, timeoutMs: number, promise: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = host.setTimer(timeoutMs, resolve, { unref: true });
    void promise.then(() => {
      cancel();
      // This runs in a later turn: by then, everything that the last response caused is in flight.
      host.defer(resolve);
    });
  });
}

const mostNearMisses = 10;

/**
 * Returns the latest records that do not match some filter, with the differences; the closest first, then the latest.
 */
function nearMissesOf(account: Account, { list }: Subject<Row>, filter: Filter): object[] {
  const latest = findRows(list, account, {}, { limit: mostNearMisses, order: 'desc' }).items;
  return latest
    .map((row) => ({ seq: row.seq, id: row.id, differs: differences(list.fields, filter, row, account) }))
    .filter(({ differs }) => differs.length > 0)
    .sort((a, b) => a.differs.length - b.differs.length);
}

function describe(filter: Filter): string {
  const parts = Object.entries(filter).map(([name, value]) => `${name}=${value}`);
  return parts.length === 0 ? 'anything' : parts.join(', ');
}
