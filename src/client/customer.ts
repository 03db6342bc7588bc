import { parseDuration } from '../time/duration.js';
import { instant } from './clock.js';
import { at, type Connection } from './connection.js';
import { SandboxError } from './sandbox-error.js';
import type * as t from './types.js';

export type CustomerControl = Readonly<ReturnType<typeof customerControl>>;

export function customerControl({ call, list }: Connection, phone: string) {
  const write = (inbound: t.Inbound): Promise<t.InboundResult> =>
    call('POST', '/_sandbox/inbound', { from: phone, ...inbound });
  const setWindow = (window: t.WindowInput): Promise<t.Customer> =>
    call('PUT', at`/_sandbox/customers/${phone}/window`, window);
  const messages = (filter?: t.HandsetFilter): Promise<t.HandsetMessage[]> =>
    list(at`/_sandbox/customers/${phone}/messages`, filter);
  return {
    phone,
    /**
     * Writes to the account: opens the window and fires `message.received`. A missing text is generated. `webhook` has the
     * faults of the delivery: `says('Hi', { webhook: { duplicate: 1 } })`.
     */
    says: (what: string | t.Inbound = {}, { webhook }: Pick<t.Inbound, 'webhook'> = {}): Promise<t.InboundResult> =>
      write({ ...(typeof what === 'string' ? { text: what } : what), ...(webhook && { webhook }) }),
    /**
     * Taps a button of the latest message that has it, by title or by id. A complete `{ id, title }` is tapped whether or
     * not it was shown.
     * @throws SandboxError `not_found` with the existing buttons
     */
    taps: async (button: string | t.Button): Promise<t.InboundResult> => {
      const interactive =
        typeof button === 'object' ? button : findButton(phone, await messages({ order: 'desc' }), button);
      return write({ type: 'interactive', interactive });
    },
    /** The 24-hour window, opened or closed without a message. */
    window: {
      /** Opens the window for 24 hours, or for a given time: `open('1h')`. */
      open: async (length?: t.Duration): Promise<t.Customer> => {
        if (length === undefined) return setWindow({ open: true });
        const { now } = await call<t.Clock>('GET', '/_sandbox/clock');
        return setWindow({ closes_at: new Date(Date.parse(now) + parseDuration(length)).toISOString() });
      },
      close: (): Promise<t.Customer> => setWindow({ open: false }),
      closeAt: (at: Date | t.Timestamp): Promise<t.Customer> => setWindow({ closes_at: instant(at) }),
    },
    /** The handset: messages in both directions, as this customer sees them. */
    messages,
    /**
     * Name and window.
     * @throws SandboxError `not_found` for a number without any messages
     */
    get: (): Promise<t.Customer> => call('GET', at`/_sandbox/customers/${phone}`),
  };
}

/** The newest message comes first. */
function findButton(phone: string, shown: readonly t.HandsetMessage[], wanted: string): t.Button {
  const candidates = shown.flatMap(buttonsOf);
  const found = candidates.find(({ title }) => title === wanted) ?? candidates.find(({ id }) => id === wanted);
  if (found) return found;
  const known = candidates.map(({ id, title }) => `"${title}" (id ${id})`).join(', ');
  const hint = known === '' ? 'Nothing with buttons was sent to this number.' : `There are: ${known}.`;
  const message = `${phone} has no button ${JSON.stringify(wanted)} to tap. ${hint}`;
  throw new SandboxError({ code: 'not_found', message });
}

function buttonsOf(message: t.HandsetMessage): t.Button[] {
  if (message.direction === 'inbound') return [];
  if (message.interactive) return message.interactive.buttons;
  return (message.template?.buttons ?? []).flatMap(({ type, text }) =>
    type === 'quick_reply' && typeof text === 'string' ? [{ id: text, title: text }] : [],
  );
}
