/** Waiting for something to happen, and for everything to have happened (contract §4). */
import type { Account } from '../../account/account.js';
import { counted } from '../../domain/counted.js';
import { ServiceError } from '../../domain/errors.js';
import { isEventType } from '../../domain/event.js';
import { isoTime } from '../../domain/instant.js';
import type { Row } from '../../domain/row.js';
import { showEvent } from '../../presenters/control/event.js';
import { showMessage } from '../../presenters/control/message.js';
import { showRequest } from '../../presenters/control/request.js';
import { compileGlob } from '../../scenario/engine/matchers.js';
import { pageDeliveries, pageEvents, pageMessages, pageOtps } from '../../store/tables/filters.js';
import type { Page, PageQuery } from '../../store/tables/page.js';
import type { SystemClock } from '../../time/system-clock.js';
import { showDeliveryOf } from './deliveries.js';
import { own } from '../validation/own-property.js';
import { realDuration } from './duration.js';
import type { ControlHandlers } from './handler.js';
import { text } from './listing.js';
import { showOtpOf } from './otps.js';
import { isDueNow } from './settle.js';
import { dropped, until } from './until.js';
import { findRequests, requestFilter } from './requests.js';
import { waitFilter, type WaitFilter, type WaitSubject } from './wait-filters.js';

type Query = Readonly<Record<string, unknown>>;

/** What can be waited for: how it is found, and how it is shown. */
interface Subject {
  readonly find: (account: Account, filter: WaitFilter, page: PageQuery) => Page<Row>;
  readonly show: (account: Account, row: never) => object;
}

const subjects: Readonly<Record<WaitSubject, Subject>> = {
  event: {
    find: ({ store }, filter, page) => pageEvents(store.tables, filter, page),
    show: (_account, row) => showEvent(row),
  },
  delivery: {
    find: ({ store }, filter, page) => pageDeliveries(store.tables, filter, page),
    show: (account, row) => showDeliveryOf(account)(row),
  },
  message: {
    find: ({ store }, filter, page) => pageMessages(store.tables, filter, page),
    show: (_account, row) => showMessage(row),
  },
  request: {
    find: ({ store }, filter, page) => findRequests(store.tables, requestFilter(filter), page),
    show: (_account, row) => showRequest(row),
  },
  otp: {
    find: ({ store }, filter, page) => pageOtps(store.tables, filter, page),
    show: (account, row) => showOtpOf(account)(row),
  },
};

const defaultTimeoutMs = 5000;
/** An advance that waits for quiet (`settle_real`) has nothing in flight, so nobody tells when it is over. */
const lookAgainMs = 10;

export const wait: ControlHandlers = {
  waitForMatch: async ({ account, query, service }) => {
    const name = query['for'] as WaitSubject;
    const subject = subjects[name];
    const filter = waitFilter(name, query);
    const count = typeof query['count'] === 'number' ? query['count'] : 1;
    const after = typeof query['after'] === 'number' ? { cursor: query['after'] } : {};
    const find = () => subject.find(account, filter, { limit: count, ...after }).items;
    const timeoutMs = timeoutOf(query);
    const items = await until(account, service, timeoutMs, () => {
      const rows = find();
      return rows.length >= count ? rows : null;
    });
    if (items) {
      return {
        for: name,
        items: items.map((row) => subject.show(account, row as never)),
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
        // What is over stays over, after a crash too; on a disk that refuses, idleness is told all the same.
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
      // A later turn: what the last answer caused is in flight by then.
      host.defer(resolve);
    });
  });
}

const mostNearMisses = 10;

/** Of the latest records those that fail some filter, with what differs; the closest first, then the latest. */
function nearMissesOf(account: Account, subject: Subject, filter: WaitFilter): object[] {
  const latest = subject.find(account, {}, { limit: mostNearMisses, order: 'desc' }).items;
  return latest
    .map((row) => {
      const shown = subject.show(account, row as never) as Record<string, unknown>;
      return { seq: row.seq, id: row.id, differs: differences(shown, filter) };
    })
    .filter(({ differs }) => differs.length > 0)
    .sort((a, b) => a.differs.length - b.differs.length);
}

/** Where the shown record has a filter's field under another name; an event has it in its data. */
function fieldOf(field: string, expected: string): string {
  if (field !== 'event') return field;
  return isEventType(expected) ? 'event_type' : 'event_id';
}

function differences(shown: Record<string, unknown>, filter: WaitFilter) {
  return Object.entries(filter).flatMap(([field, expected]) => {
    if (expected === undefined) return [];
    const value = shown[fieldOf(field, expected)] ?? own(shown['data'], field);
    const found = typeof value === 'string' || typeof value === 'number' ? value : null;
    return fits(field, String(found), expected) ? [] : [{ field, expected, found }];
  });
}

/** As the lists compare: a path may hold `*`, a status may be a class such as `4xx`. */
function fits(field: string, found: string, expected: string): boolean {
  if (field === 'path') return compileGlob(expected)(found);
  if (field === 'status' && /^[1-5]xx$/.test(expected)) return found.startsWith(expected.charAt(0));
  return found === expected;
}

function describe(filter: WaitFilter): string {
  const parts = Object.entries(filter).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  return parts.length === 0 ? 'anything' : parts.join(', ');
}
