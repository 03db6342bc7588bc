/** Customers: their windows, the handset, and what they write (contract §4). */
import { perform } from '../../account/account.js';
import { customerWrites, seeCustomer, type Inbound } from '../../channel/customer-writes.js';
import { windowLengthMs } from '../../domain/customer.js';
import { isoTime } from '../../domain/instant.js';
import { showCustomer, showMessage } from '../../presenters/control.js';
import { found } from './find.js';
import type { ControlHandlers } from './handler.js';
import { pageQuery, phone as phoneOf, shownPage } from './listing.js';

export const customers: ControlHandlers = {
  sendInbound: ({ account, body }) =>
    perform(account, () => {
      const { message, event, customer } = customerWrites(account, body as Inbound);
      return {
        message_id: message.id,
        event_id: event.id,
        window_closes_at: isoTime(customer.windowClosesAtMs ?? account.clock.now()),
      };
    }),

  listCustomers: ({ account, query }) => {
    const nowMs = account.clock.now();
    return shownPage(account.store.tables.customers.page({}, pageQuery(query)), (row) => showCustomer(row, nowMs));
  },

  getCustomer: ({ account, params }) => {
    const phone = phoneOf(params['phone'] ?? '');
    return showCustomer(found(account.store.tables.customers.get(phone), 'customer', phone), account.clock.now());
  },

  listCustomerMessages: ({ account, params, query }) => {
    const phone = phoneOf(params['phone'] ?? '');
    const { customers: known, messages } = account.store.tables;
    const name = known.get(phone)?.profileName ?? null;
    return shownPage(messages.page({ customer: phone }, pageQuery(query)), (row) => showMessage(row, name));
  },

  setCustomerWindow: ({ account, params, body }) =>
    perform(account, () => {
      const nowMs = account.clock.now();
      const wanted = body as { open: boolean } | { closes_at: string };
      const windowClosesAtMs =
        'closes_at' in wanted ? Date.parse(wanted.closes_at) : wanted.open ? nowMs + windowLengthMs : nowMs;
      const customer = seeCustomer(account, phoneOf(params['phone'] ?? ''));
      return showCustomer(account.store.tables.customers.patch(customer, { windowClosesAtMs }), nowMs);
    }),
};
