/** Judges a run in which two messages, or two responses, came in the wrong order. */
import { isDeepStrictEqual } from 'node:util';
import type { Found, Raw } from './raw.js';
import { sentIn, type Reference } from './end-state.js';
import { differences } from './differences.js';
import type { Placed } from './types.js';

/** Returns why a deviation is doubtful when the response to a call came after the one to the next call; null if it is a break. */
export function ofLateResponse({ kind, customers = [] }: Raw, reference: Reference, placed: Placed): string | null {
  if (kind === 'state differs') return maySayWhich;
  if (customers.length > 0 && !customers.includes(placed.point.to ?? '')) return maybeOneByOne;
  return waitsFor(reference, placed) ? null : mayHaveGivenUp;
}

const maySayWhich = 'Its state may say that one call overtook the other.';
const maybeOneByOne = 'It may do one thing at a time, and so be late for this customer.';
const mayHaveGivenUp = 'It may have given up the call before the response came.';

/** True if the application reaches its usual state after such a late response, if nothing overtakes it. */
function waitsFor({ said, controls }: Reference, { id }: Placed): boolean {
  const control = controls.get(id) ?? null;
  return control !== null && differences(said, control).length === 0;
}

/** True if the next message alone leads to what the application reports without the fault: then an older one must not change it. */
export function isNewerAlone({ path }: Raw, { said, controls, run }: Reference, found: Found, { id }: Placed): boolean {
  const control = controls.get(id) ?? null;
  // Another message may be right, and the state shows it.
  const isElsewhere = !isDeepStrictEqual(sentIn(found.facts), sentIn(run.facts));
  if (path === undefined || control === null || isElsewhere) return false;
  return differences(said, control).every((one) => one.path.some((name, i) => name !== path[i]));
}

export const maybeReply =
  'The application sends a message between the two, or is called, which may need the first: then they cannot come in this order.';
