/** Divides long work into steps, so that one call does not block the event loop. */
import type { SystemClock } from './system-clock.js';

/** Work that yields wherever other work may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Machine milliseconds of work before other work may run. */
const sliceMs = 20;

/** Performs all steps now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Performs the steps of one turn.
 * @returns whether the work is done, and its result
 */
export function oneTurn<T>(steps: Steps<T>, host: SystemClock): IteratorResult<undefined, T> {
  const endMs = host.monotonic() + sliceMs;
  let step = steps.next();
  while (step.done !== true && host.monotonic() < endMs) step = steps.next();
  return step;
}

export function turnOfOthers(host: SystemClock): Promise<void> {
  return new Promise((resolve) => host.defer(resolve));
}

/** Returns the items that pass a test, with one step for each. */
export function* keep<T>(items: Iterable<T>, test: (item: T) => boolean): Steps<T[]> {
  const kept: T[] = [];
  for (const item of items) {
    if (test(item)) kept.push(item);
    yield;
  }
  return kept;
}
