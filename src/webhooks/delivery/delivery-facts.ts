/** What a rule may match of a delivery (contract §5, `webhook.deliver`). */
import type { Endpoint } from '../../domain/endpoint.js';
import type { Event } from '../../domain/event.js';
import { dataOf } from '../../domain/lazy-event.js';
import type { Facts } from '../../scenario/language/hooks.js';

export function deliveryFacts(event: Event, endpoint: Pick<Endpoint, 'url' | 'alias'>, attempt: number): Facts {
  const data = dataOf(event) as { to?: string; from?: string; status?: string; type?: string };
  // The other side of the conversation: in an inbound event the customer is the one it comes from.
  const to = event.type === 'message.received' ? data.from : data.to;
  return {
    event: event.type,
    endpoint: endpoint.url,
    attempt,
    ...(endpoint.alias !== undefined && { alias: endpoint.alias }),
    ...(data.status !== undefined && { status: data.status }),
    ...(data.type !== undefined && { type: data.type }),
    ...(to !== undefined && { to }),
  };
}
