/** Customers: their windows, their handsets, and their messages. */
import type { Account } from '../../account/account.js';
import { customerWrites, seeCustomer, type Inbound } from '../../simulation/customer-writes.js';
import { windowOf } from '../../simulation/window.js';
import { windowLengthMs, type Customer } from '../../domain/customer.js';
import { byDefault } from '../../domain/explain.js';
import { invalidField } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import { showCustomer } from '../../presenters/control/customer.js';
import { showMessage } from '../../presenters/control/message.js';
import { lastMessage } from '../../store/tables/filters.js';
import { handsetList } from './filter-fields.js';
import { customerList } from './set-up-fields.js';
import { listRows } from './filters.js';
import { found, instant } from './given-values.js';
import type { ControlHandlers } from './handler.js';
import { phone as phoneOf } from './listing.js';
import { settled } from './settle.js';

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

  listCustomers: (context) => listRows(customerList, context, (row) => showCustomerOf(context.account, row)),

  getCustomer: ({ account, name }) => {
    const phone = phoneOf(name);
    return showCustomerOf(account, found(account.store.tables.customers.get(phone), 'customer', phone));
  },

  listCustomerMessages: (context) => {
    const phone = phoneOf(context.name);
    const name = context.account.store.tables.customers.get(phone)?.profileName ?? null;
    return listRows(handsetList(phone), context, (row) => showMessage(row, name));
  },

  setCustomerWindow: (context) =>
    settled(context, ({ account, name, body }) => {
      const nowMs = account.clock.now();
      const wanted = body as { open: boolean } | { closes_at: string };
      const windowClosesAtMs =
        'closes_at' in wanted ? instant('closes_at', wanted.closes_at) : wanted.open ? nowMs + windowLengthMs : nowMs;
      const customer = seeCustomer(account, phoneOf(name));
      return showCustomerOf(account, account.store.tables.customers.patch(customer, { windowClosesAtMs }));
    }),
};

function requireMediaUrl({ media_url: url }: Inbound): void {
  if (url === undefined || URL.canParse(url)) return;
  throw invalidField('media_url', 'must be a complete http:// or https:// URL with a valid host and port');
}

function showCustomerOf(account: Account, customer: Customer) {
  return showCustomer(customer, lastMessage(account.store.tables, customer.id), windowOf(account, customer.id));
}
