/** Runs an account's jobs in order when they are due: by a timer, in an advance, or before and after each call. */
import { ServiceError } from '../domain/errors.js';
import { isDeadline } from '../domain/job.js';
import type { Job } from '../domain/rows.js';
import type { JobKind } from '../domain/words.js';
import { Advance, type Advanced, type AdvanceOptions, type ClockControl } from './advance.js';
import type { AccountClock } from './account-clock.js';
import type { SystemClock } from './system-clock.js';
import { type InFlight, JobQueue, type JobStore } from './jobs.js';
import { ClockTimer } from './clock-timer.js';

/**
 * Runs one kind of job, inside one write, with the clock held at the instant the job was due. Returns `later` if the
 * job waits for a response from outside and ends with `finish`.
 */
export type JobHandler = (job: Job) => 'later' | undefined;
export type JobHandlers = Record<JobKind, JobHandler>;

export interface SchedulerParts {
  readonly store: JobStore;
  readonly clock: AccountClock;
  readonly host: SystemClock;
  readonly inFlight: InFlight;
  /** Sets and stores the state in which an advance leaves the clock. */
  readonly arrive: (nowMs: number) => void;
  /** Called with a job that threw: this is a bug of the sandbox, never the user's error. */
  readonly report: (error: unknown, job: Job) => void;
}

export class Scheduler {
  readonly #queue: JobQueue;
  readonly #control: ClockControl;
  readonly #timer: ClockTimer;
  #handlers: JobHandlers | null = null;
  #running: Job | null = null;
  #advance: Advance | null = null;
  #lastActivityMs = 0;
  closed = false;

  constructor(private readonly parts: SchedulerParts) {
    this.#queue = new JobQueue(parts.store.tables.jobs);
    this.#control = {
      ...parts,
      queue: this.#queue,
      runNext: () => this.#runNext(this.parts.clock.now()),
      runDue: () => this.runDue(),
      lastActivityMs: () => this.#lastActivityMs,
      mayWake: () => !this.closed && !this.advancing,
    };
    this.#timer = new ClockTimer(this.#control);
  }

  /** Begins to run the stored jobs, once everything that they use exists. */
  start(handlers: JobHandlers): void {
    this.#handlers = handlers;
    this.reload();
    this.runDue();
  }

  get #jobs() {
    return this.parts.store.tables.jobs;
  }

  get advancing(): boolean {
    return this.#advance !== null;
  }

  /** Whether a job waits for a response from outside. */
  get busy(): boolean {
    return this.parts.inFlight.count > 0;
  }

  /** Number of waiting jobs, including those in flight. */
  get pending(): number {
    return this.#jobs.size;
  }

  nextDueMs(): number | null {
    return this.#queue.nextDueMs();
  }

  /** Stores and queues a job; `place` is that of the job it repeats. Call it only inside a write. */
  schedule(kind: JobKind, subject: string, dueMs: number, data?: unknown, place?: number): Job {
    const seq = this.parts.store.nextSeq();
    const id = `job_${seq}`;
    // A single literal, which is fast: each message has several jobs.
    const plain: Job = data === undefined ? { id, seq, kind, subject, dueMs } : { id, seq, kind, subject, dueMs, data };
    const job = this.#jobs.insert(place === undefined ? plain : { ...plain, place });
    const causes = this.#advance?.causes;
    // A call during an advance most likely comes from a receiver's handler, and so was caused by an attempt.
    causes?.note(job, this.#running ?? causes.deepest(this.parts.inFlight.jobs()));
    this.#queue.push(job);
    // A call, a job or an advance runs these jobs at its end, so that everything scheduled for now has run by then.
    if (this.#running === null && !this.parts.clock.isHeld) this.#timer.arm();
    return job;
  }

  /** Cancels a job. Call it only inside a write. The heap drops it when it would be the next. */
  cancel(job: Job): void {
    this.#jobs.delete(job);
  }

  cancelOf(subject: string, kind?: JobKind): void {
    for (const job of [...this.#jobs.list('subject', subject)]) if (!kind || job.kind === kind) this.cancel(job);
  }

  /** Ends a job that returned `later`. Call it only inside a write. Jobs scheduled in `work` count as caused by it. */
  finish(job: Job, work: () => void): void {
    const before = this.#running;
    this.#running = job;
    this.#timer.noteChange();
    try {
      this.#jobs.delete(job);
      work();
    } finally {
      this.#running = before;
    }
  }

  /** Queues every stored job: after a start, a restore or a reset. */
  reload(): void {
    this.#queue.reload();
    this.#timer.arm();
  }

  /** Runs the jobs that are due now. Called around every API call, so that the state is never behind the clock. */
  runDue(): void {
    // An advance that is running the due jobs reaches the others itself; one call must not run all of them in one turn.
    if (this.#handlers === null || this.#running !== null || this.closed || this.#advance?.isRunning === true) return;
    while (this.#runNext(this.parts.clock.now()));
    const next = this.#queue.next();
    // A deadline that waits for a response runs once the response has arrived.
    if (!this.advancing && !(next && this.#isWaiting(next))) this.#timer.arm();
  }

  /** Records activity of the application, which is likely to continue for `moreMs` of machine time. */
  touch(changes = false, moreMs = 0): void {
    this.#lastActivityMs = this.#control.host.monotonic();
    if (changes) this.#timer.noteChange(moreMs);
  }

  /** Whether a clock with an idle period would jump now; undefined for any other clock. */
  get quiet(): boolean | undefined {
    return this.#timer.quiet;
  }

  /**
   * Moves account time to `targetMs`, step by step; see `Advance`.
   * @returns the jobs that ran
   * @throws ServiceError `clock_advancing` if another advance is running, `clock_loop` for an endless chain,
   * `clock_interrupted` if the account was reset or deleted meanwhile
   */
  async advance(targetMs: number, options: AdvanceOptions = {}): Promise<Advanced> {
    if (this.advancing) {
      const message = 'The clock is already being advanced. Wait for that call to return, then try again.';
      throw new ServiceError('clock_advancing', message);
    }
    const advance = (this.#advance = new Advance(this.#control, options));
    this.#timer.disarm();
    this.parts.clock.hold(this.parts.clock.now());
    try {
      await advance.to(targetMs);
      if (advance.interrupted) {
        throw new ServiceError(
          'clock_interrupted',
          'The advance was interrupted: the account was reset or deleted, or the sandbox stopped.',
        );
      }
      return { ran: advance.ran, stopped: advance.stopped };
    } finally {
      // An interrupted advance must not touch the clock: the account has been replaced.
      if (this.#advance === advance) {
        const nowMs = this.parts.clock.now();
        this.#endAdvance();
        this.#control.arrive(nowMs);
        this.#timer.arm();
      }
    }
  }

  /** Stops a running advance at the current instant. */
  stopAdvance(): void {
    if (this.#advance) this.#advance.stopped = true;
  }

  /** Stops a running advance immediately, because the account is reset. */
  interrupt(): void {
    this.#advance?.interrupt();
    if (this.#advance) this.#endAdvance();
  }

  close(): void {
    this.closed = true;
    this.#timer.disarm();
    this.interrupt();
  }

  #endAdvance(): void {
    this.#advance = null;
    this.parts.clock.release();
  }

  #runNext(nowMs: number): boolean {
    const job = this.#queue.next();
    if (job === undefined || job.dueMs > nowMs) return false;
    if (this.#isWaiting(job)) return false;
    this.#queue.take();
    this.#run(job);
    return true;
  }

  /** A deadline waits for attempts that were due by then. Within an advance, these are all attempts in flight. */
  #isWaiting(job: Job): boolean {
    if (!isDeadline(job.kind) || this.parts.inFlight.count === 0) return false;
    return this.advancing || [...this.parts.inFlight.jobs()].some(({ dueMs }) => dueMs <= job.dueMs);
  }

  #run(job: Job): void {
    const flowing = !this.advancing;
    if (flowing) this.parts.clock.hold(job.dueMs);
    this.#running = job;
    this.#advance?.ran.push({ atMs: this.parts.clock.now(), job });
    try {
      this.parts.store.update(() => {
        this.#advance?.causes.refuseLoop(job);
        if (this.#handlers?.[job.kind](job) !== 'later') this.#jobs.delete(job);
      });
    } catch (error) {
      this.parts.store.update(() => this.#jobs.delete(job));
      if (this.#advance && error instanceof ServiceError && error.code === 'clock_loop') this.#advance.fail(error);
      else this.parts.report(error, job);
    } finally {
      this.#running = null;
      if (flowing) this.parts.clock.release();
    }
  }

  rearm(): void {
    this.#timer.rearm();
  }
}
