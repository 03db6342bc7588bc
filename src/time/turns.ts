/** Divides long work into steps, so that one call does not block the event loop. */
import type { SystemClock } from './system-clock.js';

/** Work that yields wherever other work may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Performs all steps now. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export function turnOfOthers(host: SystemClock): Promise<void> {
  return new Promise((resolve) => host.defer(resolve));
}
