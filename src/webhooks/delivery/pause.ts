/** The pause of an endpoint that keeps failing, and the failure streak that leads to it. */
import type { Endpoint } from '../../domain/endpoint.js';
import { isoTime } from '../../domain/instant.js';
import type { Job } from '../../domain/job.js';
import type { AccountStore } from '../../store/tables/account-store.js';
import type { Scheduler } from '../../time/scheduler.js';
import { heldBecausePaused } from './fan-out.js';

export interface OutcomeParts {
  readonly store: AccountStore;
  readonly scheduler: Scheduler;
  /** Account time. */
  readonly now: () => number;
}

/** How long an endpoint may keep failing before it is paused (interface document, section 6). */
export const pauseAfterMs = 24 * 60 * 60_000;

/** Ends the failure streak of an endpoint, with its deadline. Only inside a write. */
export function endStreak(parts: Omit<OutcomeParts, 'now'>, endpoint: Endpoint): void {
  if (endpoint.failingSinceMs === null) return;
  parts.store.tables.endpoints.patch(endpoint, { failingSinceMs: null });
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
}

/** Runs the deadline of an endpoint: pauses it, and holds its deliveries. */
export function pauseEndpoint(parts: OutcomeParts, job: Job): undefined {
  const endpoint = parts.store.tables.endpoints.get(job.subject);
  if (typeof endpoint?.failingSinceMs !== 'number') return;
  pause(
    parts,
    endpoint,
    `Deliveries have failed since ${isoTime(endpoint.failingSinceMs)}, for 24 hours without a success.`,
  );
}

/** Pauses an endpoint now. Only inside a write. */
export function pause(parts: OutcomeParts, endpoint: Endpoint, reason: string): void {
  const { endpoints, deliveries } = parts.store.tables;
  const more = endpoint.status === 'active' && { pauses: (endpoint.pauses ?? 0) + 1 };
  const paused = { status: 'paused', pauseReason: reason, updatedAtMs: parts.now(), failingSinceMs: null } as const;
  endpoints.patch(endpoint, { ...paused, ...more });
  parts.scheduler.cancelOf(endpoint.id, 'endpoint.pause');
  for (const state of ['pending', 'retrying'] as const) {
    for (const delivery of [...deliveries.list('endpointState', `${endpoint.id} ${state}`)]) {
      parts.scheduler.cancelOf(delivery.id);
      deliveries.patch(delivery, { state: 'held', nextAttemptAtMs: null, explain: heldBecausePaused });
    }
  }
}
