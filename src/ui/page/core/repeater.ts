/** Repeats a read whenever it is asked to, but not more often than a pause allows, and one at a time. */
import { later, monotonicMs } from './browser.js';

export interface Repeater {
  readonly ask: () => void;
  readonly stop: () => void;
}

/** After a slow read, the pause is this many times its duration. */
const easing = 3;

/** @param pauseMs the least time between the end of one read and the start of the next */
export function repeating(work: () => Promise<unknown>, pauseMs = 250): Repeater {
  let nextMs = 0;
  /** Number of times since the latest start. */
  let asked = 0;
  let running = false;
  let stopped = false;
  const plan = () => {
    const waitMs = nextMs - monotonicMs();
    if (waitMs > 0) later(waitMs, () => void run());
    else void run();
  };
  const run = async () => {
    if (stopped) return;
    asked = 0;
    running = true;
    const startMs = monotonicMs();
    await work();
    running = false;
    nextMs = monotonicMs() + Math.max(pauseMs, easing * (monotonicMs() - startMs));
    if (asked > 0) plan();
  };
  return {
    ask: () => {
      asked += 1;
      if (asked === 1 && !running && !stopped) plan();
    },
    stop: () => (stopped = true),
  };
}
