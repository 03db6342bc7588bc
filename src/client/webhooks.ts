/** Endpoints: the webhooks the application registered, with their secrets. */
import { eventTypes } from '../domain/event.js';
import type { Connection } from './connection.js';
import { listAll } from './lists.js';
import type { Endpoint, EventType, WebhookFilter, RegisteredEndpoint } from './types.js';

export interface WebhookControl {
  list(filter?: WebhookFilter): Promise<Endpoint[]>;
  /** Registers one as the application would: a call of the API plane, seen in `requests()`. Default: all events. */
  register(url: string, events?: readonly EventType[]): Promise<RegisteredEndpoint>;
  /** Removes one as the application would: a call of the API plane. */
  remove(id: string): Promise<void>;
  pause(id: string): Promise<Endpoint>;
  /** Back to active; its run of failures is forgotten. */
  resume(id: string): Promise<Endpoint>;
}

export function webhookControl(connection: Connection): WebhookControl {
  const put = (id: string, status: Endpoint['status']) =>
    connection.call<Endpoint>('PUT', `/_sandbox/webhooks/${encodeURIComponent(id)}`, { status });
  return {
    list: (filter) => listAll(connection, '/_sandbox/webhooks', filter),
    register: (url, events = eventTypes) => connection.call('POST', '/v1/webhooks', { url, events }),
    remove: async (id) => {
      await connection.call('DELETE', `/v1/webhooks/${encodeURIComponent(id)}`);
    },
    pause: (id) => put(id, 'paused'),
    resume: (id) => put(id, 'active'),
  };
}
