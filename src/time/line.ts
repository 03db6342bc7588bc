/** The parts of a scheduler that its timer and an advance use. */
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
  readonly busy: boolean;
  /** @param fits only such jobs */
  nextDueMs(fits?: (job: Job) => boolean): number | null;
  arrive(nowMs: number): void;
  runDue(): void;
  /** Runs the next job if it is due now; false if there is none. */
  runNext(): boolean;
}

/**
 * Runs one kind of job, inside one write, with the clock held at the instant the job was due. Returns `later` if the
 * job waits for a response from outside and ends with `finish`.
 */
export type JobHandler = (job: Job) => 'later' | undefined;

export type JobHandlers = Record<JobKind, JobHandler>;

export interface SchedulerParts extends LineParts {
  /** The store of the account: jobs are rows, so that they survive a restart. */
  readonly store: {
    readonly tables: { readonly jobs: JobTable };
    nextSeq(): number;
    setClock(clock: ClockState): void;
    /** Runs work as one write. */
    update<T>(work: () => T): T;
  };
  /** Called with a job that threw: this is a bug of the sandbox, never the user's error. */
  readonly report: (error: unknown, job: Job) => void;
}
