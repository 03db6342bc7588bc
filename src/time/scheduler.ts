/**
 * What is due, in order, on one account's clock. `advance` settles: it moves from due instant to due instant and at
 * each waits for every webhook answer that the instant caused (contract §3; architecture: how time moves).
 */
import { ServiceError } from '../domain/errors.js';
import { isProgress, jobBefore, type Job, type JobKind } from '../domain/job.js';
import { Causes } from './causes.js';
import type { AccountClock } from './clock.js';
import { Heap } from './heap.js';
import type { Cancel, HostTime } from './host.js';

/** Where jobs are kept, so that they come back after a restart. */
export interface JobBook {
  insert(kind: JobKind, subject: string, dueMs: number, data: unknown): Job;
  delete(job: Job): void;
  get(id: string): Job | undefined;
  ofSubject(subject: string): Iterable<Job>;
  all(): Iterable<Job>;
  readonly size: number;
  /** Runs work as one write. */
  update<T>(work: () => T): T;
}

/** The work that is in flight on sockets: an advance waits for it before time moves on. */
export interface InFlight {
  /** Attempts started or waiting for their turn. */
  readonly count: number;
  /** The jobs of those attempts, for telling causes. */
  jobs(): Iterable<Job>;
  /** Resolves when nothing is in flight. */
  quiet(): Promise<void>;
}

/**
 * Runs one kind of job. It is called inside one write, with the clock held at the instant the job was due. Returns
 * `later` when the job ends with `finish`, after an answer from outside.
 */
export type JobHandler = (job: Job) => 'later' | undefined;
export type JobHandlers = Record<JobKind, JobHandler>;

export interface Ran {
  readonly atMs: number;
  readonly job: Job;
}

export interface Advanced {
  readonly ran: readonly Ran[];
}

const longestChain = 10_000;
/** How long a run of jobs may hold the event loop before API calls get their turn, in machine milliseconds. */
const sliceMs = 5;

export class Scheduler {
  readonly #book: JobBook;
  readonly #clock: AccountClock;
  readonly #host: HostTime;
  readonly #handlers: JobHandlers;
  readonly #inFlight: InFlight;
  readonly #heap = new Heap<Job>(jobBefore);
  /** The progress jobs once more, for `advance until idle`. */
  readonly #progress = new Heap<Job>(jobBefore);
  readonly #causes = new Causes();
  readonly #report: (error: unknown, job: Job) => void;
  #running: Job | null = null;
  #ran: Ran[] | null = null;
  #advancing = false;
  #timer: Cancel | null = null;
  #timerDue = Infinity;
  #pulling = false;
  #looped: ServiceError | null = null;
  #lastActivityMs = 0;
  #closed = false;
  /** Counts the worlds an advance may find itself in; see `interrupt`. */
  #world = 0;
  #wakers: (() => void)[] = [];

  constructor(parts: {
    book: JobBook;
    clock: AccountClock;
    host: HostTime;
    handlers: JobHandlers;
    inFlight: InFlight;
    /** Told of a job that threw: a bug of ours, never the user's. */
    report: (error: unknown, job: Job) => void;
  }) {
    this.#book = parts.book;
    this.#clock = parts.clock;
    this.#host = parts.host;
    this.#handlers = parts.handlers;
    this.#inFlight = parts.inFlight;
    this.#report = parts.report;
  }

  get advancing(): boolean {
    return this.#advancing;
  }

  /** Jobs waiting, those in flight included. */
  get pending(): number {
    return this.#book.size;
  }

  nextDueMs(): number | null {
    return this.#top(this.#heap)?.dueMs ?? null;
  }

  /** Puts a job into the book and on the heap. Only inside a write. */
  schedule(kind: JobKind, subject: string, dueMs: number, data?: unknown): Job {
    const job = this.#book.insert(kind, subject, dueMs, data);
    this.#causes.note(job, this.#running ?? this.#likelyCause());
    this.#push(job);
    if (!this.#advancing && this.#running === null) this.#arm();
    return job;
  }

  /** Takes a job out. Only inside a write. The heap forgets it when it surfaces. */
  cancel(job: Job): void {
    this.#book.delete(job);
  }

  cancelOf(subject: string, kind?: JobKind): void {
    for (const job of [...this.#book.ofSubject(subject)]) if (!kind || job.kind === kind) this.cancel(job);
  }

  /** Ends a job that answered `later`. Only inside a write. What is scheduled in `work` counts as caused by it. */
  finish(job: Job, work: () => void): void {
    const before = this.#running;
    this.#running = job;
    try {
      this.#book.delete(job);
      work();
    } finally {
      this.#running = before;
    }
  }

  /** Takes every job of the book on the heap: after a start, a restore or a reset. */
  reload(): void {
    this.#heap.clear();
    this.#progress.clear();
    for (const job of this.#book.all()) this.#push(job);
    this.#arm();
  }

  /** Runs what is due now. Called around every API call, so that state is never behind the clock. */
  runDue(): void {
    if (this.#running !== null || this.#closed) return;
    while (this.#runNext(this.#clock.now())) {
      // Until nothing is due.
    }
    if (!this.#advancing) this.#arm();
  }

  /** Notes that the application under test is active: `settleReal` waits for quiet. */
  touch(): void {
    this.#lastActivityMs = this.#host.monotonic();
  }

  /** Wakes what waits in an advance: the clock or the jobs were changed from outside (reset, close). */
  wake(): void {
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const waker of wakers) waker();
  }

  /**
   * Moves account time to `targetMs`, step by step.
   * @param options.progressOnly stop as soon as no progress job is left before the target, and stay there
   * @param options.settleRealMs machine milliseconds without activity to wait for after each step
   * @throws ServiceError `clock_advancing` when another advance is under way, `clock_loop` for a chain that does not end
   */
  async advance(targetMs: number, options: { progressOnly?: boolean; settleRealMs?: number } = {}): Promise<Advanced> {
    if (this.#advancing) {
      throw new ServiceError(
        'clock_advancing',
        'The clock is being advanced; wait for that call to return, then try again.',
      );
    }
    this.#advancing = true;
    this.#causes.startOver();
    this.#looped = null;
    this.#disarm();
    const ran: Ran[] = (this.#ran = []);
    const world = this.#world;
    let nowMs = this.#clock.now();
    this.#clock.hold(nowMs);
    try {
      await this.#settle(options.settleRealMs ?? 0);
      while (this.#world === world) {
        const due = this.nextDueMs();
        const pull = options.progressOnly === true ? this.#top(this.#progress)?.dueMs : due;
        if (due === null || due > targetMs || pull === undefined || pull === null || pull > targetMs) break;
        nowMs = Math.max(nowMs, due);
        this.#arrive(nowMs);
        await this.#settle(options.settleRealMs ?? 0);
        if (this.#world !== world) return { ran };
      }
      if (options.progressOnly !== true) nowMs = Math.max(nowMs, targetMs);
      return { ran };
    } finally {
      if (this.#world === world) {
        this.#endAdvance();
        this.#arrive(nowMs);
        this.#arm();
      }
    }
  }

  /** Ends an advance that is under way where it stands: the account starts over beneath it. */
  interrupt(): void {
    this.#world += 1;
    this.#endAdvance();
    this.wake();
  }

  #endAdvance(): void {
    this.#ran = null;
    this.#advancing = false;
    this.#clock.release();
  }

  close(): void {
    this.#closed = true;
    this.#disarm();
    this.interrupt();
  }

  /** Where an advance leaves the clock; set by the account, which also stores it. */
  #arrive: (nowMs: number) => void = () => undefined;
  onArrive(arrive: (nowMs: number) => void): void {
    this.#arrive = arrive;
  }

  /** Runs everything due at the held instant and waits for what it caused, until the instant is over. */
  async #settle(settleRealMs: number): Promise<void> {
    const world = this.#world;
    while (this.#world === world) {
      await this.#runSlices();
      if (this.#looped) throw this.#looped;
      if (this.#world !== world) return;
      if (this.#inFlight.count > 0) {
        await this.#inFlight.quiet();
        continue;
      }
      if (settleRealMs > 0 && !(await this.#quietFor(settleRealMs))) continue;
      const due = this.nextDueMs();
      if (due === null || due > this.#clock.now()) return;
    }
  }

  async #runSlices(): Promise<void> {
    const world = this.#world;
    let sliceEnd = this.#host.monotonic() + sliceMs;
    while (this.#world === world && this.#looped === null && this.#runNext(this.#clock.now())) {
      if (this.#host.monotonic() < sliceEnd) continue;
      await new Promise<void>((resolve) => this.#host.defer(resolve));
      sliceEnd = this.#host.monotonic() + sliceMs;
    }
  }

  /** True when nothing happened for that long; false when there is work again. */
  async #quietFor(realMs: number): Promise<boolean> {
    const world = this.#world;
    const start = this.#host.monotonic();
    for (;;) {
      if (this.#world !== world) return true;
      const left = Math.max(start, this.#lastActivityMs) + realMs - this.#host.monotonic();
      if (left <= 0) return this.#inFlight.count === 0;
      await new Promise<void>((resolve) => {
        const cancel = this.#host.setTimer(left, resolve);
        this.#wakers.push(() => {
          cancel();
          resolve();
        });
      });
      if (this.#inFlight.count > 0) return false;
    }
  }

  #runNext(nowMs: number): boolean {
    const job = this.#top(this.#heap);
    if (job === undefined || job.dueMs > nowMs) return false;
    this.#heap.pop();
    this.#run(job);
    return true;
  }

  #run(job: Job): void {
    const flowing = !this.#advancing;
    if (flowing) this.#clock.hold(job.dueMs);
    this.#running = job;
    this.#ran?.push({ atMs: this.#clock.now(), job });
    try {
      this.#book.update(() => {
        if (this.#causes.depth(job) > longestChain) {
          this.#looped = loopError(this.#causes.trail(job));
          this.#book.delete(job);
          return;
        }
        if (this.#handlers[job.kind](job) !== 'later') this.#book.delete(job);
      });
    } catch (error) {
      this.#book.update(() => this.#book.delete(job));
      this.#report(error, job);
    } finally {
      this.#running = null;
      if (flowing) this.#clock.release();
    }
  }

  /** An API call during an advance most likely comes from a receiver's handler: what it starts counts as caused by an attempt. */
  #likelyCause(): Job | null {
    return this.#advancing ? this.#causes.deepest(this.#inFlight.jobs()) : null;
  }

  #push(job: Job): void {
    this.#heap.push(job);
    if (isProgress(job.kind)) this.#progress.push(job);
  }

  /** The first job of a heap that is still in the book; cancelled ones are dropped as they surface. */
  #top(heap: Heap<Job>): Job | undefined {
    for (;;) {
      const job = heap.top();
      if (job === undefined || this.#book.get(job.id) === job) return job;
      heap.pop();
    }
  }

  /** The one timer that lets a flowing clock run its jobs. */
  #arm(): void {
    if (this.#closed || this.#advancing) return;
    if (this.#clock.mode === 'auto') {
      this.#pull();
      return;
    }
    const due = this.nextDueMs();
    if (due === this.#timerDue) return;
    this.#disarm();
    if (due === null) return;
    const delayMs = this.#clock.machineDelayTo(due);
    if (delayMs === null && due > this.#clock.now()) return;
    this.#timerDue = due;
    this.#timer = this.#host.setTimer(
      delayMs ?? 0,
      () => {
        this.#timer = null;
        this.#timerDue = Infinity;
        this.runDue();
      },
      { unref: true },
    );
  }

  /**
   * An `auto` clock jumps to the next progress job when nothing is in flight (contract §5). After the present turn, so
   * that the call which made the job is answered first; what lies before the job runs on the way.
   */
  #pull(): void {
    if (this.#pulling || this.#inFlight.count > 0 || this.#top(this.#progress) === undefined) return;
    this.#pulling = true;
    this.#host.defer(() => {
      this.#pulling = false;
      const next = this.#top(this.#progress);
      const unsettled = this.#closed || this.#advancing || this.#inFlight.count > 0 || this.#clock.mode !== 'auto';
      if (unsettled || next === undefined) return;
      const due = Math.min(next.dueMs, this.nextDueMs() ?? next.dueMs);
      if (due > this.#clock.now()) this.#arrive(due);
      this.runDue();
    });
  }

  /** The clock was set: the timer has to be set anew. */
  rearm(): void {
    this.#disarm();
    this.#arm();
  }

  #disarm(): void {
    this.#timer?.();
    this.#timer = null;
    this.#timerDue = Infinity;
  }
}

function loopError(trail: readonly string[]): ServiceError {
  return new ServiceError(
    'clock_loop',
    `More than ${longestChain} jobs ran, each caused by the one before it, so the advance stopped. The chain ends in: ${trail.join(' → ')}. ` +
      'Look for a rule or a receiver that answers each event with something that causes the next one.',
  );
}
