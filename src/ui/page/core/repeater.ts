/** Repeats a read whenever it is asked to, one at a time. */
import { later, monotonicMs } from './browser.js';

export interface Repeater {
  readonly ask: () => void;
  readonly stop: () => void;
}

/** After a slow read, the pause is this many times its duration. */
const easing = 3;

/** @param pauseMs the least time between the end of one read and the start of the next */
export function repeating(work: () => Promise<unknown>, pauseMs = 250): Repeater {
  let asked = false;
  let busy = false;
  let stopped = false;
  const run = async () => {
    busy = true;
    while (asked && !stopped) {
      asked = false;
      const startMs = monotonicMs();
      await work();
      const ms = Math.max(pauseMs, easing * (monotonicMs() - startMs));
      await new Promise<void>((resolve) => later(ms, resolve));
    }
    busy = false;
  };
  return {
    ask: () => {
      asked = true;
      if (!busy) void run();
    },
    stop: () => (stopped = true),
  };
}
