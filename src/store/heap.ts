/** V8 ends a process whose heap is full, with every account in it. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { machineTime } from '../time/system-clock.js';

/**
 * Memory that stays free for reading, saving and emptying accounts: this share of the heap, and at least these bytes, of which V8
 * uses up to 48 MB for new values alone.
 */
const freeShare = 0.15;
const leastFree = 80_000_000;
/** Between two collections of everything, in machine milliseconds: one of 4 GB takes about a second. */
const collectEveryMs = 5_000;

let collect: (() => void) | null = null;
let collectedMs = -Infinity;

/** The records of an account are garbage now: the next question collects it at once. */
export function recordsDropped(): void {
  collectedMs = -Infinity;
}

/** Megabytes in use and in all, if the heap is full even without garbage; else null. */
export function fullHeap(): { readonly usedMb: number; readonly limitMb: number } | null {
  if (!isAbove()) return null;
  const now = machineTime.now();
  if (Math.abs(now - collectedMs) >= collectEveryMs) {
    collectedMs = now;
    collect ??= collector();
    collect();
    if (!isAbove()) return null;
  }
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return { usedMb: Math.round(used / 1_000_000), limitMb: Math.round(limit / 1_000_000) };
}

function isAbove(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return limit - used < Math.max(freeShare * limit, leastFree);
}

/** V8's collection of everything, which Node gives only to a context that is made while the flag is set. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
