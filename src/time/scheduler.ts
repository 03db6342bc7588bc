/** Runs an account's jobs in order when they are due: by a timer, in an advance, or before and after each call. */
import { ServiceError } from '../domain/errors.js';
import type { Job } from '../domain/rows.js';
import type { JobKind } from '../domain/words.js';
import { Advance, type Advanced, type AdvanceOptions } from './advance.js';
import { ClockTimer } from './clock-timer.js';
import { isDeadline, JobQueue, type JobTable } from './jobs.js';
import type { JobHandlers, Line, SchedulerParts } from './line.js';

export class Scheduler implements Line {
  readonly #jobs: JobTable;
  readonly #queue: JobQueue;
  readonly #timer = new ClockTimer(this);
  #handlers: JobHandlers | null = null;
  #running: Job | null = null;
  #advance: Advance | null = null;
  #play: AbortController | null = null;
  closed = false;

  constructor(readonly parts: SchedulerParts) {
    this.#jobs = parts.store.tables.jobs;
    this.#queue = new JobQueue(this.#jobs);
  }

  /** Everything that the stored jobs use must exist. */
  start(handlers: JobHandlers): void {
    this.#handlers = handlers;
    this.runDue();
  }

  get advancing(): boolean {
    return this.#advance !== null;
  }

  get busy(): boolean {
    return this.parts.inFlight.holdsTime;
  }

  get pending(): number {
    return this.#jobs.size;
  }

  nextDueMs(fits?: (job: Job) => boolean): number | null {
    return this.#queue.next(fits)?.dueMs ?? null;
  }

  /** `place` is the place of the job that it repeats. Call it only inside a write. */
  schedule(kind: JobKind, subject: string, dueMs: number, data?: unknown, place?: number): Job {
    const seq = this.parts.store.nextSeq();
    const id = `job_${seq}`;
    // A single literal, which is fast: each message has several jobs.
    const plain: Job = data === undefined ? { id, seq, kind, subject, dueMs } : { id, seq, kind, subject, dueMs, data };
    const job = this.#jobs.insert(place === undefined ? plain : { ...plain, place });
    this.#advance?.noteCause(job, this.#running);
    this.#queue.push(job);
    // A call, a job or an advance runs these jobs at its end, so that everything scheduled for now has run by then.
    if (this.#running === null && !this.parts.clock.isHeld) this.#timer.arm();
    return job;
  }

  /** Call it only inside a write. The heap drops the job when it would be the next. */
  cancel(job: Job): void {
    this.#jobs.delete(job);
  }

  cancelOf(subject: string, kind?: JobKind): void {
    for (const job of [...this.#jobs.list('subject', subject)]) if (!kind || job.kind === kind) this.cancel(job);
  }

  /** The job returned `later`. Call it only inside a write. Jobs scheduled in `work` count as caused by it. */
  finish(job: Job, work: () => void): void {
    const before = this.#running;
    this.#running = job;
    this.parts.quiet.note();
    try {
      this.#jobs.delete(job);
      work();
    } finally {
      this.#running = before;
    }
  }

  /** Needed after a restore, a reset, or a change of the clock. */
  reload(): void {
    this.#queue.reload();
    this.rearm();
  }

  /** Called around every API call, so that the state is never behind the clock. */
  runDue(): void {
    // An advance that is running the due jobs reaches the others itself; one call must not run all of them in one turn.
    if (this.#handlers === null || this.#running !== null || this.closed || this.#advance?.isRunning === true) return;
    while (this.runNext());
    const next = this.#queue.next();
    // A deadline that waits for a response runs once the response has arrived.
    if (!next || !this.#isWaiting(next)) this.#timer.arm();
  }

  runNext(): boolean {
    const job = this.#queue.next();
    if (job === undefined || job.dueMs > this.parts.clock.now() || this.#isWaiting(job)) return false;
    this.#queue.take();
    this.#run(job);
    return true;
  }

  arrive(nowMs: number): void {
    this.parts.store.setClock(this.parts.clock.moveTo(nowMs));
  }

  get isQuiet(): boolean | undefined {
    return this.#timer.isQuiet;
  }

  get jumps(): number {
    return this.#timer.jumps;
  }

  /** Limits the jumps of a play that has reached its end, which does not wait for later retries. */
  playsUntilMs = Infinity;
  /** Limits the jumps while a step waits for something that is due soon. */
  waitsUntilMs = Infinity;
  hurriesUntilMs = -Infinity;

  /** If such a job is in flight, lets the time until then pass, although the application is busy. */
  hurryTo(ms: number, mayWait: (job: Job) => boolean): void {
    const { inFlight } = this.parts;
    const waiting = [...inFlight.jobs()].filter(mayWait);
    if (waiting.length === 0) return;
    this.hurriesUntilMs = Math.max(this.hurriesUntilMs, ms);
    for (const job of waiting) inFlight.letTimePass(job);
  }

  get jumpsUntilMs(): number {
    return Math.min(this.playsUntilMs, this.waitsUntilMs);
  }

  get playing(): boolean {
    return this.#play !== null;
  }

  /** The signal is aborted when somebody else sets the clock. */
  async play<T>(work: (stopped: AbortSignal, advance: (targetMs: number) => Promise<Advanced>) => Promise<T>) {
    this.requireFree();
    const play = (this.#play = new AbortController());
    try {
      return await work(play.signal, (targetMs) => this.#advanceTo(targetMs, {}));
    } finally {
      if (this.#play === play) this.#play = null;
      this.playsUntilMs = Infinity;
      this.hurriesUntilMs = -Infinity;
    }
  }

  requireFree(): void {
    if (!this.advancing && !this.playing) return;
    const who = this.playing ? 'moved by a play' : 'being advanced';
    throw new ServiceError(
      'clock_advancing',
      `The clock is already ${who}. Wait for that call to return, then try again.`,
    );
  }

  stopPlay(): void {
    this.#play?.abort();
    this.#play = null;
  }

  /**
   * @throws ServiceError `clock_advancing`, `clock_loop`, or `clock_interrupted` if the account was reset or deleted
   * meanwhile
   */
  advance(targetMs: number, options: AdvanceOptions = {}): Promise<Advanced> {
    this.requireFree();
    return this.#advanceTo(targetMs, options);
  }

  async #advanceTo(targetMs: number, options: AdvanceOptions): Promise<Advanced> {
    const { clock } = this.parts;
    const advance = (this.#advance = new Advance(this, options));
    this.#timer.disarm();
    clock.hold(clock.now());
    try {
      return await advance.to(targetMs);
    } finally {
      // An interrupted advance must not touch the clock: the account has been replaced.
      if (this.#advance === advance) {
        const nowMs = clock.now();
        this.#endAdvance();
        this.arrive(nowMs);
        this.#timer.arm();
      }
    }
  }

  stopAdvance(): void {
    if (this.#advance) this.#advance.stopped = true;
    this.stopPlay();
  }

  interrupt(): void {
    this.stopPlay();
    this.#advance?.interrupt();
    if (this.#advance) this.#endAdvance();
  }

  close(): void {
    this.closed = true;
    this.#timer.disarm();
    this.interrupt();
  }

  rearm(): void {
    this.#timer.disarm();
    this.#timer.arm();
  }

  #endAdvance(): void {
    this.#advance = null;
    this.parts.clock.release();
  }

  /** A deadline waits for attempts that were due by then. Within an advance, these are all attempts in flight. */
  #isWaiting(job: Job): boolean {
    if (!isDeadline(job.kind) || !this.busy) return false;
    return this.advancing || [...this.parts.inFlight.jobs()].some(({ dueMs }) => dueMs <= job.dueMs);
  }

  #run(job: Job): void {
    const { clock, store, report } = this.parts;
    const flowing = !this.#advance;
    if (flowing) clock.hold(job.dueMs);
    this.#running = job;
    try {
      store.update(() => {
        this.#advance?.begin(job);
        if (this.#handlers?.[job.kind](job) !== 'later') this.#jobs.delete(job);
      });
    } catch (error) {
      store.update(() => this.#jobs.delete(job));
      if (this.#advance && error instanceof ServiceError && error.code === 'clock_loop') this.#advance.failure = error;
      else report(error, job);
    } finally {
      this.#running = null;
      if (flowing) clock.release();
    }
  }
}
