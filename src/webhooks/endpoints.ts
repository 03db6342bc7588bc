/**
 * What happens to the deliveries of an endpoint when the endpoint itself changes. Only inside a write.
 */
import type { Endpoint } from '../domain/endpoint.js';
import { droppedBecauseRemoved, endRun, type SettleParts } from './settle-attempt.js';

type Parts = Omit<SettleParts, 'now'>;

/** Active again, its failure run forgotten; what was held stays held until someone redelivers it (contract §2, row 3.3). */
export function resumeEndpoint({ store, scheduler }: Parts, endpoint: Endpoint): void {
  endRun({ store, scheduler }, endpoint);
  store.tables.endpoints.patch(endpoint, { status: 'active', pauseReason: null });
}

/** Removes it; what it is still owed will not be made, and says so. */
export function removeEndpoint({ store, scheduler }: Parts, endpoint: Endpoint): void {
  const { deliveries, endpoints } = store.tables;
  scheduler.cancelOf(endpoint.id);
  for (const state of ['pending', 'retrying'] as const) {
    for (const delivery of [...deliveries.list('endpointState', `${endpoint.id} ${state}`)]) {
      scheduler.cancelOf(delivery.id);
      deliveries.patch(delivery, { state: 'dropped', nextAttemptAtMs: null, explain: droppedBecauseRemoved });
    }
  }
  endpoints.delete(endpoint);
}
