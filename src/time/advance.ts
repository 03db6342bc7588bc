/**
 * One advance of an account's clock. It moves from due instant to due instant, and at each one waits for all responses
 * to the webhooks that the instant caused.
 */
import type { Job } from '../domain/job.js';
import type { SystemClock } from './system-clock.js';
import { turnOfOthers } from './turns.js';

/** The work in flight on sockets, for which an advance waits before time continues. */
export interface InFlight {
  /** Number of attempts that have started or are queued. */
  readonly count: number;
  /** The jobs of those attempts, to trace which job caused which. */
  jobs(): Iterable<Job>;
  /** Resolves when nothing is in flight. */
  quiet(): Promise<void>;
}

export interface ExecutedJob {
  readonly atMs: number;
  readonly job: Job;
}

export interface Advanced {
  readonly ran: readonly ExecutedJob[];
  /** Whether a caller stopped the advance. */
  readonly stopped: boolean;
}

export interface AdvanceOptions {
  /**
   * Where to stop before the target: `next` after one due instant, `idle` if no progress job is left. Attempts in
   * flight at the start finish first, because their responses may decide which job is due next.
   */
  readonly until?: 'next' | 'idle';
  /** Machine milliseconds for which the application must be idle after each step. */
  readonly settleRealMs?: number;
}

/** The scheduler as an advance needs it. */
export interface ClockControl {
  readonly inFlight: InFlight;
  readonly host: SystemClock;
  now(): number;
  /** Moves account time forward. */
  arrive(nowMs: number): void;
  nextDueMs(): number | null;
  nextProgressMs(): number | null;
  /** Runs the next job that is due now; false if there is none. */
  runNext(): boolean;
  /** Machine time of the application's latest call. */
  lastActivityMs(): number;
}

/**
 * Number of jobs that may run before API calls get their turn: a few milliseconds of work. Jobs are counted and not
 * timed: attempts start in between, and a busy machine must not change their order.
 */
const sliceJobs = 250;

export class Advance {
  readonly ran: ExecutedJob[] = [];
  readonly #stage: ClockControl;
  readonly #settleRealMs: number;
  readonly #until: AdvanceOptions['until'];
  #interrupted = false;
  #stopped = false;
  #failure: Error | null = null;
  #isRunning = false;
  #wake: () => void = () => undefined;

  constructor(stage: ClockControl, { until, settleRealMs = 0 }: AdvanceOptions) {
    this.#stage = stage;
    this.#until = until;
    this.#settleRealMs = settleRealMs;
  }

  /** Whether the account was replaced before the advance reached its target. */
  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** Whether a caller stopped the advance before it reached its target. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Whether the advance is running the jobs that are due now. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Stops the advance immediately, because the account is reset or the sandbox stops. */
  interrupt(): void {
    this.#interrupted = true;
    this.#wake();
  }

  /** Stops the advance at the current instant: jobs that are due then still run, and their responses are awaited. */
  stop(): void {
    this.#stopped = true;
  }

  /** Stops the advance with an error, also if another caller ran the job that failed. */
  fail(error: Error): void {
    this.#failure = error;
  }

  async to(targetMs: number): Promise<void> {
    await this.#settle();
    while (!this.#interrupted && !this.#stopped) {
      const due = this.#stage.nextDueMs();
      const pull = this.#until === 'idle' ? this.#stage.nextProgressMs() : due;
      if (due === null || pull === null || due > targetMs || pull > targetMs) break;
      this.#stage.arrive(Math.max(this.#stage.now(), due));
      await this.#settle();
      if (this.#until === 'next') return;
    }
    if (this.#interrupted || this.#stopped) return;
    if (this.#until === undefined) this.#stage.arrive(Math.max(this.#stage.now(), targetMs));
  }

  /** Runs all jobs that are due at the held instant, and waits until everything that they caused has finished. */
  async #settle(): Promise<void> {
    const { inFlight } = this.#stage;
    while (!this.#interrupted) {
      await this.#runSlices();
      if (this.#failure) throw this.#failure;
      if (inFlight.count > 0) {
        await inFlight.quiet();
        continue;
      }
      if (this.#settleRealMs > 0 && !(await this.#quietFor(this.#settleRealMs))) continue;
      const due = this.#stage.nextDueMs();
      if (due === null || due > this.#stage.now()) return;
    }
  }

  async #runSlices(): Promise<void> {
    const { host } = this.#stage;
    this.#isRunning = true;
    for (let ran = 1; !this.#interrupted && this.#failure === null && this.#stage.runNext(); ran += 1) {
      if (ran % sliceJobs === 0) await turnOfOthers(host);
    }
    this.#isRunning = false;
  }

  /** Resolves with true when the application was idle for that long, and with false when there is work again. */
  async #quietFor(realMs: number): Promise<boolean> {
    const { host, inFlight } = this.#stage;
    const start = host.monotonic();
    while (!this.#interrupted) {
      const left = Math.max(start, this.#stage.lastActivityMs()) + realMs - host.monotonic();
      if (left <= 0) return inFlight.count === 0;
      await new Promise<void>((resolve) => {
        const cancel = host.setTimer(left, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
      if (inFlight.count > 0) return false;
    }
    return true;
  }
}
