/** A customer: the person with a phone number, played by the test. */
import { instant } from './clock.js';
import { type Connection, listAll } from './connection.js';
import { SandboxError } from './sandbox-error.js';
import { parseDuration } from '../time/duration.js';
import type {
  Button,
  Clock,
  Customer,
  Duration,
  HandsetMessage,
  Inbound,
  InboundResult,
  HandsetFilter,
  Timestamp,
} from './types.js';

export type CustomerControl = Readonly<ReturnType<typeof customerControl>>;

export function customerControl(connection: Connection, phone: string) {
  const path = `/_sandbox/customers/${encodeURIComponent(phone)}`;
  const write = (inbound: Inbound) =>
    connection.call<InboundResult>('POST', '/_sandbox/inbound', { from: phone, ...inbound });
  const setWindow = (input: object) => connection.call<Customer>('PUT', `${path}/window`, input);
  const messages = (filter: HandsetFilter = {}): Promise<HandsetMessage[]> =>
    listAll(connection, `${path}/messages`, filter);
  return {
    phone,
    /** Writes to the account: opens the window and fires `message.received`. A missing text is generated. */
    says: (what: string | Inbound = {}): Promise<InboundResult> =>
      write(typeof what === 'string' ? { text: what } : what),
    /**
     * Taps a button of the latest message that has it: by title, by id, or by its position in the latest message with
     * buttons, counted from 1. A complete `{ id, title }` is tapped whether or not it was shown.
     * @throws SandboxError `not_found` with the existing buttons
     */
    taps: async (button: string | number | Button): Promise<InboundResult> => {
      const interactive =
        typeof button === 'object' ? button : findButton(phone, await messages({ order: 'desc' }), button);
      return write({ type: 'interactive', interactive });
    },
    /** The 24-hour window, opened or closed without a message. */
    window: {
      /** Opens the window for 24 hours, or for a given time: `open('1h')`. */
      open: async (length?: Duration): Promise<Customer> => {
        if (length === undefined) return setWindow({ open: true });
        const { now } = await connection.call<Clock>('GET', '/_sandbox/clock');
        return setWindow({ closes_at: new Date(Date.parse(now) + parseDuration(length)).toISOString() });
      },
      close: (): Promise<Customer> => setWindow({ open: false }),
      closeAt: (at: Date | Timestamp): Promise<Customer> => setWindow({ closes_at: instant(at) }),
    },
    /** The handset: messages in both directions, as this customer sees them. */
    messages,
    /**
     * Name and window.
     * @throws SandboxError `not_found` for a number without any messages
     */
    get: (): Promise<Customer> => connection.call('GET', path),
  };
}

/** @param shown the handset, newest first */
function findButton(phone: string, shown: readonly HandsetMessage[], wanted: string | number): Button {
  const sets = shown.map(buttonsOf).filter((buttons) => buttons.length > 0);
  const candidates = typeof wanted === 'number' ? (sets[0] ?? []) : sets.flat();
  const found =
    typeof wanted === 'number'
      ? candidates[wanted - 1]
      : (candidates.find(({ title }) => title === wanted) ?? candidates.find(({ id }) => id === wanted));
  if (found) return found;
  const known = candidates.map(({ id, title }) => `"${title}" (id ${id})`).join(', ');
  throw new SandboxError({
    code: 'not_found',
    message: `${phone} has no button ${JSON.stringify(wanted)} to tap. ${known === '' ? 'Nothing with buttons was sent to this number.' : `There are: ${known}.`}`,
  });
}

/** The buttons to tap: quick replies of an interactive message or of a template. */
function buttonsOf(message: HandsetMessage): Button[] {
  if (message.direction === 'inbound') return [];
  if (message.interactive) return message.interactive.buttons;
  return (message.template?.buttons ?? []).flatMap(({ type, text }) =>
    type === 'quick_reply' && typeof text === 'string' ? [{ id: text, title: text }] : [],
  );
}
