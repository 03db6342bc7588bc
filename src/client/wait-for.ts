/** Waits in real time until something happens, instead of sleeping (`GET /_sandbox/wait`). */
import { counted } from '../domain/text.js';
import { parseDuration } from '../time/duration.js';
import { machineTime, pause } from '../time/system-clock.js';
import { bodyOf, type Connection, listAll, listRequests, type ListPath, type Query, withQuery } from './connection.js';
import { SandboxError } from './sandbox-error.js';
import type * as t from './types.js';

/** Options that a wait does not accept: it returns the oldest matching records. */
type Paging = 'before' | 'limit' | 'order';

/** A filter, the number of records, and the time limit. Past records also count, starting after `after`. */
export type Wanted<Filter> = Omit<Filter, Paging> & {
  /** Real time, at most 60s; default: 5s. */
  readonly timeout?: t.Duration;
  /** Waits for this number of records, and returns a list. */
  readonly count?: number;
};

/**
 * Returns one record or, with `count`, a list. Use a predicate if a filter is not enough.
 * @throws SandboxError `wait_timeout` with the closest records
 */
export interface Waiter<Item, Filter> {
  (fits: (item: Item) => boolean, wanted?: Wanted<Filter> & { readonly count?: never }): Promise<Item>;
  (wanted: Wanted<Filter> & { readonly count: number }): Promise<Item[]>;
  (wanted?: Wanted<Filter> & { readonly count?: never }): Promise<Item>;
}

/** The same for events; the type of an event determines the type of its data. */
export interface EventWaiter {
  <Type extends t.EventType = t.EventType>(
    fits: (event: t.EventOf<Type>) => boolean,
    wanted?: Wanted<t.EventFilter> & { readonly type?: Type; readonly count?: never },
  ): Promise<t.EventOf<Type>>;
  <Type extends t.EventType = t.EventType>(
    wanted: Wanted<t.EventFilter> & { readonly type?: Type; readonly count: number },
  ): Promise<t.EventOf<Type>[]>;
  <Type extends t.EventType = t.EventType>(
    wanted?: Wanted<t.EventFilter> & { readonly type?: Type; readonly count?: never },
  ): Promise<t.EventOf<Type>>;
}

/** Messages of the application; with `direction: 'inbound'`, messages of customers. */
export interface MessageWaiter
  extends
    Waiter<t.InboundMessage, t.MessageFilter & { readonly direction: 'inbound' }>,
    Waiter<t.Message, t.MessageFilter & { readonly direction?: 'outbound' }> {}

export type WaitControl = ReturnType<typeof waitControl>;

const subjects = {
  event: '/_sandbox/events',
  delivery: '/_sandbox/deliveries',
  message: '/_sandbox/messages',
  request: '/_sandbox/requests',
  otp: '/_sandbox/otps',
} as const satisfies Readonly<Record<string, ListPath>>;

type Subject = keyof typeof subjects;
type Fits = (item: object) => boolean;

export function waitControl(connection: Connection) {
  const waiter =
    (subject: Subject) =>
    async (wanted: Query | Fits = {}, more: Query = {}): Promise<unknown> => {
      if (typeof wanted === 'function') return waitFitting(connection, subject, wanted, more);
      const items = await wait(connection, subject, wanted);
      // The sandbox responds with the requested number of records, or with an error.
      return wanted['count'] === undefined ? items[0] : items;
    };
  return {
    event: waiter('event') as EventWaiter,
    delivery: waiter('delivery') as Waiter<t.Delivery, t.DeliveryFilter>,
    message: waiter('message') as MessageWaiter,
    request: waiter('request') as Waiter<t.JournalRequest, t.RequestFilter>,
    otp: waiter('otp') as Waiter<t.Otp, t.OtpFilter>,
  };
}

/** Machine milliseconds between two polls. */
const lookAgainMs = 20;

/** The list is read repeatedly: a message or a delivery that does not match may match later. */
async function waitFitting(
  connection: Connection,
  subject: Subject,
  fits: Fits,
  { timeout = '5s', ...filter }: Query,
): Promise<unknown> {
  const deadlineMs = machineTime.monotonic() + parseDuration(String(timeout));
  for (;;) {
    const items =
      subject === 'request'
        ? await listRequests<object>(connection, filter)
        : await listAll<ListPath, object>(connection, subjects[subject], filter);
    const found = items.find(fits);
    if (found !== undefined) return found;
    if (machineTime.monotonic() >= deadlineMs) {
      const message = `Within ${timeout} none of ${counted(items.length, subject)} satisfied the predicate.`;
      const lines = [message, ...(await clockHint(connection))];
      throw new SandboxError({ code: 'wait_timeout', message: lines.join('\n') });
    }
    await pause(lookAgainMs);
  }
}

async function wait(connection: Connection, subject: Subject, wanted: Query): Promise<readonly unknown[]> {
  try {
    const path = withQuery('/_sandbox/wait', { for: subject, ...wanted });
    return (await connection.call<{ items: unknown[] }>('GET', path)).items;
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'wait_timeout') throw error;
    const { status, code, message, details } = error;
    const lines = [message, ...closest(details as unknown as readonly t.NearMiss[]), ...(await clockHint(connection))];
    throw new SandboxError({ status, code, message: lines.join('\n'), details });
  }
}

function closest(misses: readonly t.NearMiss[]): string[] {
  if (misses.length === 0) return ['There are no such records at all.'];
  const shown = (value: unknown) => JSON.stringify(value);
  return [
    'What came closest:',
    ...misses.map(({ id, seq, differs }) => {
      const parts = differs.map(({ field, expected, found }) => `${field} is ${shown(found)}, not ${shown(expected)}`);
      return `  ${id} (seq ${seq}): ${parts.join('; ')}`;
    }),
  ];
}

/** The usual reason for a timeout: the clock is stopped. */
async function clockHint({ api }: Connection): Promise<string[]> {
  const { mode, now, pending, next_due: nextDue } = await bodyOf(api.GET('/_sandbox/clock'));
  if (mode !== 'frozen' || nextDue === null) return [];
  const ahead = `with ${counted(pending, 'job')} ahead, the next due at ${nextDue}`;
  return [`The clock is frozen at ${now} ${ahead}: call clock.advance(…).`];
}
