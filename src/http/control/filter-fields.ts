/**
 * Filters of the lists of messages and calls: the fields that items show. The document declares the same filters; a
 * test compares them.
 */
import type { Account } from '../../account/account.js';
import { deliveryStates, type Delivery } from '../../domain/delivery.js';
import { accountNumber, dataOf, type Event, eventTypes } from '../../domain/event.js';
import { messageStatuses, messageTypes, type Message } from '../../domain/message.js';
import { shownState, type Otp } from '../../domain/otp.js';
import { bodyOf, type RequestRecord } from '../../domain/request-record.js';
import { templateCategories } from '../../domain/template.js';
import { shownText } from '../../presenters/control/message.js';
import { operationIdOf, operationNames } from '../../scenario/language/operation-names.js';
import { pageDeliveries, pageEvents, pageMessages, pageRequests } from '../../store/tables/filters.js';
import { decidedBy, exact, type Field, glob, httpStatus, type List, plainLanguage, plainPhone } from './filters.js';

const messageFields = {
  id: { of: (row) => row.id },
  message_id: { of: (row) => row.id },
  wamid: { of: (row) => row.wamid },
  direction: { of: (row) => (row.origin === 'inbound' ? 'inbound' : 'outbound'), words: ['inbound', 'outbound'] },
  from: { of: (row) => (row.origin === 'inbound' ? row.customer : accountNumber), ...plainPhone },
  to: { of: (row) => (row.origin === 'inbound' ? accountNumber : row.customer), ...plainPhone },
  type: { of: (row) => row.type, words: messageTypes },
  status: { of: (row) => row.status, words: [...messageStatuses, 'received'] },
  text: { of: (row) => shownText(row.content), ...glob },
  media_url: { of: (row) => row.content.media_url },
  template: { of: (row) => row.content.template?.name, ...glob },
  language: { of: (row) => row.content.template?.language, ...plainLanguage },
  category: { of: (row) => row.content.template?.category, words: templateCategories },
  batch_id: { of: (row) => row.batchId },
  error: { of: (row) => row.error?.code },
  by: { of: (row) => row.explain.by, words: decidedBy },
  rule: { of: (row) => row.explain.id },
} as const satisfies Readonly<Record<string, Field<Message>>>;

/** Messages of the application; with `direction=inbound`, messages of customers. */
export const messageList: List<Message> = {
  fields: messageFields,
  source: ({ store: { tables } }, filter) => {
    if (filter['direction'] === 'inbound') {
      const customer = filter['from'];
      return { page: (query) => tables.messages.page(customer === undefined ? {} : { customer }, query), covers: [] };
    }
    const { part, covers } = exact(filter, ['to', 'status', 'type']);
    return { page: (query) => pageMessages(tables, part, query), covers: [...covers, 'direction'] };
  },
};

/** The conversation with one customer, in both directions. */
export function handsetList(customer: string): List<Message> {
  const source = ({ store: { tables } }: Account) => ({
    page: (query: Parameters<typeof tables.messages.page>[1]) => tables.messages.page({ customer }, query),
    covers: [],
  });
  return { fields: { ...messageFields, otp_id: { of: (row) => row.otpId } }, source };
}

const inData = (name: string) => (row: Event) => dataOf(row)[name] as string | undefined;

export const eventList: List<Event> = {
  fields: {
    id: { of: (row) => row.id },
    type: { of: (row) => row.type, words: eventTypes },
    message_id: { of: inData('message_id') },
    wamid: { of: inData('wamid') },
    from: { of: inData('from'), ...plainPhone },
    to: { of: inData('to'), ...plainPhone },
    status: { of: inData('status'), words: ['sent', 'delivered', 'read', 'failed', 'approved', 'rejected'] },
    text: { of: inData('text'), ...glob },
    media_url: { of: inData('media_url') },
    profile_name: { of: inData('profile_name'), ...glob },
    otp_id: { of: inData('otp_id') },
    template_id: { of: inData('template_id') },
    name: { of: inData('name'), ...glob },
    language: { of: inData('language'), ...plainLanguage },
    category: { of: inData('category'), words: templateCategories },
    rejection_reason: { of: inData('rejection_reason'), ...glob },
    error: { of: (row) => (dataOf(row)['error'] as { code?: string } | null | undefined)?.code },
    'data.type': { of: inData('type'), words: messageTypes },
  },
  source: ({ store: { tables } }, filter) => {
    const { part, covers } = exact(filter, ['type', 'message_id']);
    return { page: (query) => pageEvents(tables, part, query), covers };
  },
};

/** The event of a delivery. */
function eventOf({ eventId }: Delivery, { store }: Account): Readonly<Record<string, unknown>> {
  const event = store.tables.events.get(eventId);
  return event ? dataOf(event) : {};
}

function attemptsOf({ id }: Delivery, { store }: Account) {
  return [...store.tables.attempts.list('delivery', id)];
}

export const deliveryList: List<Delivery> = {
  fields: {
    id: { of: (row) => row.id },
    event: { of: ({ eventId, eventType }) => [eventId, eventType] },
    event_id: { of: (row) => row.eventId },
    event_type: { of: (row) => row.eventType, words: eventTypes },
    webhook_id: { of: (row) => row.endpointId },
    url: { of: (row) => row.url, ...glob },
    state: { of: (row) => row.state, words: deliveryStates },
    /** Of any attempt. */
    status: { of: (row, account) => attemptsOf(row, account).map(({ status }) => status), ...httpStatus },
    error: { of: (row, account) => attemptsOf(row, account).map(({ error }) => error?.code) },
    message_id: { of: (row, account) => eventOf(row, account)['message_id'] as string | undefined },
    to: { of: (row, account) => eventOf(row, account)['to'] as string | undefined, ...plainPhone },
    from: { of: (row, account) => eventOf(row, account)['from'] as string | undefined, ...plainPhone },
    by: { of: (row) => row.explain?.by, words: decidedBy },
    rule: { of: (row) => row.explain?.id },
  },
  source: ({ store: { tables } }, filter) => {
    const { part, covers } = exact(filter, ['event', 'event_type', 'webhook_id', 'state']);
    return { page: (query) => pageDeliveries(tables, part, query), covers };
  },
};

const inBody =
  (...path: string[]) =>
  ({ request }: RequestRecord) =>
    path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      bodyOf(request),
    ) as string | undefined;

export const requestList: List<RequestRecord> = {
  fields: {
    id: { of: (row) => row.id },
    operation: { of: (row) => row.operation, words: operationNames, plain: operationIdOf },
    method: {
      of: (row) => row.method,
      words: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
      plain: (value) => value.toUpperCase(),
    },
    path: { of: (row) => row.path, ...glob },
    status: { of: (row) => row.status, ...httpStatus },
    to: { of: inBody('to'), ...plainPhone },
    type: { of: inBody('type'), words: messageTypes },
    template: { of: (row) => [inBody('template', 'name')(row), inBody('template')(row)], ...glob },
    name: { of: inBody('name'), ...glob },
    otp_id: { of: inBody('otp_id') },
    url: { of: inBody('url'), ...glob },
    error: { of: (row) => row.error },
    fault: { of: (row) => row.fault },
    by: { of: (row) => row.explain?.by, words: decidedBy },
    rule: { of: (row) => row.explain?.id },
  },
  source: ({ store: { tables } }, filter) => {
    const { part, covers } = exact(filter, ['path', 'method', 'status', 'operation']);
    return { page: (query) => pageRequests(tables, part, query), covers };
  },
};

export const otpList: List<Otp> = {
  fields: {
    otp_id: { of: (row) => row.id },
    to: { of: (row) => row.to, ...plainPhone },
    code: { of: (row) => row.code },
    state: { of: (row, { clock }) => shownState(row, clock.now()), words: ['active', 'verified', 'locked', 'expired'] },
    template: { of: (row, { store }) => store.tables.templates.get(row.templateId)?.name, ...glob },
    message_id: { of: (row) => row.messageId },
    by: { of: (row) => row.explain.by, words: decidedBy },
    rule: { of: (row) => row.explain.id },
  },
  source: ({ store: { tables } }, { to }) => ({
    page: (query) => tables.otps.page(to === undefined ? {} : { to }, query),
    covers: ['to'],
  }),
};
