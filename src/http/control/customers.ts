/** Customers: their windows, their handsets, and their messages. */
import { customerWrites, findOrCreateCustomer, type Inbound, windowOf } from '../../simulation/customer-writes.js';
import { windowLengthMs } from '../../domain/customer.js';
import { byDefault } from '../../domain/explain.js';
import { invalidField } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import { handsetList } from './lists.js';
import { listRows, phone } from './filters.js';
import { found, instant } from './given-values.js';
import type { ControlHandlers } from './handler.js';
import { settled } from './wait.js';
import { show } from './show.js';

const byCall = byDefault('A command sent this message as the customer.');

export const customers: ControlHandlers = {
  sendInbound: (context) =>
    settled(context, ({ account, body }) => {
      requireMediaUrl(body as Inbound);
      const { message, event, customer } = customerWrites(account, body as Inbound, byCall);
      return {
        message_id: message.id,
        event_id: event.id,
        // Null if a magic number keeps the window closed: then the message that would have opened it closes it.
        window_closes_at: isoTime(windowOf(account, customer.id).closesAtMs ?? account.clock.now()),
      };
    }),

  getCustomer: ({ account, name }) => show.customer(found(account, 'customers', phone(name)), account),

  listCustomerMessages: (context) => listRows(handsetList(phone(context.name)), context),

  setCustomerWindow: (context) =>
    settled(context, ({ account, name, body }) => {
      const nowMs = account.clock.now();
      const wanted = body as { open: boolean } | { closes_at: string };
      const windowClosesAtMs =
        'closes_at' in wanted ? instant('closes_at', wanted.closes_at) : wanted.open ? nowMs + windowLengthMs : nowMs;
      const customer = findOrCreateCustomer(account, phone(name));
      return show.customer(account.store.tables.customers.patch(customer, { windowClosesAtMs }), account);
    }),
};

function requireMediaUrl({ media_url: url }: Inbound): void {
  if (url === undefined || URL.canParse(url)) return;
  throw invalidField('media_url', 'must be a complete http:// or https:// URL with a valid host and port');
}
