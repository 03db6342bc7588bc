/** Messages: everything sent, each with its explanation; manual status reports; and one-time codes, in plain text. */
import { reportStatus } from '../../simulation/report-status.js';
import { channelErrorFor, found } from './given-values.js';
import { invalidField, ServiceError } from '../../domain/errors.js';
import { everything, findRows, readFilter } from './filters.js';
import { messageList } from './lists.js';
import { mayMove, movesFrom } from '../../domain/message.js';
import type { MessageStatus } from '../../domain/words.js';
import type { ControlHandlers } from './handler.js';
import { settled } from './wait.js';
import { show } from './show.js';

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
