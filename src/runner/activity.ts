/** What the application of a run does: its calls, and how long it pauses in between. */
import { EventEmitter, once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { machineTime } from '../time/system-clock.js';

/** Before an application has been seen, and after an error whose response names no time. */
const USUAL_PAUSE_MS = 500;
/** The shortest idle time that counts, however fast the application was so far. */
const LEAST_PAUSE_MS = 120;
/** A client that was asked to wait longer than this has probably given up. */
const LONGEST_RETRY_MS = 60_000;
/** An application whose calls only fail is not waited for any longer than this. */
const LONGEST_STUCK_MS = 15_000;
/** A call without a response for this long has no time limit. */
const LONGEST_CALL_MS = 75_000;
/** Number of pauses after which their length is trusted. */
const ENOUGH_PAUSES = 2;
/** After so many failures in a row, more account time is what the application needs. */
const MOST_FAILURES = 3;

interface ActivityParts {
  /** The shortest idle time that counts. */
  readonly leastMs?: number | undefined;
  /** Time in which the application repeats a failed call; its pauses are then known, and not learnt. */
  readonly retryMs?: number;
  /** The longest time for which a call without a response is waited for. */
  readonly longestCallMs?: number;
}

/** Times are machine milliseconds. */
export class Activity {
  /** Number of calls of the API that have begun. */
  calls = 0;
  /** Those that only read. */
  reads = 0;
  /** When the calls without a response began. */
  readonly #open = new Set<{ readonly sinceMs: number }>();
  /** The latest sign of activity; in the future if the application was asked to wait. */
  #latestMs = machineTime.monotonic();
  #notedMs = machineTime.monotonic();
  /** The latest sign of activity other than a call that failed. */
  #usefulMs = machineTime.monotonic();
  #pauses = 0;
  #longestMs = 0;
  #failures = 0;
  /** The latest call that changed something, for the report. */
  latestCall = '';
  /** The call for whose repetition the application is waited for, and when it was asked to repeat it. */
  #failed = { call: '', fromMs: 0 };

  readonly #signs = new EventEmitter();
  readonly firstCall = once(this.#signs, 'call');

  constructor(private readonly parts: ActivityParts = {}) {}

  /** Notes that something happened that the application may react to. @param moreMs how much later it may react */
  note(moreMs = 0): void {
    this.#notedMs = this.#usefulMs = machineTime.monotonic();
    this.#latestMs = Math.max(this.#latestMs, this.#usefulMs + moreMs);
  }

  /** Whether the application has been idle for so long, or does nothing but repeat calls that fail. */
  isIdleFor(ms: number): boolean {
    return this.idleMs >= ms || machineTime.monotonic() - this.#usefulMs > LONGEST_STUCK_MS;
  }

  /** Number of calls that change something. */
  get changes(): number {
    return this.calls - this.reads;
  }

  /** Whether a call is in progress. */
  get isBusy(): boolean {
    const { longestCallMs = LONGEST_CALL_MS } = this.parts;
    return [...this.#open].some(({ sinceMs }) => machineTime.monotonic() - sinceMs < longestCallMs);
  }

  /** Whether a call has no response yet, however long ago it was made. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** Machine milliseconds since the latest sign of activity; negative if the application was asked to wait. */
  get idleMs(): number {
    return machineTime.monotonic() - this.#latestMs;
  }

  /** The same, whether or not the application was asked to wait. */
  get restMs(): number {
    return machineTime.monotonic() - this.#notedMs;
  }

  /** Longer than the application was ever seen to pause. */
  get patienceMs(): number {
    const { leastMs = LEAST_PAUSE_MS, retryMs } = this.parts;
    if (retryMs !== undefined) return leastMs;
    if (this.#pauses < ENOUGH_PAUSES) return Math.max(USUAL_PAUSE_MS, leastMs);
    return Math.max(leastMs, 1.5 * this.#longestMs + 50);
  }

  /** Observes a call of the application. @param call its method and URL */
  began(call: string, response: ServerResponse): void {
    this.calls += 1;
    this.#signs.emit('call');
    const reads = call.startsWith('GET ');
    if (reads) this.reads += 1;
    else this.latestCall = call;
    // An application that only looks, again and again, would never be idle. Calls in parallel do not make a pause, nor does a call before the end of Retry-After.
    if (!reads && this.calls > 1 && !this.isBusy && this.idleMs > 0) {
      this.#pauses += 1;
      this.#longestMs = Math.max(this.#longestMs, this.idleMs);
    }
    const open = { sinceMs: machineTime.monotonic() };
    this.#open.add(open);
    const usefulMs = this.#usefulMs;
    if (call === this.#failed.call && open.sinceMs >= this.#failed.fromMs) this.#latestMs = open.sinceMs;
    if (!reads) this.note();
    response.once('close', () => {
      this.#open.delete(open);
      const askedMs = 1000 * (Number(response.getHeader('retry-after')) || 0);
      const moreMs = this.#retryMs(response, askedMs);
      if (moreMs > 0) this.#failed = { call, fromMs: machineTime.monotonic() + askedMs };
      if (!reads || moreMs > 0) this.note(moreMs);
      const { statusCode } = response;
      // A call that failed is activity, but no use.
      if (statusCode >= 400 || !response.writableFinished) this.#usefulMs = usefulMs;
    });
  }

  /** How long a client probably waits before it repeats a call. */
  #retryMs({ statusCode, writableFinished }: ServerResponse, askedMs: number): number {
    if (writableFinished && statusCode !== 429 && statusCode < 500) {
      this.#failures = 0;
      return 0;
    }
    this.#failures += 1;
    const { retryMs } = this.parts;
    if (retryMs !== undefined && this.#failures >= MOST_FAILURES) return 0;
    if (askedMs === 0) return retryMs ?? USUAL_PAUSE_MS;
    return askedMs > LONGEST_RETRY_MS ? 0 : Math.max(askedMs, retryMs ?? 0);
  }
}

/** Returns a listener that shows each call of the API to the activity of its account. */
export const observing =
  (activityOf: (key: string) => Activity | undefined) =>
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const { url = '', method = '', headers } = request;
    const key = headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (url.startsWith('/v1')) activityOf(key)?.began(`${method} ${url}`, response);
    listener(request, response);
  };
