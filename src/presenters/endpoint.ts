/** A stored endpoint as the API shows it. Its secret is shown at registration only. */
import type { Endpoint } from '../domain/endpoint.js';
import { isoTime } from '../domain/instant.js';

export function presentRegistration(endpoint: Endpoint) {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    secret: endpoint.secret,
    status: endpoint.status,
  };
}

export function presentEndpoint(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status,
    ...(endpoint.status === 'paused' && { pause_reason: endpoint.pauseReason }),
    created_at: isoTime(endpoint.createdAtMs),
    updated_at: isoTime(endpoint.updatedAtMs),
  };
}
