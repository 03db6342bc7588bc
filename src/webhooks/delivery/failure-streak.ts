/**
 * Tracks since when each endpoint has been failing, as if responses arrived in the order in which their attempts
 * started. Parallel attempts can finish in any order; neither the pause nor its instant depends on that.
 */
import type { Endpoint } from '../../domain/endpoint.js';

interface Failure {
  readonly turn: number;
  readonly atMs: number;
}

interface Streak {
  readonly underWay: Set<number>;
  /** The latest attempt that succeeded; attempts that began earlier no longer count. */
  succeeded: number;
  /** The later attempts that failed, in their order: the first began the streak. */
  failures: Failure[];
  /** The outcome of the attempt that finished last. */
  sinceMs: number | null;
}

/** Tracks an endpoint while attempts to it are in flight; `failingSinceMs` of the endpoint is the permanent record. */
export class FailureStreaks {
  readonly #streaks = new Map<string, Streak>();
  #turns = 0;

  /**
   * Records the start of an attempt.
   * @returns its turn, to be passed on when it ends
   */
  begin(endpoint: Endpoint): number {
    let streak = this.#streaks.get(endpoint.id);
    if (streak === undefined) {
      streak = { underWay: new Set(), succeeded: -1, failures: asStored(endpoint), sinceMs: endpoint.failingSinceMs };
      this.#streaks.set(endpoint.id, streak);
    }
    this.#turns += 1;
    streak.underWay.add(this.#turns);
    return this.#turns;
  }

  /**
   * Records the outcome of an attempt that counts.
   * @param endpoint in its current state
   * @param atMs account time at which the attempt began
   * @returns since when the endpoint has been failing; null if it has not
   */
  end(endpoint: Endpoint, turn: number, atMs: number, ok: boolean): number | null {
    const streak = this.#streaks.get(endpoint.id);
    if (streak === undefined) return endpoint.failingSinceMs;
    // The streak ended meanwhile: the endpoint was paused, or registered again.
    if (streak.sinceMs !== endpoint.failingSinceMs) streak.failures = asStored(endpoint);
    if (ok) streak.succeeded = Math.max(streak.succeeded, turn);
    else streak.failures.push({ turn, atMs });
    streak.failures = streak.failures.filter((one) => one.turn > streak.succeeded).sort((a, b) => a.turn - b.turn);
    streak.sinceMs = streak.failures[0]?.atMs ?? null;
    this.leave(endpoint.id, turn);
    return streak.sinceMs;
  }

  /** Records the end of an attempt that does not count. */
  leave(endpointId: string, turn: number): void {
    const streak = this.#streaks.get(endpointId);
    if (streak === undefined) return;
    streak.underWay.delete(turn);
    if (streak.underWay.size === 0) this.#streaks.delete(endpointId);
    // Keeps the first failure, and those that may become the first after a success that is still in flight.
    const oldest = Math.min(...streak.underWay);
    streak.failures = streak.failures.filter((one, i) => i === 0 || one.turn > oldest);
  }

  /** Ignores attempts in flight; they have no effect. */
  clear(): void {
    this.#streaks.clear();
  }
}

/** The state before all tracked attempts. */
function asStored({ failingSinceMs }: Endpoint): Failure[] {
  return failingSinceMs === null ? [] : [{ turn: 0, atMs: failingSinceMs }];
}
