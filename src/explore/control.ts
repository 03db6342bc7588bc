/** Plays without a fault beside which the result of a cell can be judged. */
import type { Reference } from './end-state.js';
import { ExploreError } from './error.js';
import { controlOf } from './faults.js';
import { place } from './placed.js';
import { normalForm } from './state.js';
import type { Cell, Placed, Run } from './types.js';

/** Plays the control of a fault if a cell cannot be judged without it. @returns true if it did, or if that cannot be played */
export async function hasPlayedControl(
  { state }: Cell,
  { id, point, fault }: Placed,
  { controls }: Reference,
  play: (placed: readonly Placed[]) => Promise<Run>,
): Promise<boolean> {
  const control = state === 'doubtful' && !controls.has(id) ? controlOf(fault) : null;
  if (control === null) return false;
  const end = await play([place(point, control)]).catch((error: unknown) => {
    if (error instanceof ExploreError) throw error;
    return null;
  });
  controls.set(id, end === null || end.timedOut ? null : normalForm(end.said));
  return true;
}
