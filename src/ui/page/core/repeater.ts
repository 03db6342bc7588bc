/** Repeats a read whenever it is asked to, one at a time. */
import { later, monotonicMs } from './browser.js';

export interface Repeater {
  readonly ask: () => void;
  readonly stop: () => void;
}

/** The pause is at least this many times as long as the read and what it changed took: the rest is for the user. */
const easing = 3;

const wait = (ms: number) => new Promise<void>((resolve) => later(ms, resolve));

/** @param pauseMs the least time between the end of one read and the start of the next */
export function repeating(work: () => Promise<unknown>, pauseMs: number): Repeater {
  let asked = false;
  let busy = false;
  let stopped = false;
  const run = async () => {
    busy = true;
    while (asked && !stopped) {
      asked = false;
      const startMs = monotonicMs();
      await work();
      // What it has changed is drawn before the next task.
      await wait(0);
      await wait(Math.max(pauseMs, easing * (monotonicMs() - startMs)));
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
