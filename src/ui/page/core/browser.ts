/**
 * The browser's clock and timers. All other files receive a number or a callback, so they can be tested without
 * waiting.
 */

/** Milliseconds on a monotonic clock; only differences are meaningful. */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * Runs `work` once, after `ms` of real time.
 * @returns a function that cancels it
 */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/**
 * Runs `work` repeatedly.
 * @returns a function that stops it
 */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}
