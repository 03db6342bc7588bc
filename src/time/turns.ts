/** Long work in steps, so that one call does not hold the event loop. */
import type { SystemClock } from './system-clock.js';

/** Work that yields wherever others may have their turn. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Machine milliseconds that work may take before others have their turn. */
const sliceMs = 20;

/** Does all steps now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Does the steps of one turn. @returns whether the work is done, and its result */
export function oneTurn<T>(steps: Steps<T>, host: SystemClock): IteratorResult<undefined, T> {
  const endMs = host.monotonic() + sliceMs;
  let step = steps.next();
  while (step.done !== true && host.monotonic() < endMs) step = steps.next();
  return step;
}

/** Does all steps, with a turn for others after every 20 ms. */
export async function inTurns<T>(steps: Steps<T>, host: SystemClock): Promise<T> {
  let step = oneTurn(steps, host);
  while (step.done !== true) {
    await turnOfOthers(host);
    step = oneTurn(steps, host);
  }
  return step.value;
}

export function turnOfOthers(host: SystemClock): Promise<void> {
  return new Promise((resolve) => host.defer(resolve));
}

/** The items that pass a test, one step for each. */
export function* keep<T>(items: Iterable<T>, test: (item: T) => boolean): Steps<T[]> {
  const kept: T[] = [];
  for (const item of items) {
    if (test(item)) kept.push(item);
    yield;
  }
  return kept;
}
