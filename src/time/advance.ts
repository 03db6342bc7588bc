/**
 * One advance of an account's clock. It moves from due instant to due instant, and at each one waits for all responses
 * to the webhooks that the instant caused.
 */
import { ServiceError } from '../domain/errors.js';
import { isProgress } from '../domain/job.js';
import type { Job } from '../domain/rows.js';
import type { AccountClock } from './account-clock.js';
import type { InFlight, JobQueue } from './jobs.js';
import type { SystemClock } from './system-clock.js';

interface ExecutedJob {
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

/** The scheduler as an advance and the timer of a clock need it. */
export interface ClockControl {
  readonly clock: AccountClock;
  readonly host: SystemClock;
  readonly queue: JobQueue;
  readonly inFlight: InFlight;
  /** Moves account time forward. */
  arrive(nowMs: number): void;
  /** Runs the next job that is due now; false if there is none. */
  runNext(): boolean;
  /** Runs all jobs that are due now. */
  runDue(): void;
  /** Machine time of the application's latest call. */
  lastActivityMs(): number;
  /** Whether the timer may run jobs: not while a caller moves the clock, and never after the end. */
  mayWake(): boolean;
}

/**
 * Number of jobs that may run before API calls get their turn: a few milliseconds of work. Jobs are counted and not
 * timed: attempts start in between, and a busy machine must not change their order.
 */
const jobsPerTurn = 250;

export class Advance {
  readonly ran: ExecutedJob[] = [];
  readonly causes = new LoopDetector();
  /** Whether the account was replaced before the advance reached its target. */
  interrupted = false;
  /** Set to stop the advance at the current instant: jobs that are due then still run, and their responses are awaited. */
  stopped = false;
  /** Whether the advance is running the jobs that are due now. */
  isRunning = false;
  #failure: Error | null = null;
  #wake: () => void = () => undefined;

  constructor(
    private readonly control: ClockControl,
    private readonly options: AdvanceOptions,
  ) {}

  /** Stops the advance immediately, because the account is reset or the sandbox stops. */
  interrupt(): void {
    this.interrupted = true;
    this.#wake();
  }

  /** Stops the advance with an error, also if another caller ran the job that failed. */
  fail(error: Error): void {
    this.#failure = error;
  }

  async to(targetMs: number): Promise<void> {
    const { clock, queue } = this.control;
    await this.#settle();
    while (!this.interrupted && !this.stopped) {
      const due = queue.nextDueMs();
      const pull = this.options.until === 'idle' ? queue.nextDueMs(isProgress) : due;
      if (due === null || pull === null || due > targetMs || pull > targetMs) break;
      this.control.arrive(Math.max(clock.now(), due));
      await this.#settle();
      if (this.options.until === 'next') return;
    }
    if (this.interrupted || this.stopped) return;
    if (this.options.until === undefined) this.control.arrive(Math.max(clock.now(), targetMs));
  }

  /** Runs all jobs that are due at the held instant, and waits until everything that they caused has finished. */
  async #settle(): Promise<void> {
    const { clock, inFlight, queue } = this.control;
    const { settleRealMs = 0 } = this.options;
    while (!this.interrupted) {
      await this.#runDue();
      if (this.#failure) throw this.#failure;
      if (inFlight.count > 0) {
        await inFlight.quiet();
        continue;
      }
      if (settleRealMs > 0 && !(await this.#quietFor(settleRealMs))) continue;
      const due = queue.nextDueMs();
      if (due === null || due > clock.now()) return;
    }
  }

  async #runDue(): Promise<void> {
    const { host } = this.control;
    this.isRunning = true;
    for (let ran = 1; !this.interrupted && this.#failure === null && this.control.runNext(); ran += 1) {
      if (ran % jobsPerTurn === 0) await new Promise<void>((resolve) => host.defer(resolve));
    }
    this.isRunning = false;
  }

  /** Resolves with true when the application was idle for that long, and with false when there is work again. */
  async #quietFor(realMs: number): Promise<boolean> {
    const { host, inFlight } = this.control;
    const start = host.monotonic();
    while (!this.interrupted) {
      const left = Math.max(start, this.control.lastActivityMs()) + realMs - host.monotonic();
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

const longestChain = 10_000;
/** The number of jobs that the error names: enough to see the cycle. */
const shownJobs = 6;

/** Counts the jobs of one advance that cause each other: an endless chain is an error, a long list of jobs is not. */
export class LoopDetector {
  /** The number of jobs before each one in its chain. */
  readonly #depths = new WeakMap<Job, number>();
  readonly #trail: string[] = [];

  note(job: Job, cause: Job | null): void {
    this.#depths.set(job, cause === null ? 0 : this.#depth(cause) + 1);
  }

  /** @throws ServiceError `clock_loop` if the chain that ends in `job` is too long */
  refuseLoop(job: Job): void {
    const depth = this.#depth(job);
    if (depth > longestChain - shownJobs) this.#trail.push(`${job.kind} of ${job.subject}`);
    if (depth <= longestChain) return;
    const cycle = this.#trail.slice(-shownJobs);
    throw new ServiceError(
      'clock_loop',
      `More than ${longestChain} jobs ran, each caused by the one before it, so the advance stopped. The chain ends in: ${cycle.join(' → ')}. ` +
        'Look for a rule or a receiver that answers each event with something that causes the next one.',
      { extra: { cycle } },
    );
  }

  deepest(jobs: Iterable<Job>): Job | null {
    return [...jobs].reduce<Job | null>(
      (deepest, job) => (deepest === null || this.#depth(job) > this.#depth(deepest) ? job : deepest),
      null,
    );
  }

  #depth(job: Job): number {
    return this.#depths.get(job) ?? 0;
  }
}
