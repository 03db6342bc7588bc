/**
 * The lists of the control plane: the fields that items show, by which each can be filtered, and their indexes. The
 * document declares the same filters; a test compares them.
 */
import type { Account } from '../../account/account.js';
import type { Customer } from '../../domain/customer.js';
import type { Delivery } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import { accountNumber, eventBody } from '../../domain/event.js';
import type { Explain } from '../../domain/explain.js';
import type { Job } from '../../domain/job.js';
import type { Message } from '../../domain/message.js';
import { shownState, type Otp } from '../../domain/otp.js';
import { bodyOf, type RequestRecord } from '../../domain/request-record.js';
import type { RunTimeRule } from '../../domain/script-state.js';
import type { Template } from '../../domain/template.js';
import { shownText } from '../../presenters/control/message.js';
import { showJob } from '../../presenters/control/records.js';
import { operationIdOf } from '../../scenario/schema/hooks.js';
import { windowOf } from '../../simulation/customer-writes.js';
import { anyOfList, type Field, glob, httpStatus, type List, plainLanguage, plainPhone, searchIn } from './filters.js';
import { eventList } from './event-list.js';
import { jobSubject } from './job-subject.js';
import { show } from './show.js';

export { eventList };

type Explained = { readonly explain?: Explain };

const decided = {
  by: { of: ({ explain }: Explained) => explain?.by },
  rule: { of: ({ explain }: Explained) => explain?.id },
};

const messageFields = {
  id: { of: (row) => row.id },
  message_id: { of: (row) => row.id },
  wamid: { of: (row) => row.wamid },
  direction: { of: (row) => (row.origin === 'inbound' ? 'inbound' : 'outbound'), ...anyOfList },
  from: { of: (row) => (row.origin === 'inbound' ? row.customer : accountNumber), ...plainPhone },
  to: { of: (row) => (row.origin === 'inbound' ? accountNumber : row.customer), ...plainPhone },
  type: { of: (row) => row.type, ...anyOfList },
  status: { of: (row) => row.status, ...anyOfList },
  text: { of: (row) => shownText(row.content), ...glob },
  media_url: { of: (row) => row.content.media_url },
  template: { of: (row) => row.content.template?.name, ...glob },
  language: { of: (row) => row.content.template?.language, ...plainLanguage },
  category: { of: (row) => row.content.template?.category },
  batch_id: { of: (row) => row.batchId },
  error: { of: (row) => row.error?.code },
  ...decided,
  search: searchIn((row) => [row.id, row.wamid, row.customer, shownText(row.content), ...namesIn(row)]),
} as const satisfies Readonly<Record<string, Field<Message>>>;

function namesIn({ content, error }: Message) {
  return [content.template?.name, content.media_url, error?.code];
}

/** Messages of the application; with `direction=inbound`, messages of customers; with both words, all. */
export const messageList: List<Message> = {
  table: 'messages',
  show: show.message,
  fields: messageFields,
  rows: ({ messages }, { direction, to, from }) => {
    const inbound = isInbound(direction);
    const customer = inbound ? (direction === 'inbound' ? from : undefined) : to;
    const rows = customer === undefined ? messages.all() : messages.list('customer', customer);
    return inbound ? rows : rows.filter(({ origin }) => origin === 'api');
  },
};

/** Whether a filter by direction takes messages of customers. */
function isInbound(direction: string | undefined): boolean {
  return direction?.includes('inbound') ?? false;
}

/** The conversation with one customer, in both directions. */
export function handsetList(customer: string): List<Message> {
  return {
    table: 'messages',
    show: show.message,
    fields: { ...messageFields, otp_id: { of: (row) => row.otpId } },
    rows: ({ messages }) => messages.list('customer', customer),
  };
}

/** The event of a delivery. */
function eventOf({ eventId }: Delivery, { store }: Account): Readonly<Record<string, unknown>> {
  const event = store.tables.events.get(eventId);
  return event ? event.data : {};
}

function attemptsOf({ id }: Delivery, { store }: Account) {
  return [...store.tables.attempts.list('delivery', id)];
}

export const deliveryList: List<Delivery> = {
  table: 'deliveries',
  show: show.delivery,
  fields: {
    id: { of: (row) => row.id },
    event: { of: ({ eventId, eventType }) => [eventId, eventType] },
    event_id: { of: (row) => row.eventId },
    event_type: { of: (row) => row.eventType },
    webhook_id: { of: (row) => row.endpointId },
    url: { of: (row) => row.url, ...glob },
    state: { of: (row) => row.state },
    /** Of any attempt. */
    status: { of: (row, account) => attemptsOf(row, account).map(({ status }) => status), ...httpStatus },
    error: { of: (row, account) => attemptsOf(row, account).map(({ error }) => error?.code) },
    message_id: { of: (row, account) => eventOf(row, account)['message_id'] as string | undefined },
    to: { of: (row, account) => eventOf(row, account)['to'] as string | undefined, ...plainPhone },
    from: { of: (row, account) => eventOf(row, account)['from'] as string | undefined, ...plainPhone },
    ...decided,
    search: searchIn((row, { store }) => {
      const event = store.tables.events.get(row.eventId);
      return [row.id, row.url, row.eventId, event && eventBody(event)];
    }),
  },
  rows: ({ deliveries }, { event = '' }) =>
    event.startsWith('evt_') ? deliveries.list('event', event) : deliveries.all(),
};

const inBody =
  (...path: string[]) =>
  ({ request }: RequestRecord) =>
    path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      bodyOf(request),
    ) as string | undefined;

export const requestList: List<RequestRecord> = {
  table: 'requests',
  show: show.request,
  showInList: show.requestInList,
  fields: {
    id: { of: (row) => row.id },
    operation: { of: (row) => row.operation, plain: operationIdOf },
    method: { of: (row) => row.method },
    path: { of: (row) => row.path, ...glob },
    status: { of: (row) => row.status, ...httpStatus },
    to: { of: inBody('to'), ...plainPhone },
    type: { of: inBody('type') },
    template: { of: (row) => [inBody('template', 'name')(row), inBody('template')(row)], ...glob },
    name: { of: inBody('name'), ...glob },
    otp_id: { of: inBody('otp_id') },
    url: { of: inBody('url'), ...glob },
    error: { of: (row) => row.error },
    fault: { of: (row) => row.fault },
    ...decided,
    search: searchIn(({ id, path, error, request, response }) => [id, path, error, request.text, response.text]),
  },
};

export const otpList: List<Otp> = {
  table: 'otps',
  show: show.otp,
  fields: {
    otp_id: { of: (row) => row.id },
    to: { of: (row) => row.to, ...plainPhone },
    code: { of: (row) => row.code },
    state: { of: (row, { clock }) => shownState(row, clock.now()) },
    template: { of: (row, { store }) => store.tables.templates.get(row.templateId)?.name, ...glob },
    message_id: { of: (row) => row.messageId },
    ...decided,
    search: searchIn(({ id, to, code, messageId }) => [id, to, code, messageId]),
  },
};

export const customerList: List<Customer> = {
  table: 'customers',
  show: show.customer,
  fields: {
    phone: { of: (row) => row.id, ...plainPhone },
    profile_name: { of: (row) => row.profileName, ...glob },
    open: { of: (row, account) => windowOf(account, row.id).open },
    search: searchIn(({ id, profileName }) => [id, profileName]),
  },
};

export const templateList: List<Template> = {
  table: 'templates',
  show: show.template,
  fields: {
    id: { of: (row) => row.id },
    name: { of: (row) => row.name, ...glob },
    category: { of: (row) => row.category },
    language: { of: (row) => row.language, ...plainLanguage },
    status: { of: (row) => row.status },
    rejection_reason: { of: (row) => row.rejectionReason, ...glob },
    ...decided,
    search: searchIn(({ id, name, body }) => [id, name, body]),
  },
};

export const endpointList: List<Endpoint> = {
  table: 'endpoints',
  show: show.endpoint,
  fields: {
    id: { of: (row) => row.id },
    url: { of: (row) => row.url, ...glob },
    alias: { of: (row) => row.alias },
    events: { of: (row) => row.events },
    status: { of: (row) => row.status },
    search: searchIn((row) => [row.id, row.url, row.alias]),
  },
};

export const ruleList: List<RunTimeRule> = {
  table: 'rules',
  show: show.rule,
  fields: {
    id: { of: (row) => row.id },
    when: { of: (row) => (row.rule as { when?: string }).when },
  },
};

export const jobList: List<Job> = {
  table: 'jobs',
  show: (job, account) => ({ ...showJob(job), ...jobSubject(account, job, true) }),
  fields: { job: { of: (row) => row.kind }, subject: { of: (row) => row.subject } },
};
