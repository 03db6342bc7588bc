/** The clock and what is due on it, as the control plane shows them. */
import { isoTime, isoTimeOrNull } from '../../domain/instant.js';
import type { Job } from '../../domain/job.js';

/** The clock, and what lies ahead on it. `nextDueMs` null: nothing does. */
export function showClock(clock: {
  readonly nowMs: number;
  readonly mode: string;
  readonly scale: number;
  readonly pending: number;
  readonly nextDueMs: number | null;
  readonly quietMs: number | null;
  readonly quiet?: boolean | undefined;
}) {
  return {
    now: isoTime(clock.nowMs),
    mode: clock.mode,
    scale: clock.scale,
    pending: clock.pending,
    next_due: isoTimeOrNull(clock.nextDueMs),
    ...(clock.quietMs !== null && { quiet_real: `${clock.quietMs}ms` }),
    ...(clock.quiet !== undefined && { quiet: clock.quiet }),
  };
}

export function showJob({ seq, kind, subject, dueMs }: Job) {
  return { seq, job: kind, subject, due: isoTime(dueMs) };
}
