/** Moves from due instant to due instant, and at each one waits for all responses to its webhooks. */
import { ServiceError } from '../domain/errors.js';
import { isProgress } from './jobs.js';
import type { Job } from '../domain/rows.js';
import type { Line } from './line.js';

export interface Advanced {
  readonly ran: readonly { readonly atMs: number; readonly job: Job }[];
  readonly stopped: boolean;
}

export interface AdvanceOptions {
  /**
   * Earlier end of the advance: `next` after one due instant, `idle` if no progress job is left. Attempts in
   * flight at the start finish first, because their responses may decide which job is due next.
   */
  readonly until?: 'next' | 'idle';
  /** Machine milliseconds for which the application must be idle after each step. */
  readonly settleRealMs?: number;
}

/**
 * Number of jobs that may run before API calls get their turn: a few milliseconds of work. Jobs are counted and not
 * timed: attempts start in between, and a busy machine must not change their order.
 */
const jobsPerTurn = 250;

const longestChain = 10_000;
const shownJobs = 6;

export class Advance {
  readonly #ran: { readonly atMs: number; readonly job: Job }[] = [];
  /** The number of jobs before each one in its chain of causes. */
  readonly #depths = new WeakMap<Job, number>();
  #isInterrupted = false;
  #wake: () => void = () => undefined;
  /** Jobs that are due at the current instant still run, and their responses are awaited. */
  stopped = false;
  /** Set even if another caller ran the job that failed. */
  failure: Error | null = null;
  isRunning = false;

  constructor(
    private readonly line: Line,
    private readonly options: AdvanceOptions,
  ) {}

  interrupt(): void {
    this.#isInterrupted = true;
    this.#wake();
  }

  /** `running` is the job that scheduled it; null if a call did, most likely from the handler of a receiver. */
  noteCause(job: Job, running: Job | null): void {
    const causes = running ? [running] : [...this.line.parts.inFlight.jobs()];
    const depths = causes.map((cause) => this.#depth(cause) + 1);
    this.#depths.set(job, Math.max(0, ...depths));
  }

  #depth(job: Job): number {
    return this.#depths.get(job) ?? 0;
  }

  /** @throws ServiceError `clock_loop` for an endless chain of jobs that cause each other */
  begin(job: Job): void {
    this.#ran.push({ atMs: this.line.parts.clock.now(), job });
    if (this.#depth(job) <= longestChain) return;
    const cycle = this.#ran.slice(-shownJobs).map(({ job: { kind, subject } }) => `${kind} of ${subject}`);
    throw new ServiceError(
      'clock_loop',
      `More than ${longestChain} jobs ran, each caused by the one before it, so the advance stopped. The chain ends in: ${cycle.join(' → ')}. ` +
        'Look for a rule or a receiver that answers each event with something that causes the next one.',
      { extra: { cycle } },
    );
  }

  async to(targetMs: number): Promise<Advanced> {
    const { line } = this;
    const { clock } = line.parts;
    const { until } = this.options;
    await this.#settle();
    while (!this.#isInterrupted && !this.stopped) {
      const due = line.nextDueMs();
      const pull = until === 'idle' ? line.nextDueMs(isProgress) : due;
      const isLast = due === null || pull === null || pull > targetMs;
      // An advance until the next job, or until idle, stays at the instant of the last one.
      if (isLast && until !== undefined) break;
      line.arrive(Math.max(clock.now(), isLast ? targetMs : due));
      if (isLast) break;
      await this.#settle();
      if (until === 'next') break;
    }
    if (!this.#isInterrupted) return { ran: this.#ran, stopped: this.stopped };
    throw new ServiceError(
      'clock_interrupted',
      'The advance was interrupted: the account was reset or deleted, or the sandbox stopped.',
    );
  }

  async #settle(): Promise<void> {
    const { line } = this;
    const { clock, inFlight } = line.parts;
    const { settleRealMs = 0 } = this.options;
    while (!this.#isInterrupted) {
      await this.#runDue();
      if (this.failure) throw this.failure;
      if (inFlight.count > 0) {
        await inFlight.quiet();
        continue;
      }
      if (settleRealMs > 0 && !(await this.#quietFor(settleRealMs))) continue;
      const due = line.nextDueMs();
      if (due === null || due > clock.now()) return;
    }
  }

  async #runDue(): Promise<void> {
    const { line } = this;
    this.isRunning = true;
    for (let ran = 1; !this.#isInterrupted && this.failure === null && line.runNext(); ran += 1) {
      if (ran % jobsPerTurn === 0) await new Promise<void>((resolve) => line.parts.host.defer(resolve));
    }
    this.isRunning = false;
  }

  /** False if there is work again. */
  async #quietFor(realMs: number): Promise<boolean> {
    const { host, inFlight, quiet } = this.line.parts;
    const startMs = host.monotonic();
    while (!this.#isInterrupted) {
      const untilMs = quiet.isBusy ? realMs : quiet.untilIdleForMs(realMs);
      const left = Math.max(startMs + realMs - host.monotonic(), untilMs);
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
