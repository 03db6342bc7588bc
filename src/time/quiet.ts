/** Everything that lets time jump, or waits for quiet, asks here. Times are machine milliseconds. */
import { EventEmitter, once } from 'node:events';
import type { SystemClock } from './system-clock.js';

/** Before an application has been seen, and after an error whose response names no time. */
const usualPauseMs = 500;
/** The shortest idle time that counts, however fast the application was so far. */
export const leastPauseMs = 120;
/** A client that was asked to wait longer than this has probably given up. */
const longestRetryMs = 60_000;
/** An application whose calls only fail is not waited for any longer than this. */
const longestStuckMs = 15_000;
/** A call without a response for this long has no time limit. */
const longestCallMs = 75_000;
const enoughPauses = 2;
/** After so many failures in a row, more account time is what the application needs. */
const mostFailures = 3;
/** Additional idle time for each hour that a jump skips, up to a day, because the application may itself be waiting. */
const perSkippedHourMs = 20;
const mostHours = 24;
const hourMs = 3_600_000;

export interface KnownPace {
  /** Time in which the application repeats a failed call; its pauses are then known, and not learnt. */
  readonly retryMs?: number | undefined;
  readonly callMs?: number | undefined;
  /** Only calls to which a rule with such an id responded are repeated. Default: all that failed. */
  readonly failsBy?: string | undefined;
}

export interface CallEnd {
  readonly status: number | null;
  /** 0 if the response does not ask for a repetition. */
  readonly retryAfterMs: number;
  /** Id of the rule that responded. */
  readonly rule?: string | null;
  /** The body of the call: a repetition has the same one. */
  readonly body?: string | undefined;
}

export class Quiet {
  calls = 0;
  reads = 0;
  /** Calls that got a 4xx. */
  rejections = 0;
  /** Calls that only read do not count. */
  latestCall = '';
  #open = new Set<{ readonly sinceMs: number }>();
  /** The latest sign of activity; in the future if the application was asked to wait. */
  #latestMs: number;
  #notedMs: number;
  /** The latest sign of activity other than a call that failed. */
  #usefulMs: number;
  #pauses = 0;
  #longestPauseMs = 0;
  /** From a failure, or the end of its Retry-After, to the repetition of the call: other calls need no such patience. */
  #longestRetryMs = 0;
  #failures = 0;
  /** The call for whose repetition the application is waited for, and when it was asked to repeat it. */
  #failed: { call: string; body?: string | undefined; fromMs: number } = { call: '', fromMs: 0 };
  #known: KnownPace = {};
  readonly #signs = new EventEmitter();

  constructor(private readonly host: Pick<SystemClock, 'monotonic'>) {
    this.#latestMs = this.#notedMs = this.#usefulMs = host.monotonic();
  }

  forget(): void {
    this.calls = this.reads = this.rejections = this.#failures = 0;
    this.latestCall = '';
    this.#open = new Set();
    this.#failed = { call: '', fromMs: 0 };
    this.#latestMs = this.#notedMs = this.#usefulMs = this.host.monotonic();
  }

  know(pace: KnownPace): void {
    this.#known = pace;
  }

  async nextCall(): Promise<void> {
    await once(this.#signs, 'call');
  }

  /** The application may react to it, `moreMs` later than usual. */
  note(moreMs = 0): void {
    this.#notedMs = this.#usefulMs = this.host.monotonic();
    this.#latestMs = Math.max(this.#latestMs, this.#usefulMs + moreMs);
  }

  began(call: string): (end: CallEnd) => void {
    const open = { sinceMs: this.host.monotonic() };
    const reads = call.startsWith('GET ');
    this.calls += 1;
    if (reads) this.reads += 1;
    else this.latestCall = call;
    this.#signs.emit('call');
    // An application that only looks, again and again, would never be idle. Calls in parallel do not make a pause, nor
    // does a call before the end of Retry-After.
    const pauseMs = !reads && this.calls > 1 && !this.isBusy ? this.idleMs : 0;
    const calls = this.#open.add(open);
    const usefulMs = this.#usefulMs;
    if (!reads) this.note();
    return (end) => {
      if (!calls.delete(open) || calls !== this.#open) return;
      const { body, status } = end;
      if (status !== null && status >= 400 && status < 500) this.rejections += 1;
      const isRepeated = call === this.#failed.call && body === this.#failed.body;
      if (isRepeated && open.sinceMs >= this.#failed.fromMs) this.#latestMs = open.sinceMs;
      if (isRepeated) this.#longestRetryMs = Math.max(this.#longestRetryMs, open.sinceMs - this.#failed.fromMs);
      else if (pauseMs > 0) {
        this.#pauses += 1;
        this.#longestPauseMs = Math.max(this.#longestPauseMs, pauseMs);
      }
      const moreMs = this.#retryMs(end);
      if (moreMs > 0) this.#failed = { call, body, fromMs: this.host.monotonic() + end.retryAfterMs };
      if (!reads || moreMs > 0) this.note(moreMs);
      // A call that failed is activity, but no use.
      if (status === null || status >= 400) this.#usefulMs = usefulMs;
    };
  }

  #retryMs({ status, retryAfterMs, rule }: CallEnd): number {
    const { failsBy = '' } = this.#known;
    const isFinal = rule?.startsWith(failsBy) !== true && failsBy !== '';
    if (isFinal || (status !== null && status !== 429 && status < 500)) {
      this.#failures = 0;
      return 0;
    }
    this.#failures += 1;
    const { retryMs } = this.#known;
    if (retryMs !== undefined && this.#failures >= mostFailures) return 0;
    // Each wait is often twice as long as the one before.
    if (retryAfterMs === 0) return retryMs ?? Math.max(usualPauseMs, 2 * this.#longestRetryMs);
    return retryAfterMs > longestRetryMs ? 0 : Math.max(retryAfterMs, retryMs ?? 0);
  }

  get changes(): number {
    return this.calls - this.reads;
  }

  get isBusy(): boolean {
    const limitMs = this.#known.callMs ?? longestCallMs;
    for (const { sinceMs } of this.#open) if (this.host.monotonic() - sinceMs < limitMs) return true;
    return false;
  }

  /** A call has no response yet, however long ago it was made. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  get idleMs(): number {
    return this.host.monotonic() - this.#latestMs;
  }

  /** The same, whether or not the application was asked to wait. */
  get restMs(): number {
    return this.host.monotonic() - this.#notedMs;
  }

  /** Longer than the application was ever seen to pause. */
  patienceMs(leastMs = leastPauseMs): number {
    if (this.#known.retryMs !== undefined) return leastMs;
    if (this.#pauses < enoughPauses) return Math.max(usualPauseMs, leastMs);
    return Math.max(leastMs, 1.5 * this.#longestPauseMs + 50);
  }

  /** 0 if it has been idle for so long, or only repeats calls that fail. */
  untilIdleForMs(ms: number): number {
    if (this.host.monotonic() - this.#usefulMs > longestStuckMs) return 0;
    return Math.max(0, ms - this.idleMs);
  }

  /** Idle time before account time jumps over `skippedMs`. */
  static beforeJump(patienceMs: number, skippedMs: number): number {
    return patienceMs + Math.min(mostHours, Math.max(0, skippedMs) / hourMs) * perSkippedHourMs;
  }
}
