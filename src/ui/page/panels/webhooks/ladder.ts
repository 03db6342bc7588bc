/**
 * The retry schedule of a delivery as data for a drawing: past and future attempts, and the instant at which the
 * endpoint is paused. All times are account time, in milliseconds since 1970.
 */
import type { Attempt, Delivery, Endpoint } from '../../core/records.js';

const minuteMs = 60_000;
/** Gaps after the first, second and third attempt; every later gap is an hour. */
const firstGapsMs = [1, 5, 30].map((minutes) => minutes * minuteMs);
const hourMs = 60 * minuteMs;
/** From the start of a failure streak to the pause. */
export const pauseAfterMs = 24 * hourMs;

/**
 * Number of attempts in the retry schedule before the endpoint is paused: after 0, 1, 6 and 36 minutes, then hourly.
 */
export const mostAttempts = 27;

export type Outcome = 'delivered' | 'refused' | 'unanswered';

export interface Rung {
  /** Number of the attempt, as in its header. */
  readonly number: number;
  readonly atMs: number;
}

/** One run through the schedule; a redelivery begins another. */
export interface Ladder {
  readonly startMs: number;
  readonly endMs: number;
  readonly made: readonly (Rung & { readonly outcome: Outcome })[];
  /** The first is scheduled; the others follow if it fails. */
  readonly ahead: readonly Rung[];
  /** Instants of the schedule that a success made unnecessary. */
  readonly spared: readonly number[];
  /** When the endpoint will be paused if nothing succeeds; null without a failure. */
  readonly deadlineMs: number | null;
  /** When the endpoint was paused; null if it is not paused. */
  readonly pausedMs: number | null;
  /** Whether this is the current or latest run. */
  readonly latest: boolean;
}

export function gapAfterMs(step: number): number {
  return firstGapsMs[step - 1] ?? hourMs;
}

/**
 * Returns at least one run, oldest first.
 * @param endpoint undefined if it was removed
 */
export function laddersOf(delivery: Delivery, endpoint: Endpoint | undefined): Ladder[] {
  const runs = runsOf(delivery);
  return runs.map((attempts, at) => ladderOf(delivery, endpoint, attempts, at === runs.length - 1));
}

function runsOf({ attempts, state }: Delivery): Attempt[][] {
  const runs: Attempt[][] = [];
  for (const attempt of attempts) {
    if (runs.length === 0 || attempt.trigger === 'redelivery') runs.push([]);
    runs.at(-1)?.push(attempt);
  }
  // No attempt yet, or none since a redelivery.
  if (runs.length === 0 || state === 'pending') runs.push([]);
  return runs;
}

function ladderOf(
  delivery: Delivery,
  endpoint: Endpoint | undefined,
  attempts: readonly Attempt[],
  latest: boolean,
): Ladder {
  const made = attempts.map((attempt) => ({
    number: attempt.number,
    atMs: Date.parse(attempt.at),
    outcome: outcomeOf(attempt),
  }));
  const nextMs = latest && delivery.next_attempt_at !== null ? Date.parse(delivery.next_attempt_at) : null;
  const startMs = made[0]?.atMs ?? nextMs ?? Date.parse(delivery.created_at);
  const failingMs = nextMs !== null ? timeOf(endpoint?.failing_since) : null;
  const deadlineMs = failingMs === null ? null : failingMs + pauseAfterMs;
  const pausedMs =
    latest && delivery.state === 'held' && endpoint?.status === 'paused' ? timeOf(endpoint.updated_at) : null;
  const numbered = delivery.attempts.at(-1)?.number ?? 0;
  const ahead =
    nextMs === null
      ? []
      : scheduleFrom(nextMs, made.length + 1, deadlineMs ?? nextMs + pauseAfterMs).map((atMs, at) => ({
          number: numbered + 1 + at,
          atMs,
        }));
  const last = made.at(-1);
  const spared =
    last?.outcome === 'delivered' ? scheduleFrom(last.atMs, made.length, startMs + pauseAfterMs).slice(1) : [];
  const endMs = Math.max(
    startMs + pauseAfterMs,
    deadlineMs ?? 0,
    pausedMs ?? 0,
    last?.atMs ?? 0,
    ahead.at(-1)?.atMs ?? 0,
  );
  return { startMs, endMs, made, ahead, spared, deadlineMs, pausedMs, latest };
}

/** Returns the instants of the schedule from step `step` (counted from 1, at `fromMs`) to `untilMs`. */
function scheduleFrom(fromMs: number, step: number, untilMs: number): number[] {
  const instants = [fromMs];
  for (let at = step, next = fromMs + gapAfterMs(at); next <= untilMs; at += 1, next += gapAfterMs(at)) {
    instants.push(next);
  }
  return instants;
}

export function outcomeOf({ status, error }: Pick<Attempt, 'status' | 'error'>): Outcome {
  if (status === null) return 'unanswered';
  return error === undefined && status >= 200 && status < 300 ? 'delivered' : 'refused';
}

/**
 * Returns the horizontal position of an instant, from 0 to 1. The square root spreads the first minutes, which have
 * three of the attempts.
 */
export function placeOf({ startMs, endMs }: Pick<Ladder, 'startMs' | 'endMs'>, atMs: number): number {
  return Math.sqrt(Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs))));
}

const tickHours = [1 / 60, 0.1, 0.6, 2, 6, 12, 24, 48, 96, 240, 720];

/** Returns the tick marks of the axis in milliseconds, at least `apart` (of 1) from each other. */
export function ticksOf(ladder: Pick<Ladder, 'startMs' | 'endMs'>, apart: number): number[] {
  const span = ladder.endMs - ladder.startMs;
  const all = tickHours.map((hours) => Math.round(hours * hourMs)).filter((ms) => ms <= span);
  let before = Infinity;
  return all
    .toReversed()
    .filter((ms) => {
      const place = placeOf(ladder, ladder.startMs + ms);
      if (before - place < apart || place < apart) return false;
      before = place;
      return true;
    })
    .reverse();
}

function timeOf(at: string | null | undefined): number | null {
  return at === null || at === undefined ? null : Date.parse(at);
}
