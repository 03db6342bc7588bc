import type { Job } from '../domain/rows.js';
import type { JobKind } from '../domain/words.js';
import type { AccountClock, ClockState } from './account-clock.js';
import type { InFlight, JobTable } from './jobs.js';
import type { Quiet } from './quiet.js';
import type { SystemClock } from './system-clock.js';

export interface LineParts {
  readonly clock: AccountClock;
  readonly host: SystemClock;
  readonly inFlight: InFlight;
  readonly quiet: Quiet;
}

export interface Line {
  readonly parts: LineParts;
  readonly closed: boolean;
  readonly advancing: boolean;
  readonly playing: boolean;
  /** The latest account time to which an idle application lets the clock jump. */
  readonly jumpsUntilMs: number;
  /** The latest account time to which the clock jumps although a call of the application failed, or has no response yet. */
  readonly hurriesUntilMs: number;
  readonly busy: boolean;
  nextDueMs(fits?: (job: Job) => boolean): number | null;
  arrive(nowMs: number): void;
  runDue(): void;
  /** False if no job is due now. */
  runNext(): boolean;
}

/**
 * Runs one kind of job, inside one write, with the clock held at the instant the job was due. Returns `later` if the
 * job waits for a response from outside and ends with `finish`.
 */
export type JobHandler = (job: Job) => 'later' | undefined;

export type JobHandlers = Record<JobKind, JobHandler>;

export interface SchedulerParts extends LineParts {
  /** Jobs are rows, so that they survive a restart. */
  readonly store: {
    readonly tables: { readonly jobs: JobTable };
    nextSeq(): number;
    setClock(clock: ClockState): void;
    update<T>(work: () => T): T;
  };
  /** A job that throws is a bug of the sandbox, never the user's error. */
  readonly report: (error: unknown, job: Job) => void;
}
