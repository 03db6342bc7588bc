/** Tells if the machine has room for one more run of an application, beside those that it runs already. */
import { cpus, freemem, totalmem } from 'node:os';
import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { machineTime } from '../time/system-clock.js';

/** One run may begin after each such time, in which the ones before it have shown what they take. */
const sampleMs = 200;
/** The share of the processors' time that must be free. */
const leastFree = 0.15;
/** This process serves all runs on one processor: the share of its time that may be used. */
const mostUsed = 0.85;
/** The share of the memory that must be free. */
const leastMemory = 0.2;

interface Sample {
  readonly idleMs: number;
  readonly allMs: number;
  readonly own: EventLoopUtilization;
  readonly memory: number;
}

function sample(): Sample {
  const times = cpus().map((each) => each.times);
  const idleMs = times.reduce((sum, { idle }) => sum + idle, 0);
  const allMs = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0);
  return { idleMs, allMs, own: performance.eventLoopUtilization(), memory: freemem() / totalmem() };
}

/** In a container whose share of the processors is limited, only this process shows that they are busy. */
export function roomOnMachine(take: () => Sample = sample, nowMs = () => machineTime.monotonic()): () => boolean {
  let last = take();
  let lastMs = nowMs();
  return () => {
    if (nowMs() - lastMs < sampleMs) return false;
    lastMs = nowMs();
    const now = take();
    const free = (now.idleMs - last.idleMs) / Math.max(1, now.allMs - last.allMs);
    const { utilization } = performance.eventLoopUtilization(now.own, last.own);
    last = now;
    return free >= leastFree && utilization <= mostUsed && now.memory >= leastMemory;
  };
}
