/** Waits in real time until something happens, instead of sleeping (`GET /_sandbox/wait`). */
import { counted } from '../domain/in-words.js';
import { parseDuration } from '../time/duration.js';
import { pause } from '../time/pause.js';
import { machineTime } from '../time/system-clock.js';
import { type Connection, listAll, type Query, withQuery } from './connection.js';
import { SandboxError } from './sandbox-error.js';
import type {
  Clock,
  Delivery,
  DeliveryFilter,
  Duration,
  Event,
  EventFilter,
  EventOf,
  EventType,
  InboundMessage,
  JournalRequest,
  Message,
  MessageFilter,
  NearMiss,
  Otp,
  OtpFilter,
  RequestFilter,
} from './types.js';

/** Options that a wait does not accept: it returns the oldest matching records. */
type Paging = 'before' | 'limit' | 'order';

/** A filter, the number of records, and the time limit. Past records also count, starting after `after`. */
export type Wanted<Filter> = Omit<Filter, Paging> & {
  /** Real time, at most 60s; default: 5s. */
  readonly timeout?: Duration;
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
  <Type extends EventType = EventType>(
    fits: (event: EventOf<Type>) => boolean,
    wanted?: Wanted<EventFilter> & { readonly type?: Type; readonly count?: never },
  ): Promise<EventOf<Type>>;
  <Type extends EventType = EventType>(
    wanted: Wanted<EventFilter> & { readonly type?: Type; readonly count: number },
  ): Promise<EventOf<Type>[]>;
  <Type extends EventType = EventType>(
    wanted?: Wanted<EventFilter> & { readonly type?: Type; readonly count?: never },
  ): Promise<EventOf<Type>>;
}

/** Messages of the application; with `direction: 'inbound'`, messages of customers. */
export interface MessageWaiter
  extends
    Waiter<InboundMessage, MessageFilter & { readonly direction: 'inbound' }>,
    Waiter<Message, MessageFilter & { readonly direction?: 'outbound' }> {}

export interface WaitControl {
  readonly event: EventWaiter;
  readonly delivery: Waiter<Delivery, DeliveryFilter>;
  readonly message: MessageWaiter;
  readonly request: Waiter<JournalRequest, RequestFilter>;
  readonly otp: Waiter<Otp, OtpFilter>;
}

export function waitControl(connection: Connection): WaitControl {
  const waiter =
    <Item>(subject: Subject) =>
    async (wanted: Query | Fits<Item> = {}, more: Query = {}): Promise<Item | Item[]> => {
      if (typeof wanted === 'function') return waitFitting(connection, subject, wanted, more);
      const items = await wait<Item>(connection, subject, wanted);
      // The sandbox responds with the requested number of records, or with an error.
      return wanted['count'] === undefined ? (items[0] as Item) : items;
    };
  return {
    event: waiter<Event>('event') as EventWaiter,
    delivery: waiter<Delivery>('delivery') as Waiter<Delivery, DeliveryFilter>,
    message: waiter<Message>('message') as MessageWaiter,
    request: waiter<JournalRequest>('request') as Waiter<JournalRequest, RequestFilter>,
    otp: waiter<Otp>('otp') as Waiter<Otp, OtpFilter>,
  };
}

type Subject = 'event' | 'delivery' | 'message' | 'request' | 'otp';
type Fits<Item> = (item: Item) => boolean;

const pathOf: Readonly<Record<Subject, string>> = {
  event: '/_sandbox/events',
  delivery: '/_sandbox/deliveries',
  message: '/_sandbox/messages',
  request: '/_sandbox/requests',
  otp: '/_sandbox/otps',
};

/** Machine milliseconds between two polls. */
const lookAgainMs = 20;

/** The list is read repeatedly: a message or a delivery that does not match may match later. */
async function waitFitting<Item>(
  connection: Connection,
  subject: Subject,
  fits: Fits<Item>,
  { timeout = '5s', ...filter }: Query,
): Promise<Item> {
  const deadlineMs = machineTime.monotonic() + parseDuration(String(timeout));
  for (;;) {
    const items = await listAll<Item>(connection, pathOf[subject], filter);
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

async function wait<Item>(connection: Connection, subject: Subject, wanted: Query): Promise<Item[]> {
  try {
    const path = withQuery('/_sandbox/wait', { for: subject, ...wanted });
    return (await connection.call<{ items: Item[] }>('GET', path)).items;
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'wait_timeout') throw error;
    const { status, code, message, details } = error;
    const misses = details as unknown as readonly NearMiss[];
    const lines = [message, ...closest(misses), ...(await clockHint(connection))];
    throw new SandboxError({ status, code, message: lines.join('\n'), details });
  }
}

function closest(misses: readonly NearMiss[]): string[] {
  if (misses.length === 0) return ['There are no such records at all.'];
  return [
    'What came closest:',
    ...misses.map(({ id, seq, differs }) => {
      const parts = differs.map(({ field, expected, found }) => `${field} is ${shown(found)}, not ${shown(expected)}`);
      return `  ${id} (seq ${seq}): ${parts.join('; ')}`;
    }),
  ];
}

function shown(value: string | number | null): string {
  return JSON.stringify(value);
}

/** The usual reason for a timeout: the clock is stopped. */
async function clockHint(connection: Connection): Promise<string[]> {
  const { mode, now, pending, next_due: nextDue } = await connection.call<Clock>('GET', '/_sandbox/clock');
  if (mode !== 'frozen' || nextDue === null) return [];
  return [
    `The clock is frozen at ${now} with ${counted(pending, 'job')} ahead, the next due at ${nextDue}: call clock.advance(…).`,
  ];
}
