/** The browser's clock and timers; nothing else in the page reads a clock. */
import { signal } from '@preact/signals';

/** Milliseconds on a monotonic clock; only differences are meaningful. */
export function monotonicMs(): number {
  return performance.now();
}

/** The same, as of the latest quarter of a second. */
export const elapsedMs = signal(monotonicMs());
setInterval(() => (elapsedMs.value = monotonicMs()), 250);

/** Real time. Returns a function that cancels it. */
export function later(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

export function download(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
