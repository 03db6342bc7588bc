/** The health of an endpoint: its latest attempts, how many of them succeeded, and how long they took. */
import type { Delivery } from '../../core/records.js';

interface MadeAttempt {
  readonly delivery: string;
  readonly number: number;
  readonly atMs: number;
  readonly ok: boolean;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Real milliseconds. */
  readonly tookMs: number;
}

interface Health {
  /** Oldest first. */
  readonly attempts: readonly MadeAttempt[];
  readonly succeeded: number;
  /** Real milliseconds, of attempts with a response; null if there are none. */
  readonly medianMs: number | null;
  readonly slowestMs: number | null;
}

/**
 * Reads the latest `most` attempts to an endpoint. Attempts simulated by a rule are omitted, because they reached no
 * receiver.
 */
export function healthOf(deliveries: readonly Delivery[], endpointId: string, most: number): Health {
  const attempts = deliveries
    .filter((row) => row.webhook_id === endpointId)
    .flatMap(({ id, attempts: made }) =>
      made
        .filter(({ faults = [] }) => !faults.includes('simulated'))
        .map(({ number, at, status, error, duration_ms: tookMs }) => ({
          delivery: id,
          number,
          atMs: Date.parse(at),
          ok: error === undefined,
          status,
          tookMs,
        })),
    )
    .sort((a, b) => a.atMs - b.atMs)
    .slice(-most);
  const times = attempts.filter(({ status }) => status !== null).map(({ tookMs }) => tookMs);
  times.sort((a, b) => a - b);
  return {
    attempts,
    succeeded: attempts.filter(({ ok }) => ok).length,
    medianMs: times[Math.floor((times.length - 1) / 2)] ?? null,
    slowestMs: times.at(-1) ?? null,
  };
}
