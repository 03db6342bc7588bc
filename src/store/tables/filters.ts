/** Evaluates the filters of the control plane with indexes: no list scans its table. */
import type { Tables } from './account-data.js';
import { ALL } from './account-data.js';
import { mergedPage, type Page, type PageQuery } from './page.js';
import type { Delivery } from '../../domain/delivery.js';
import { isEventType, type Event } from '../../domain/event.js';
import type { Message } from '../../domain/message.js';
import type { RequestRecord } from '../../domain/request-record.js';

export interface MessageFilter {
  readonly to?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
}

export function pageMessages(
  { messages }: Tables,
  { to, status, type }: MessageFilter,
  query: PageQuery,
): Page<Message> {
  const sent = to === undefined ? {} : { customer: to, sent: ALL };
  if (status === undefined) {
    return messages.page(type === undefined ? { ...sent, sent: ALL } : { ...sent, type }, query);
  }
  // Each change of status updates every index by status, so there is no index by status alone.
  const types = type === undefined ? messages.keys('type') : [type];
  const pages = types.map((each) => messages.page({ ...sent, statusType: `${status} ${each}` }, query));
  return mergedPage(pages, query);
}

/** The latest message that the application sent to a number. */
export function lastSent(tables: Tables, to: string): Message | undefined {
  return pageMessages(tables, { to }, { limit: 1, order: 'desc' }).items[0];
}

/** The latest message of a conversation, in either direction. */
export function lastMessage({ messages }: Tables, customer: string): Message | undefined {
  return messages.list('customer', customer).last();
}

export interface EventFilter {
  readonly type?: string | undefined;
  readonly message_id?: string | undefined;
}

export function pageEvents({ events }: Tables, { type, message_id }: EventFilter, query: PageQuery): Page<Event> {
  return events.page(
    { ...(type !== undefined && { type }), ...(message_id !== undefined && { subject: message_id }) },
    query,
  );
}

export interface DeliveryFilter {
  readonly webhook_id?: string | undefined;
  /** An id or a type. */
  readonly event?: string | undefined;
  readonly event_type?: string | undefined;
  readonly state?: string | undefined;
}

export function pageDeliveries({ deliveries }: Tables, filter: DeliveryFilter, query: PageQuery): Page<Delivery> {
  const { webhook_id: endpoint, state } = filter;
  const { event, event_type: type } = withTypeApart(filter);
  return deliveries.page(
    {
      ...(event !== undefined && { event }),
      ...(endpoint !== undefined && state === undefined && { endpoint }),
      ...(endpoint !== undefined && state !== undefined && { endpointState: `${endpoint} ${state}` }),
      ...(type !== undefined && state === undefined && { type }),
      ...(type !== undefined && state !== undefined && { stateType: `${state} ${type}` }),
      ...(endpoint === undefined && type === undefined && state !== undefined && { state }),
    },
    query,
  );
}

/** Treats a type in `event` as a type. If the two types differ, the first stays as an id, which matches nothing. */
function withTypeApart({ event, event_type: type }: DeliveryFilter): Pick<DeliveryFilter, 'event' | 'event_type'> {
  const isType = event !== undefined && isEventType(event) && (type === undefined || type === event);
  return isType ? { event_type: event } : { event, event_type: type };
}

export interface RequestFilter {
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  readonly status?: string | undefined;
  readonly operation?: string | undefined;
}

export function requestKeys({ path, method, status, operation }: RequestFilter) {
  return {
    ...(path !== undefined && { path }),
    ...(operation !== undefined && { operation }),
    ...(method !== undefined && { method }),
    ...(status !== undefined && { status }),
  };
}

export function pageRequests({ requests }: Tables, filter: RequestFilter, query: PageQuery): Page<RequestRecord> {
  return requests.page(requestKeys(filter), query);
}
