/** How long answers took, over a whole run. */
import type { Bench, Exchange } from './receiver-client.js';

/** For checks that look back: when they are the only ones asked for, there is nothing yet to look at. */
export async function sampleIfNone(bench: Bench): Promise<void> {
  if (bench.history.length > 0) return;
  await bench.send({ label: 'message.received', event: bench.events.sample('message.received') });
}

/** `12 ms (huge body)`. */
export function slowestOf(exchanges: readonly Exchange[]): string {
  const slowest = exchanges.reduce((a, b) => (b.outcome.durationMs > a.outcome.durationMs ? b : a));
  return `${slowest.outcome.durationMs} ms (${slowest.label})`;
}
