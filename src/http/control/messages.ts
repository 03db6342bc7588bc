/** Messages: everything sent, each with its explanation; and manual status reports. */
import type { Account } from '../../account/account.js';
import { reportStatus } from '../../simulation/report-status.js';
import { channelErrorFor, found } from './given-values.js';
import { invalidField, ServiceError } from '../../domain/errors.js';
import { mayMove, movesFrom, type Message, type MessageStatus } from '../../domain/message.js';
import { showMessage } from '../../presenters/control/message.js';
import { messageList } from './filter-fields.js';
import { listRows } from './filters.js';
import type { ControlHandlers } from './handler.js';
import { settled } from './settle.js';

export const messages: ControlHandlers = {
  listMessages: (context) => listRows(messageList, context, (row) => showMessage(row, nameOf(context.account, row))),

  getStoredMessage: ({ account, name: id }) => {
    const message = account.store.tables.messages.get(id);
    return showMessage(found(message?.origin === 'inbound' ? undefined : message, 'sent message', id));
  },

  reportMessageStatus: async (context) => {
    const message = await settled(context, ({ account, name: id, body }) => {
      const { status, error } = body as { status: MessageStatus; error?: string | number };
      const stored = account.store.tables.messages.get(id);
      const message = found(stored?.origin === 'api' ? stored : undefined, 'sent message', id);
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
    return showMessage(message);
  },
};

/** The name of the customer, as shown in an inbound message. */
export function nameOf({ store }: Account, { customer }: Message): string | null {
  return store.tables.customers.get(customer)?.profileName ?? null;
}
