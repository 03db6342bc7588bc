/** Observes the application of a run: its calls, the requests that it receives, and how long it pauses in between. */
import type { RequestListener, ServerResponse } from 'node:http';
import type { Observer } from '../../sandbox.js';
import { machineTime } from '../../time/system-clock.js';

/** Before an application has been seen, and after an error whose response names no time. */
const USUAL_PAUSE_MS = 500;
/** The shortest idle time that counts, however fast the application was so far. */
const LEAST_PAUSE_MS = 120;
/** A client that was asked to wait longer than this has probably given up. */
const LONGEST_RETRY_MS = 60_000;
/** An application whose calls only fail is not waited for any longer than this. */
const LONGEST_STUCK_MS = 15_000;
/** Number of pauses after which their length is trusted. */
const ENOUGH_PAUSES = 2;

export class Activity implements Observer {
  /** Number of calls of the API that have begun. */
  calls = 0;
  /** Those that only read. */
  reads = 0;
  /** Calls without a response yet. */
  #open = 0;
  /** Requests to the application without a response yet. */
  #sending = 0;
  /** Machine time of the latest sign of activity; in the future if the application was asked to wait. */
  #latestMs = machineTime.monotonic();
  /** Machine time of the latest sign of activity other than a call that failed. */
  #usefulMs = machineTime.monotonic();
  #pauses = 0;
  #longestMs = 0;
  /** The latest call that changed something, for the report. */
  latestCall = '';

  /** @param leastMs the shortest idle time that counts */
  constructor(private readonly leastMs = LEAST_PAUSE_MS) {}

  listener = (listener: RequestListener): RequestListener => {
    return (request, response) => {
      if (request.url?.startsWith('/v1') === true) this.#began(`${request.method ?? ''} ${request.url}`, response);
      listener(request, response);
    };
  };

  sender: Observer['sender'] = (sender) => ({
    ...sender,
    close: () => sender.close(),
    send: async (request) => {
      this.#sending += 1;
      try {
        return await sender.send(request);
      } finally {
        this.#sending -= 1;
        this.note();
      }
    },
  });

  /** Notes that something happened that the application may react to. @param moreMs how much later it may react */
  note(moreMs = 0): void {
    this.#usefulMs = machineTime.monotonic();
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

  /** Whether a call or a request is in progress. */
  get isBusy(): boolean {
    return this.#open > 0 || this.#sending > 0;
  }

  /** Machine milliseconds since the latest sign of activity; negative if the application was asked to wait. */
  get idleMs(): number {
    return machineTime.monotonic() - this.#latestMs;
  }

  /** Longer than the application was ever seen to pause. */
  get patienceMs(): number {
    if (this.#pauses < ENOUGH_PAUSES) return Math.max(USUAL_PAUSE_MS, this.leastMs);
    return Math.max(this.leastMs, 1.5 * this.#longestMs + 50);
  }

  #began(call: string, response: ServerResponse): void {
    this.calls += 1;
    const reads = call.startsWith('GET ');
    if (reads) this.reads += 1;
    else this.latestCall = call;
    // An application that only looks, again and again, would never be idle. Calls in parallel do not make a pause, nor does a call before the end of Retry-After.
    if (!reads && this.calls > 1 && !this.isBusy && this.idleMs > 0) {
      this.#pauses += 1;
      this.#longestMs = Math.max(this.#longestMs, this.idleMs);
    }
    this.#open += 1;
    const usefulMs = this.#usefulMs;
    if (!reads) this.note();
    response.once('close', () => {
      this.#open -= 1;
      const moreMs = retryMs(response);
      if (!reads || moreMs > 0) this.note(moreMs);
      // A call that failed is activity, but no use.
      if (response.statusCode >= 400 || !response.writableFinished) this.#usefulMs = usefulMs;
    });
  }
}

/** How long a client probably waits before it repeats a call. */
function retryMs(response: ServerResponse): number {
  const { statusCode, writableFinished } = response;
  if (writableFinished && statusCode !== 429 && statusCode < 500) return 0;
  const askedMs = Number(response.getHeader('retry-after') ?? 0) * 1000;
  if (!(askedMs > 0)) return USUAL_PAUSE_MS;
  return askedMs > LONGEST_RETRY_MS ? 0 : askedMs;
}
