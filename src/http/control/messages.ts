/** Messages with manual status reports, and customers with their windows and messages. */
import { windowLengthMs } from '../../domain/customer.js';
import { invalidField, ServiceError } from '../../domain/errors.js';
import { byDefault } from '../../domain/explain.js';
import { isoTime } from '../../domain/instant.js';
import { mayMove, movesFrom } from '../../domain/message.js';
import type { MessageStatus } from '../../domain/words.js';
import { customerWrites, findOrCreateCustomer, type Inbound, windowOf } from '../../simulation/customer-writes.js';
import { reportStatus } from '../../simulation/report-status.js';
import { everything, findRows, readFilter, listRows, phone } from './filters.js';
import { channelErrorFor, found, instant } from './given-values.js';
import type { ControlHandlers } from './handler.js';
import { messageList, handsetList } from './lists.js';
import { show } from './show.js';
import { settled } from './wait.js';

export const messages: ControlHandlers = {
  countMessages: ({ account, query }) => {
    const { items } = findRows(messageList, account, readFilter(query), everything);
    const byStatus = { accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 };
    for (const { status } of items) byStatus[status] += 1;
    return { count: items.length, by_status: byStatus };
  },

  getStoredMessage: ({ account, name: id }) =>
    show.message(
      found(account, 'messages', id, ({ origin }) => origin !== 'inbound'),
      account,
    ),

  reportMessageStatus: async (context) => {
    const message = await settled(context, ({ account, name: id, body }) => {
      const { status, error } = body as { status: MessageStatus; error?: string | number };
      const message = found(account, 'messages', id, ({ origin }) => origin === 'api');
      if (error !== undefined && status !== 'failed') {
        throw invalidField('error', `belongs to status "failed" only; the status is "${status}"`);
      }
      if (!mayMove(message.status, status)) {
        const moves = movesFrom(message.status).join(', ') || 'nothing: it is final';
        throw new ServiceError(
          'illegal_transition',
          `A message that is ${message.status} cannot become ${status}; it can become ${moves}.`,
        );
      }
      const failure = status === 'failed' ? channelErrorFor(error) : undefined;
      reportStatus(account, message, status, failure, 'command');
      if (status === 'failed' || status === 'read') account.scheduler.cancelOf(message.id, 'message.status');
      return message;
    });
    return show.message(message, context.account);
  },
};

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
