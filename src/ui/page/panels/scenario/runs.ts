/** Verdicts of the runs seen in this browser, so that a run can be compared with the one before it. */
import type { CheckState } from './offsets.js';

/** The latest known state of a run. */
export interface Run {
  readonly activatedAt: string | null;
  /** Number of times that the rules of the scenario applied. */
  readonly hits: number;
  /** By expectation. */
  readonly states: Readonly<Record<string, CheckState>>;
}

/** The runs of one scenario in one account. */
export interface Seen {
  readonly current: Run | null;
  readonly previous: Run | null;
}

/** A difference between two runs: an expectation and its two states. */
interface Change {
  readonly check: string;
  readonly was: CheckState;
  readonly is: CheckState;
}

export const noRuns: Seen = { current: null, previous: null };

/** Adds a run to those seen. A previous run without any result is not kept. */
export function withRun({ current, previous }: Seen, run: Run): Seen {
  if (current === null || !isAnother(current, run)) return { current: run, previous };
  const came = Object.values(current.states).some((state) => state !== 'open');
  return { current: run, previous: came ? current : previous };
}

/**
 * On a frozen clock, two runs may begin at the same instant. Within a run, counters never decrease and a failure is
 * final.
 */
function isAnother(before: Run, now: Run): boolean {
  return (
    before.activatedAt !== now.activatedAt ||
    now.hits < before.hits ||
    Object.entries(before.states).some(([check, state]) => state === 'failed' && now.states[check] === 'open')
  );
}

/** Omits open expectations, and those that only one of the runs has. */
export function changesOf(previous: Run, current: Run): Change[] {
  return Object.entries(current.states).flatMap(([check, is]) => {
    const was = previous.states[check];
    return was === undefined || was === is || is === 'open' ? [] : [{ check, was, is }];
  });
}
