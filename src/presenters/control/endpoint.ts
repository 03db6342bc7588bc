/** A registered webhook with its secret, as the control plane shows it. */
import type { Endpoint } from '../../domain/endpoint.js';
import { isoTime, isoTimeOrNull } from '../../domain/instant.js';

export function showEndpoint(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    seq: endpoint.seq,
    url: endpoint.url,
    ...(endpoint.alias !== undefined && { alias: endpoint.alias }),
    events: endpoint.events,
    secret: endpoint.secret,
    status: endpoint.status,
    ...(endpoint.status === 'paused' && { pause_reason: endpoint.pauseReason }),
    failing_since: isoTimeOrNull(endpoint.failingSinceMs),
    created_at: isoTime(endpoint.createdAtMs),
    updated_at: isoTime(endpoint.updatedAtMs),
  };
}
