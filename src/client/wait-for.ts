/** Waits in real time until something happens, instead of sleeping (`GET /_sandbox/wait`). */
import { counted } from '../domain/text.js';
import { type Connection, type Query, withQuery } from './connection.js';
import { SandboxError } from './sandbox-error.js';
import type * as t from './types.js';

/** A filter, the number of records, and the time limit. Past records also count, starting after `after`. */
type Wanted<Filter> = Omit<Filter, 'before' | 'limit' | 'order'> & {
  /** Real time, at most 60s; default: 5s. */
  readonly timeout?: t.Duration;
  /** Waits for this number of records, and returns a list. */
  readonly count?: number;
};

/**
 * Returns one record or, with `count`, a list.
 * @throws SandboxError `wait_timeout` with the closest records
 */
export interface Waiter<Item, Filter> {
  (wanted: Wanted<Filter> & { readonly count: number }): Promise<Item[]>;
  (wanted?: Wanted<Filter> & { readonly count?: never }): Promise<Item>;
}

/** The type of an event determines the type of its data. */
export interface EventWaiter {
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
    Waiter<t.Message, t.MessageFilter & { readonly direction?: 'outbound' }>,
    Waiter<t.InboundMessage, t.MessageFilter & { readonly direction: 'inbound' }> {}

export function waitControl(connection: Connection) {
  const waiter = (subject: string): unknown =>
    function waitFor(wanted: Query = {}) {
      return wait(connection, subject, wanted);
    };
  return {
    event: waiter('event') as EventWaiter,
    delivery: waiter('delivery') as Waiter<t.Delivery, t.DeliveryFilter>,
    message: waiter('message') as MessageWaiter,
    request: waiter('request') as Waiter<t.JournalRequest, t.RequestFilter>,
    otp: waiter('otp') as Waiter<t.Otp, t.OtpFilter>,
  };
}

/** The sandbox responds with the requested number of records, or with an error. */
async function wait({ call }: Connection, subject: string, wanted: Query): Promise<unknown> {
  try {
    const path = withQuery('/_sandbox/wait', { for: subject, ...wanted });
    const { items } = await call<{ items: unknown[] }>('GET', path);
    return wanted['count'] === undefined ? items[0] : items;
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'wait_timeout') throw error;
    const { status, code, details } = error;
    const lines = [error.message, ...nearMisses(details as unknown as readonly t.NearMiss[])];
    // The usual reason for a timeout: the clock is stopped.
    const { mode, now, pending, next_due: due } = await call<t.Clock>('GET', '/_sandbox/clock');
    if (mode === 'frozen' && due !== null) {
      const ahead = `with ${counted(pending, 'job')} ahead, the next due at ${due}`;
      lines.push(`The clock is frozen at ${now} ${ahead}: call clock.advance(…).`);
    }
    throw new SandboxError({ status, code, message: lines.join('\n'), details });
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
