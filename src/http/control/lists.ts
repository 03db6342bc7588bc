/** The lists of the control plane that are in tables. */
import type { Account } from '../../account/account.js';
import type {
  Customer,
  Delivery,
  Endpoint,
  Event,
  Job,
  Message,
  Otp,
  RequestRecord,
  RunTimeRule,
  SinkRequest,
  Template,
} from '../../domain/rows.js';
import { accountNumber, eventBody } from '../../domain/event.js';
import { shownState } from '../../domain/otp.js';
import { bodyOf } from '../../domain/request.js';
import { shownText, showJob } from '../../presenters/control/records.js';
import { showSinkRequest } from '../../presenters/control/events.js';
import { windowOf } from '../../simulation/customer-writes.js';
import type { TableList } from './filters.js';
import { jobSubject } from './clock.js';
import { show } from './show.js';

/** Messages of the application; with `direction=inbound`, messages of customers; with both words, all. */
export const messageList: TableList<Message> = {
  table: 'messages',
  show: show.message,
  fields: {
    message_id: (row) => row.id,
    direction: (row) => (row.origin === 'inbound' ? 'inbound' : 'outbound'),
    from: (row) => (row.origin === 'inbound' ? row.customer : accountNumber),
    to: (row) => (row.origin === 'inbound' ? accountNumber : row.customer),
    text: (row) => shownText(row.content),
    media_url: (row) => row.content.media_url,
    template: (row) => row.content.template?.name,
    language: (row) => row.content.template?.language,
    category: (row) => row.content.template?.category,
    error: (row) => row.error?.code,
    search: ({ id, wamid, customer, content, error }) => [
      ...[id, wamid, customer, shownText(content)],
      ...[content.template?.name, content.media_url, error?.code],
    ],
  },
  rows: ({ messages }, { direction, to, from }) => {
    const inbound = direction?.includes('inbound') ?? false;
    const customer = inbound ? (direction === 'inbound' ? from : undefined) : to;
    const rows = customer === undefined ? messages.all() : messages.list('customer', customer);
    return inbound ? rows : rows.filter(({ origin }) => origin === 'api');
  },
};

/** The conversation with one customer, in both directions. */
export function handsetList(customer: string): TableList<Message> {
  return { ...messageList, rows: ({ messages }) => messages.list('customer', customer) };
}

/** Events can be filtered by every field of their data, with the prefix `data.` or without it. */
export const eventList: TableList<Event> = {
  table: 'events',
  show: show.event,
  fields: {
    id: (row) => row.id,
    type: (row) => row.type,
    error: (row) => (row.data['error'] as { code?: string } | null | undefined)?.code,
    search: (row) => eventBody(row),
  },
  other: (name) => (row) => row.data[name.replace('data.', '')] as string | undefined,
};

/** A field of the event of a delivery. */
const inEvent =
  (name: string) =>
  ({ eventId }: Delivery, { store }: Account) =>
    store.tables.events.get(eventId)?.data[name] as string | undefined;

function attemptsOf({ id }: Delivery, { store }: Account) {
  return store.tables.attempts.list('delivery', id);
}

export const deliveryList: TableList<Delivery> = {
  table: 'deliveries',
  show: show.delivery,
  fields: {
    event: ({ eventId, eventType }) => [eventId, eventType],
    webhook_id: (row) => row.endpointId,
    /** Of any attempt. */
    status: (row, account) => attemptsOf(row, account).map(({ status }) => status),
    error: (row, account) => attemptsOf(row, account).map(({ error }) => error?.code),
    message_id: inEvent('message_id'),
    to: inEvent('to'),
    from: inEvent('from'),
    search: (row, { store }) => {
      const event = store.tables.events.get(row.eventId);
      return [row.id, row.url, row.eventId, event && eventBody(event)];
    },
  },
  rows: ({ deliveries }, { event = '' }) =>
    event.startsWith('evt_') ? deliveries.list('event', event) : deliveries.all(),
};

/** A field of the body of a request. */
const inBody =
  (...path: string[]) =>
  ({ request }: RequestRecord) =>
    path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      bodyOf(request),
    ) as string | undefined;

export const requestList: TableList<RequestRecord> = {
  table: 'requests',
  show: show.request,
  showInList: show.requestInList,
  fields: {
    to: inBody('to'),
    type: inBody('type'),
    template: (row) => [inBody('template', 'name')(row), inBody('template')(row)],
    name: inBody('name'),
    otp_id: inBody('otp_id'),
    url: inBody('url'),
    search: ({ id, path, error, request, response }) => [id, path, error, request.text, response.text],
  },
};

export const otpList: TableList<Otp> = {
  table: 'otps',
  show: show.otp,
  fields: {
    otp_id: (row) => row.id,
    state: (row, { clock }) => shownState(row, clock.now()),
    template: (row, { store }) => store.tables.templates.get(row.templateId)?.name,
    search: ({ id, to, code, messageId }) => [id, to, code, messageId],
  },
};

export const customerList: TableList<Customer> = {
  table: 'customers',
  show: show.customer,
  fields: {
    phone: (row) => row.id,
    open: (row, account) => windowOf(account, row.id).open,
    search: ({ id, profileName }) => [id, profileName],
  },
};

export const templateList: TableList<Template> = {
  table: 'templates',
  show: show.template,
  fields: { search: ({ id, name, body }) => [id, name, body] },
};

export const endpointList: TableList<Endpoint> = {
  table: 'endpoints',
  show: show.endpoint,
  fields: { search: ({ id, url, alias }) => [id, url, alias] },
};

export const ruleList: TableList<RunTimeRule> = {
  table: 'rules',
  show: show.rule,
  fields: { when: (row) => (row.rule as { when?: string }).when },
};

export const jobList: TableList<Job> = {
  table: 'jobs',
  show: (job, account) => ({ ...showJob(job), ...jobSubject(account, job, true) }),
  fields: { job: (row) => row.kind },
};

/** The requests that the sink of this name has received. */
export function receivedList(name: string): TableList<SinkRequest> {
  return {
    table: 'sinkRequests',
    show: showSinkRequest,
    fields: {},
    rows: ({ sinkRequests }) => sinkRequests.list('sink', name),
  };
}
