/** Plays without a fault beside which the result of a cell can be judged. */
import { copiesOf, type Part, type Reference } from '../facts/end-state.js';
import { ExploreError } from '../facts/error.js';
import { stuck } from './faults.js';
import { place } from './placed.js';
import type { Cell, Fault, Placed, Run } from '../facts/types.js';

/** Returns what is tried to judge a fault that leaves a doubt; null if nothing helps. */
export function controlOf(fault: Fault): Fault | null {
  if (fault.control !== undefined) return fault.control;
  return fault.rule?.then.lifecycle === undefined ? null : stuck;
}

/** Plays the control of a fault if a cell cannot be judged without it. @returns true if it did, or if that cannot be played */
export async function hasPlayedControl(
  { state }: Cell,
  { id, point, fault }: Placed,
  { controls }: Reference,
  play: (placed: readonly Placed[]) => Promise<Run>,
): Promise<boolean> {
  const control = state === 'doubtful' && !controls.has(id) ? controlOf(fault) : null;
  if (control === null) return false;
  // A lookup is about the messages to its customer.
  const sends = { when: 'message.send', match: { phone: point.to } } as const;
  const at = point.kind === 'message.get' ? { ...point, ...sends } : point;
  const end = await play([place(at, control)]).catch((error: unknown) => {
    if (error instanceof ExploreError) throw error;
    return null;
  });
  controls.set(id, end === null || end.timedOut ? null : end);
  return true;
}

/** True if the application also sends it when the other message has not arrived yet, as far as is known. */
export function isSentUnarrived(part: Part, { controls, closeness }: Reference, { id }: Placed): boolean {
  const control = controls.get(id) ?? null;
  return control === null || copiesOf(control.facts, part, closeness).length > 0;
}
