/** Verdicts of the runs that this browser has seen, so that a run can be compared with the one before it. */
import type { CheckState } from './offsets.js';

/** What a run had come to when it was last looked at. */
export interface Run {
  readonly activatedAt: string | null;
  /** Times that the rules of the scenario applied. */
  readonly hits: number;
  /** By expectation. */
  readonly states: Readonly<Record<string, CheckState>>;
}

/** Of a scenario in an account. */
export interface Seen {
  readonly current: Run | null;
  readonly previous: Run | null;
}

/** What changed from one run to the next: an expectation and its two states. */
interface Change {
  readonly check: string;
  readonly was: CheckState;
  readonly is: CheckState;
}

export const noRuns: Seen = { current: null, previous: null };

/** Returns what was seen with this run in it. A run that nothing had come of is not kept. */
export function withRun({ current, previous }: Seen, run: Run): Seen {
  if (current === null || !isAnother(current, run)) return { current: run, previous };
  const came = Object.values(current.states).some((state) => state !== 'open');
  return { current: run, previous: came ? current : previous };
}

/** On a frozen clock two runs may begin at one instant; but within a run, counters do not fall and no failure is taken back. */
function isAnother(before: Run, now: Run): boolean {
  return (
    before.activatedAt !== now.activatedAt ||
    now.hits < before.hits ||
    Object.entries(before.states).some(([check, state]) => state === 'failed' && now.states[check] === 'open')
  );
}

/** What is still open, and expectations that only one of the two has, are left out. */
export function changesOf(previous: Run, current: Run): Change[] {
  return Object.entries(current.states).flatMap(([check, is]) => {
    const was = previous.states[check];
    return was === undefined || was === is || is === 'open' ? [] : [{ check, was, is }];
  });
}
