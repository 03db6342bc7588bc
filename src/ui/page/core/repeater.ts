import { later, monotonicMs } from './browser.js';

export interface Repeater {
  /** `now`: without the pause after the previous read, because the user waits for the result of an action. */
  readonly ask: (now?: boolean) => void;
  readonly stop: () => void;
}

/** The pause is at least this many times as long as the read and what it changed took: the rest is for the user. */
const easing = 3;

/** @param pauseMs the least time between the end of one read and the start of the next */
export function repeating(work: () => Promise<unknown>, pauseMs: number): Repeater {
  let asked = false;
  let urgent = false;
  let busy = false;
  let stopped = false;
  let endPause = () => undefined as unknown;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = later(ms, resolve);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  const isUrgent = () => urgent;
  const run = async () => {
    busy = true;
    while (asked && !stopped) {
      asked = false;
      urgent = false;
      const startMs = monotonicMs();
      await work();
      // What it has changed is drawn before the next task.
      await pause(0);
      if (!isUrgent()) await pause(Math.max(pauseMs, easing * (monotonicMs() - startMs)));
    }
    busy = false;
  };
  return {
    ask: (now = false) => {
      asked = true;
      urgent ||= now;
      if (!busy) void run();
      else if (now) endPause();
    },
    stop: () => (stopped = true),
  };
}
