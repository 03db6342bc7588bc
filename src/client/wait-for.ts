/** Waits in real time until something happens, instead of sleeping (`GET /_sandbox/wait`). */
import { counted } from '../domain/text.js';
import { parseDuration } from '../time/duration.js';
import { machineTime, pause } from '../time/system-clock.js';
import { at, type Connection, type Query, withQuery } from './connection.js';
import { SandboxError, type SandboxErrorParts } from './sandbox-error.js';
import type * as t from './types.js';

/** A filter, the number of records, and the time limit. Past records also count, starting after `after`. */
type Wanted<Filter> = Omit<Filter, 'before' | 'limit' | 'order'> & {
  /** Real time, at most 60s; default: 5s. */
  readonly timeout?: t.Duration;
  /** Waits for this number of records, and returns a list. */
  readonly count?: number;
};
type Single = { readonly count?: never };
/** The items of which a field, such as the type of an event, has one of these values. */
type Only<Item, Field extends keyof Item, Value> = Extract<Item, { readonly [Name in Field]: Value }>;

/**
 * Returns one record or, with `count`, a list. Use a predicate if a filter is not enough.
 * @throws SandboxError `wait_timeout` with the closest records
 */
export interface Waiter<Item, Filter, Field extends keyof Item & keyof Filter = never> {
  <Value extends Item[Field] = Item[Field]>(
    fits: (item: Only<Item, Field, Value>) => boolean,
    wanted?: Wanted<Filter> & { readonly [Name in Field]?: Value } & Single,
  ): Promise<Only<Item, Field, Value>>;
  <Value extends Item[Field] = Item[Field]>(
    wanted: Wanted<Filter> & { readonly [Name in Field]?: Value } & { readonly count: number },
  ): Promise<Only<Item, Field, Value>[]>;
  <Value extends Item[Field] = Item[Field]>(
    wanted?: Wanted<Filter> & { readonly [Name in Field]?: Value } & Single,
  ): Promise<Only<Item, Field, Value>>;
}

/** Messages of the application; with `direction: 'inbound'`, messages of customers. */
export interface MessageWaiter
  extends
    Waiter<t.Message, t.MessageFilter & { readonly direction?: 'outbound' }>,
    Waiter<t.InboundMessage, t.MessageFilter & { readonly direction: 'inbound' }> {}

const lists = {
  event: '/_sandbox/events',
  delivery: '/_sandbox/deliveries',
  message: '/_sandbox/messages',
  request: '/_sandbox/requests',
  otp: '/_sandbox/otps',
} as const;

type Subject = keyof typeof lists;
type Fits = (item: object) => boolean;

export function waitControl(connection: Connection) {
  const waiter = (subject: Subject): unknown =>
    function waitFor(wanted: Query | Fits = {}, more: Query = {}) {
      return typeof wanted === 'function'
        ? waitFitting(connection, subject, wanted, more)
        : wait(connection, subject, wanted);
    };
  return {
    event: waiter('event') as Waiter<t.Event, t.EventFilter, 'type'>,
    delivery: waiter('delivery') as Waiter<t.Delivery, t.DeliveryFilter>,
    message: waiter('message') as MessageWaiter,
    request: waiter('request') as Waiter<t.JournalRequest, t.RequestFilter>,
    otp: waiter('otp') as Waiter<t.Otp, t.OtpFilter>,
  };
}

/** The list of the journal shows no bodies, so each call is read on its own. */
export async function listRequests<Item>({ list, call }: Connection, filter?: Query): Promise<Item[]> {
  const listed = await list<{ id: string }>(lists.request, filter);
  return Promise.all(listed.map(({ id }) => call<Item>('GET', at`/_sandbox/requests/${id}`)));
}

/** Machine milliseconds. */
const lookAgainMs = 20;

/** The list is read repeatedly: a message or a delivery that does not match may match later. */
async function waitFitting(connection: Connection, subject: Subject, fits: Fits, wanted: Query): Promise<object> {
  const { timeout = '5s', ...filter } = wanted;
  const deadlineMs = machineTime.monotonic() + parseDuration(String(timeout));
  for (;;) {
    const items = await (subject === 'request'
      ? listRequests<object>(connection, filter)
      : connection.list<object>(lists[subject], filter));
    const found = items.find(fits);
    if (found !== undefined) return found;
    if (machineTime.monotonic() >= deadlineMs) {
      const message = `Within ${timeout} none of ${counted(items.length, subject)} satisfied the predicate.`;
      throw await timedOut(connection, { code: 'wait_timeout', message });
    }
    await pause(lookAgainMs);
  }
}

async function wait(connection: Connection, subject: Subject, wanted: Query): Promise<unknown> {
  try {
    const path = withQuery('/_sandbox/wait', { for: subject, ...wanted });
    const { items } = await connection.call<{ items: unknown[] }>('GET', path);
    return wanted['count'] === undefined ? items[0] : items;
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'wait_timeout') throw error;
    const { status, code, details } = error;
    const message = [error.message, ...nearMisses(details as unknown as readonly t.NearMiss[])].join('\n');
    throw await timedOut(connection, { status, code, message, details });
  }
}

function nearMisses(misses: readonly t.NearMiss[]): string[] {
  if (misses.length === 0) return ['There are none at all.'];
  const shown = (value: unknown) => JSON.stringify(value);
  const lines = misses.map(({ id, seq, differs }) => {
    const parts = differs.map(({ field, expected, found }) => `${field} is ${shown(found)}, not ${shown(expected)}`);
    return `  ${id} (seq ${seq}): ${parts.join('; ')}`;
  });
  return ['What came closest:', ...lines];
}

/** The usual reason for a timeout is a stopped clock. */
async function timedOut({ call }: Connection, error: SandboxErrorParts): Promise<SandboxError> {
  const { mode, now, pending, next_due: nextDue } = await call<t.Clock>('GET', '/_sandbox/clock');
  const ahead = `with ${counted(pending, 'job')} ahead, the next due at ${nextDue}`;
  const hint = `\nThe clock is frozen at ${now} ${ahead}: call clock.advance(…).`;
  return new SandboxError({ ...error, message: error.message + (mode === 'frozen' && nextDue !== null ? hint : '') });
}
