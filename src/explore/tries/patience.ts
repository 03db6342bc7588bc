/** The time limits of the run of a fault. Times are machine milliseconds. */
import { rulePrefix } from '../facts/facts.js';
import type { Gate, GateParts } from './gate.js';
import { leastMs, type Learning } from './learning.js';
import { hangs, longestOpenMs } from '../oracle/open-call.js';
import { lasts } from '../oracle/lasting.js';
import { deviationsOf } from '../oracle/oracle.js';
import type { Patience } from './options.js';
import type { Placed, Run } from '../facts/types.js';
import { repeatsSoon, unlearntReturnMs, uselessCalls } from '../oracle/useless-calls.js';

/** Time to wait for the response to a call. */
const callMs = 12_000;
/** The time limit of a run without faults. */
const firstLimitMs = 90_000;
/** The shortest time limit of a run. */
const leastLimitMs = longestOpenMs + 1_000;

interface Parts {
  readonly gate: Gate;
  readonly learning: Learning;
  readonly leftMs: () => number;
}

/** Returns the patience of runs without faults. */
export const patienceWithoutFaults =
  (leftMs: () => number): GateParts['patience'] =>
  (isOver, earlier = []) => ({
    ...{ realMs: 0, returnMs: unlearntReturnMs, callMs },
    ...(earlier.length > 0 && { failsBy: failsByFaults(earlier) }),
    isOver,
    isInVain: () => false,
    limitMs: Math.min(firstLimitMs, leftMs()),
  });

/** Returns the patience after faults: learnt from how long the application took to repeat a failed call. */
export function patienceWith({ gate: { reference, runs }, learning, leftMs }: Parts) {
  const usualMs = Math.max(...runs.map(({ tookMs }) => tookMs));
  const failsBy = failsByFaults(runs);
  return (placed: readonly Placed[]): Patience => {
    // An application recovers at several customers at the same time, or else each fault is tried alone.
    const realMs = Math.max(0, ...placed.map((one) => learning.recoveryMs(one)));
    const returnMs = Math.max(leastMs, ...placed.map((one) => learning.returnMs(one)));
    const isOver = (run: Omit<Run, 'tookMs'>) =>
      // The result is seen only after the call was repeated.
      placed.every(({ fault }) => fault.hurriesMs === undefined) &&
      placed
        .flatMap((one) => deviationsOf(reference, run, one, placed))
        .every((one) => lasts(one, run) || one.doubt !== null);
    // A call that hangs shows nothing else, and a slow story would leave no time to repeat it.
    const times = placed.some(hangs) ? 1 : 5;
    const limitMs = Math.min(Math.max(leastLimitMs + usualMs, times * usualMs) + 2 * realMs, leftMs());
    const isInVain: Patience['isInVain'] = (seen) => uselessCalls(reference.run, seen).length > 0;
    return { realMs, returnMs, callMs, failsBy, isOver, isInVain, limitMs };
  };
}

/**
 * Returns the start of the ids of injected rules if the application repeats no call that fails without them, such as the check of a
 * locked code: then nobody needs to wait for it.
 */
function failsByFaults(runs: readonly Run[]): string | undefined {
  return runs.some(({ facts }) => repeatsSoon(facts)) ? undefined : rulePrefix;
}
