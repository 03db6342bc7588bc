import { windowLengthMs } from '../../domain/customer.js';
import { mustBe } from '../../domain/must-be.js';
import {
  channelErrors,
  findChannelError,
  invalidField,
  messageErrorOf,
  ServiceError,
  someFailure,
} from '../../domain/errors.js';
import { byDefault } from '../../domain/explain.js';
import { isoTime } from '../../domain/instant.js';
import { mayMove, movesFrom } from '../../domain/message.js';
import type { MessageError } from '../../domain/rows.js';
import { mayBecome } from '../../domain/template.js';
import type { MessageStatus } from '../../domain/words.js';
import { customerWrites, findOrCreateCustomer, type Inbound, windowOf } from '../../simulation/customer-writes.js';
import { reportStatus } from '../../simulation/report-status.js';
import { moveTemplate, reviewTemplate } from '../../simulation/review-template.js';
import { phone } from './filters.js';
import { lists } from './lists.js';
import type { ControlHandlers } from './handler.js';
import { show } from './show.js';
import { found, instant, rowOf } from './values.js';
import type { WebhookSlot } from '../../language/actions.js';
import { planOfCall } from './events.js';
import { settled } from './wait.js';

const byCall = byDefault('A command sent this message as the customer.');

export const messages: ControlHandlers = {
  countMessages: (context) => {
    const { items } = lists.listMessages.find(context);
    const byStatus = { accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 };
    for (const { status } of items) byStatus[status] += 1;
    return { count: items.length, by_status: byStatus };
  },

  getStoredMessage: ({ account, name: id }) => {
    return show.message(
      found(account, 'messages', id, ({ origin }) => origin !== 'inbound'),
      account,
    );
  },

  reportMessageStatus: async (context) => {
    const { account, name: id, body } = context;
    const { status, error } = body as { status: MessageStatus; error?: string | number };
    const message = await settled(context, () => {
      const message = found(account, 'messages', id, ({ origin }) => origin === 'api');
      if (error !== undefined && status !== 'failed')
        throw invalidField('error', `belongs to status "failed" only; the status is "${status}"`);
      if (!mayMove(message.status, status)) {
        const moves = movesFrom(message.status).join(', ') || 'nothing: it is final';
        throw new ServiceError(
          'illegal_transition',
          `A message that is ${message.status} cannot become ${status}; it can become ${moves}.`,
        );
      }
      reportStatus(account, message, status, status === 'failed' ? failureNamed(error) : undefined, 'command');
      if (status === 'failed' || status === 'read') account.scheduler.cancelOf(message.id, 'message.status');
      return message;
    });
    return show.message(message, account);
  },

  sendInbound: (context) => {
    const { account } = context;
    const { webhook, ...inbound } = context.body as Inbound & { readonly webhook?: WebhookSlot };
    const how = webhook ? { plan: planOfCall(webhook) } : {};
    return settled(context, () => {
      account.store.requireRoom();
      if (inbound.media_url !== undefined && !URL.canParse(inbound.media_url))
        throw invalidField('media_url', 'must be a complete http:// or https:// URL with a valid host and port');
      const { message, event, customer } = customerWrites(account, inbound, byCall, how);
      return {
        message_id: message.id,
        event_id: event.id,
        // Null if a magic number keeps the window closed: then the message that would have opened it closes it.
        window_closes_at: isoTime(windowOf(account, customer.id).closesAtMs ?? account.clock.now()),
      };
    });
  },

  getCustomer: ({ account, name }) => show.customer(found(account, 'customers', phone(name)), account),

  setCustomerWindow: (context) => {
    const { account, name, body } = context;
    return settled(context, () => {
      const nowMs = account.clock.now();
      const { open, closes_at: closesAt } = body as { open?: boolean; closes_at?: string };
      const endMs = open === true ? nowMs + windowLengthMs : nowMs;
      const windowClosesAtMs = closesAt === undefined ? endMs : instant('closes_at', closesAt);
      const customer = findOrCreateCustomer(account, phone(name));
      return show.customer(account.store.tables.customers.patch(customer, { windowClosesAtMs }), account);
    });
  },

  getStoredTemplate: rowOf('templates', show.template),

  reviewTemplate: (context) => {
    const { account, name: id, body } = context;
    const { decision, reason = null } = body as { decision: 'approved' | 'rejected'; reason?: string };
    return settled(context, () => {
      const template = found(account, 'templates', id);
      if (template.status !== 'pending') {
        throw new ServiceError(
          'illegal_transition',
          `Only a pending template can be reviewed; "${template.name}" is ${template.status}.`,
        );
      }
      reviewTemplate(account, template, { decision, reason }, 'command');
      return show.template(template, account);
    });
  },

  setTemplateStatus: (context) => {
    const { account, name: id, body } = context;
    const { status } = body as { status: 'paused' | 'approved' | 'deleted' };
    return settled(context, () => {
      const template = found(account, 'templates', id);
      if (!mayBecome(template.status, status)) {
        throw new ServiceError(
          'illegal_transition',
          `A template that is ${template.status} cannot become ${status}. An approved template can be paused, a paused one approved, and every template deleted; a pending one needs a review.`,
        );
      }
      moveTemplate(account, template, status, 'command');
      return show.template(template, account);
    });
  },

  getOtp: rowOf('otps', show.otp),
};

function failureNamed(nameOrNumber: string | number | undefined): MessageError {
  if (nameOrNumber === undefined) return someFailure;
  const known = findChannelError(nameOrNumber);
  if (known) return messageErrorOf(known);
  const allowed = channelErrors.map(({ code, channelCode }) => `${code} (${channelCode})`).join(', ');
  throw invalidField('error', mustBe(`the name or number of a channel failure: ${allowed}`, nameOrNumber));
}
