import type { Delivery, Message, RequestRecord } from '../../domain/rows.js';
import type { Account } from '../../account/account.js';
import { accountNumber, eventBody } from '../../domain/event.js';
import { isoTime } from '../../domain/instant.js';
import { shownState } from '../../domain/otp.js';
import { bodyOf } from '../../domain/request.js';
import { showSinkRequest } from '../../presenters/control/events.js';
import { shownText } from '../../presenters/control/records.js';
import { windowOf } from '../../simulation/customer-writes.js';
import { showAccount } from './accounts.js';
import { shownStatus } from '../../store/account-data.js';
import { type Field, List, type ListOptions, phone } from './filters.js';
import type { ControlContext, ControlHandlers } from './handler.js';
import { showKnown } from './scenario.js';
import { show } from './show.js';

const messages: ListOptions<Message> = {
  table: (tables) => tables.messages,
  show: show.message,
  fields: {
    message_id: (row) => row.id,
    direction: (row) => (row.origin === 'inbound' ? 'inbound' : 'outbound'),
    from: (row) => (row.origin === 'inbound' ? row.customer : accountNumber),
    to: (row) => (row.origin === 'inbound' ? accountNumber : row.customer),
    status: shownStatus,
    text: (row) => shownText(row.content),
    media_url: (row) => row.content.media_url,
    template: (row) => row.content.template?.name,
    language: (row) => row.content.template?.language,
    category: (row) => row.content.template?.category,
    error: (row) => row.error?.code,
    search: ({ id, wamid, customer, content, error }, { store }) => [
      ...[id, wamid, customer, store.tables.customers.get(customer)?.profileName, shownText(content)],
      ...[content.template?.name, content.media_url, error?.code],
    ],
  },
};

/** Messages of the application; with `direction=inbound` or `status=received`, messages of customers; with both words, all. */
function belongsToMessages({ query }: ControlContext): (row: Message) => boolean {
  return namesInbound(query) ? () => true : ({ origin }) => origin === 'api';
}

function namesInbound({ direction, status }: ControlContext['query']): boolean {
  const names = (list: unknown, word: string): boolean => typeof list === 'string' && list.split(',').includes(word);
  return direction === undefined ? names(status, 'received') : names(direction, 'inbound');
}

/** By number, or by status. */
function indexedMessages({ account, query }: ControlContext): readonly Message[] | null {
  const { to } = query;
  const { messages } = account.store.tables;
  if (typeof to === 'string' && /^[+ ]?\d+$/.test(to) && !namesInbound(query))
    return messages.list('customer', phone(to));
  return ofOneKind(messages, query['status']);
}

function ofOneKind<R>(table: { ofRareKind(kind: string): R[] | null }, wanted: unknown): R[] | null {
  return typeof wanted === 'string' && /^[\w.]+$/.test(wanted) ? table.ofRareKind(wanted) : null;
}

const inEvent =
  (name: string): Field<Delivery> =>
  ({ eventId }, { store }) =>
    store.tables.events.get(eventId)?.data[name] as string | undefined;

function attemptsOf({ id }: Delivery, { store }: Account) {
  return store.tables.attempts.list('delivery', id);
}

const inBody =
  (...path: string[]): Field<RequestRecord> =>
  ({ request }) =>
    path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      bodyOf(request),
    ) as string | undefined;

export const lists = {
  listMessages: new List({ ...messages, belongs: belongsToMessages, indexed: indexedMessages }),
  listCustomerMessages: new List({
    ...messages,
    rows: ({ account, name }) => account.store.tables.messages.list('customer', phone(name)),
  }),
  // Events can be filtered by every field of their data, with the prefix `data.` or without it.
  listEvents: new List({
    table: ({ events }) => events,
    indexed: ({ account, query }) => ofOneKind(account.store.tables.events, query['type']),
    show: show.event,
    fields: {
      id: (row) => row.id,
      type: (row) => row.type,
      error: (row) => (row.data['error'] as { code?: string } | null | undefined)?.code,
      search: (row) => eventBody(row),
    },
    other: (name) => (row) => row.data[name.replace('data.', '')] as string | undefined,
  }),
  listDeliveries: new List({
    table: ({ deliveries }) => deliveries,
    show: show.delivery,
    showInList: show.deliveryInList,
    fields: {
      event: ({ eventId, eventType }) => [eventId, eventType],
      webhook_id: (row) => row.endpointId,
      // Of any attempt.
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
  }),
  listRequests: new List({
    table: ({ requests }) => requests,
    show: show.request,
    showInList: show.requestInList,
    fields: {
      to: inBody('to'),
      type: inBody('type'),
      template: (row, account) => [inBody('template', 'name'), inBody('template')].flatMap((of) => of(row, account)),
      name: inBody('name'),
      otp_id: inBody('otp_id'),
      url: inBody('url'),
      search: ({ id, path, error, request, response }) => [id, path, error, request.text, response.text],
    },
  }),
  listOtps: new List({
    table: ({ otps }) => otps,
    show: show.otp,
    fields: {
      otp_id: (row) => row.id,
      state: (row, { clock }) => shownState(row, clock.now()),
      template: (row, { store }) => store.tables.templates.get(row.templateId)?.name,
      search: ({ id, to, code, messageId }) => [id, to, code, messageId],
    },
  }),
  listCustomers: new List({
    table: ({ customers }) => customers,
    show: show.customer,
    fields: {
      phone: (row) => row.id,
      open: (row, account) => windowOf(account, row.id).open,
      search: ({ id, profileName }) => [id, profileName],
    },
  }),
  listStoredTemplates: new List({
    table: ({ templates }) => templates,
    show: show.template,
    fields: { search: ({ id, name, body }) => [id, name, body] },
  }),
  listEndpoints: new List({
    table: ({ endpoints }) => endpoints,
    show: show.endpoint,
    fields: { search: ({ id, url, alias }) => [id, url, alias] },
  }),
  listRules: new List({
    table: ({ rules }) => rules,
    show: show.rule,
    fields: { when: (row) => (row.rule as { when?: string }).when },
  }),
  listJobs: new List({
    table: ({ jobs }) => jobs,
    show: show.job,
    fields: { job: (row) => row.kind },
  }),
  listSinkReceived: new List({
    table: ({ sinkRequests }) => sinkRequests,
    show: showSinkRequest,
    rows: ({ account, name }) => account.store.tables.sinkRequests.list('sink', name),
  }),
  listAccounts: new List({
    rows: ({ service: { accounts } }) => Array.from(accounts.all(), (account) => ({ account, seq: account.number })),
    show: ({ account, seq }) => showAccount(account, seq),
    fields: {
      key: ({ account }) => account.key,
      clock_mode: ({ account }) => account.clock.mode,
      scenario: ({ account }) => account.script.scenario?.name,
    },
  }),
  listScenarios: new List({
    rows: ({ account, service: { scenarios } }) =>
      scenarios.list().map((entry, i) => showKnown(account, { ...entry, seq: i + 1 }, scenarios)),
    show: (row) => row,
  }),
  listRefused: new List({
    rows: ({ service }) => service.rejected.all,
    show: ({ atMs, query, headers, response: _, ...call }) => ({
      ...call,
      at: isoTime(atMs),
      request: { headers, ...(query !== '' && { query }) },
    }),
    fields: { search: ({ id, path, message }) => [id, path, message] },
  }),
};

export const listHandlers: ControlHandlers = Object.fromEntries(
  Object.entries(lists).map(([id, list]) => [id, (context: ControlContext) => list.text(context)]),
);
