/** The jobs of an account in the order of their time, as far as its timer and an advance need them. */
import type { JobKind } from '../domain/words.js';
import type { AccountClock } from './account-clock.js';
import type { InFlight } from './jobs.js';
import type { SystemClock } from './system-clock.js';

export interface Line {
  readonly parts: { readonly clock: AccountClock; readonly host: SystemClock; readonly inFlight: InFlight };
  readonly closed: boolean;
  readonly advancing: boolean;
  /** Whether a job waits for a response from outside. */
  readonly busy: boolean;
  /** Machine time of the application's latest call. */
  readonly lastActivityMs: number;
  /** @param fits only jobs of these kinds */
  nextDueMs(fits?: (kind: JobKind) => boolean): number | null;
  /** Moves account time forward. */
  arrive(nowMs: number): void;
  /** Runs the jobs that are due now. */
  runDue(): void;
  /** Runs the next job if it is due now; false if there is none. */
  runNext(): boolean;
}
