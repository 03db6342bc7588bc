/** Evaluates the filters of the control plane with indexes: no list scans its table. */
import type { Tables } from './account-data.js';
import { ALL } from './account-data.js';
import { mergedPage, type Page, type PageQuery } from './page.js';
import type { Delivery } from '../../domain/delivery.js';
import { isEventType, type Event } from '../../domain/event.js';
import type { Message } from '../../domain/message.js';

type Filter<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>;

export function pageMessages(
  { messages }: Tables,
  { to, status, type }: Filter<'to' | 'status' | 'type'>,
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

type EventFilter = Filter<'type' | 'message_id'>;

export function pageEvents({ events }: Tables, { type, message_id }: EventFilter, query: PageQuery): Page<Event> {
  return events.page({ type, subject: message_id }, query);
}

/** `event` is an id or a type. */
type DeliveryFilter = Filter<'webhook_id' | 'event' | 'event_type' | 'state'>;

export function pageDeliveries({ deliveries }: Tables, filter: DeliveryFilter, query: PageQuery): Page<Delivery> {
  const { webhook_id: endpoint, state } = filter;
  const { event, event_type: type } = withTypeApart(filter);
  if (state === undefined) return deliveries.page({ event, endpoint, type }, query);
  const endpointState = endpoint === undefined ? undefined : `${endpoint} ${state}`;
  const stateType = type === undefined ? undefined : `${state} ${type}`;
  return deliveries.page(
    { event, endpointState, stateType, state: (endpointState ?? stateType) === undefined ? state : undefined },
    query,
  );
}

/** Treats a type in `event` as a type. If the two types differ, the first stays as an id, which matches nothing. */
function withTypeApart({ event, event_type: type }: DeliveryFilter): DeliveryFilter {
  const isType = event !== undefined && isEventType(event) && (type === undefined || type === event);
  return isType ? { event_type: event } : { event, event_type: type };
}
