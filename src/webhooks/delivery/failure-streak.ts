/**
 * Since when each endpoint has been failing (contract §2, row 3.3/6), as if answers came in the order in which their attempts
 * began. Of attempts under way together, any may be answered first; neither the pause nor its instant hangs on that.
 */
import type { Endpoint } from '../../domain/endpoint.js';

interface Failure {
  readonly turn: number;
  readonly atMs: number;
}

interface Run {
  readonly underWay: Set<number>;
  /** The latest attempt that succeeded; those that began before it say nothing about a run any more. */
  succeeded: number;
  /** Those after it that failed, in their order: the first began the run. */
  failures: Failure[];
  /** What came of it when an attempt ended last. */
  sinceMs: number | null;
}

/** Remembers an endpoint while attempts to it are under way; what lasts longer is `failingSinceMs` of the endpoint. */
export class FailureRuns {
  readonly #runs = new Map<string, Run>();
  #turns = 0;

  /** An attempt begins. @returns its turn, to be named when it ends */
  begin(endpoint: Endpoint): number {
    let run = this.#runs.get(endpoint.id);
    if (run === undefined) {
      run = { underWay: new Set(), succeeded: -1, failures: asStored(endpoint), sinceMs: endpoint.failingSinceMs };
      this.#runs.set(endpoint.id, run);
    }
    this.#turns += 1;
    run.underWay.add(this.#turns);
    return this.#turns;
  }

  /**
   * An attempt that counts is answered.
   * @param endpoint as it is now
   * @param atMs account time at which the attempt began
   * @returns since when the endpoint fails; null while it does not
   */
  end(endpoint: Endpoint, turn: number, atMs: number, ok: boolean): number | null {
    const run = this.#runs.get(endpoint.id);
    if (run === undefined) return endpoint.failingSinceMs;
    // Somebody else has ended the run meanwhile: the endpoint was paused, or registered again.
    if (run.sinceMs !== endpoint.failingSinceMs) run.failures = asStored(endpoint);
    if (ok) run.succeeded = Math.max(run.succeeded, turn);
    else run.failures.push({ turn, atMs });
    run.failures = run.failures.filter((one) => one.turn > run.succeeded).sort((a, b) => a.turn - b.turn);
    run.sinceMs = run.failures[0]?.atMs ?? null;
    this.leave(endpoint.id, turn);
    return run.sinceMs;
  }

  /** An attempt is over that says nothing about a run. */
  leave(endpointId: string, turn: number): void {
    const run = this.#runs.get(endpointId);
    if (run === undefined) return;
    run.underWay.delete(turn);
    if (run.underWay.size === 0) this.#runs.delete(endpointId);
    // Besides the first, those count that a success still to come may leave as the first.
    const oldest = Math.min(...run.underWay);
    run.failures = run.failures.filter((one, i) => i === 0 || one.turn > oldest);
  }

  /** What is under way ends without a trace. */
  clear(): void {
    this.#runs.clear();
  }
}

/** What was there before every attempt that is remembered. */
function asStored({ failingSinceMs }: Endpoint): Failure[] {
  return failingSinceMs === null ? [] : [{ turn: 0, atMs: failingSinceMs }];
}
