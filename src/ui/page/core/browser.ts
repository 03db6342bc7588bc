/**
 * The browser's clock and timers, in one place: everything else is handed a number or a callback, and can be tested
 * without waiting.
 */

/** Milliseconds on a clock that never goes back; only differences mean anything. */
export function monotonicMs(): number {
  return performance.now();
}

/** Runs `work` once, `ms` of real time from now. @returns how to call it off */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/** Runs `work` again and again. @returns how to end that */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}
