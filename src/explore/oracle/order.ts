/** Judges a run in which two messages, or two responses, came in the wrong order. */
import type { Raw } from '../facts/raw.js';
import type { Reference } from '../facts/end-state.js';
import { maybeLate } from './late.js';
import { differences } from '../facts/differences.js';
import { normalForm } from '../facts/state.js';
import type { Placed } from '../facts/types.js';

/** Returns why a deviation is doubtful when the response to a call came after the one to the next call; null if it is a break. */
export function ofLateResponse({ kind, customers = [] }: Raw, reference: Reference, placed: Placed): string | null {
  if (kind === 'state differs') return maySayWhich;
  if (customers.length > 0 && !customers.includes(placed.point.to ?? '')) return maybeLate;
  return waitsFor(reference, placed) ? null : mayHaveGivenUp;
}

const maySayWhich = 'Its state may say that one call overtook the other.';
const mayHaveGivenUp = 'It may have given up the call before the response came.';

/** True if the application reaches its usual state after such a late response, if nothing overtakes it. */
function waitsFor({ said, controls }: Reference, { id }: Placed): boolean {
  const control = controls.get(id) ?? null;
  return control !== null && differences(said, normalForm(control.said)).length === 0;
}

export const noOrder = 'No order of messages is promised, and many applications go by the one that arrives last.';
