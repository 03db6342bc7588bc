/** Plays the runs without faults, with which every try is compared. */
import { deviationsOf } from './compare.js';
import type { Reference } from './end-state.js';
import type { DeviationKind, Patience, Placed, Play, Point, Run } from './types.js';

/** Thrown if the story fails even without a fault. */
export class StoryFails extends Error {
  override readonly name = 'StoryFails';
}

const stabilityRuns = 3;
export const usual: Patience = { realMs: 0, isOver: () => true };

/** An application may wait some minutes for an event that shows the outcome of a call. */
const patientMs = { uncertain: 150_000, else: 20_000 };

/** Deviations that more time does not undo. */
const lasting = new Set<DeviationKind>(['duplicate', 'useless calls']);

/** Returns how long to wait for the application when a break is played again. */
export function patienceWith(reference: Reference, placed: readonly Placed[]): Patience {
  const realMs = placed.some(({ fault }) => fault.class === 'uncertain') ? patientMs.uncertain : patientMs.else;
  const run = { ...reference.run, said: null };
  return {
    realMs,
    isOver: (facts) =>
      deviationsOf({ ...reference, said: null }, { ...run, facts }, placed).every(({ kind }) => lasting.has(kind)),
  };
}

/** A story may take this much longer in parallel than alone. */
const mostSlowdown = 1.5;

interface BaselineParts {
  readonly play: Play;
  readonly lanes: number;
  readonly now: () => number;
}

/**
 * Plays the story once alone, then in parallel, which shows whether the application allows that, and how many runs the
 * machine can take.
 */
export async function baseline({
  play,
  lanes,
  now,
}: BaselineParts): Promise<{ runs: Run[]; lanes: number; notes: string[] }> {
  const startedMs = now();
  const first = await play([], usual);
  const aloneMs = now() - startedMs;
  const why = first.timedOut ? 'it did not end in time' : first.failure;
  if (why !== null) throw new StoryFails(`The story fails without any fault: ${why}.`);
  const more = () => play([], usual);
  if (lanes > 1) {
    const together = await Promise.all(Array.from({ length: Math.max(lanes, stabilityRuns - 1) }, more));
    const slowdown = (now() - startedMs - aloneMs) / Math.max(1, aloneMs);
    const bearable = Math.max(2, Math.floor((lanes * mostSlowdown) / slowdown));
    if (together.every((run) => run.failure === null && !run.timedOut))
      return { runs: [first, ...together], lanes: Math.min(lanes, bearable), notes: [] };
  }
  const runs = [first];
  while (runs.length < stabilityRuns) runs.push(await more());
  const failed = runs.find((run) => run.failure !== null || run.timedOut);
  if (failed)
    throw new StoryFails(`The story sometimes fails without any fault: ${failed.failure ?? 'it did not end in time'}.`);
  const note = 'Tries ran one after another, because the application failed without a fault when they ran in parallel.';
  return { runs, lanes: 1, notes: lanes > 1 ? [note] : [] };
}

export function notesOf({ run, closeness, unstable, said }: Reference, points: readonly Point[]): string[] {
  const notes = unstable.map((what) => `The ${what} differ between runs without faults, so they are not compared.`);
  if (closeness !== 'text' && !unstable.includes('messages')) {
    notes.push(`The texts of messages differ between runs without faults, so only their ${closeness} is compared.`);
  }
  if (said === null) {
    notes.push(
      'The application does not report its state. To find more, make its last line of output a JSON object, or use --observe.',
    );
  }
  if (!run.facts.steered) notes.push('The application waits in real time, so delays are not evaluated.');
  if (points.length === 0) notes.push('The story made no call and got no delivery, so there was nothing to try.');
  return notes;
}
