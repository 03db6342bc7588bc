/** Compares a break with the same fault at similar points: if it broke nothing there, the story may explain the break. */
import { proofOf, type Tried } from './cells.js';
import { isAlike } from '../faults/placed.js';
import { isRequired } from '../oracle/required.js';
import { maybeUnknown } from '../oracle/told.js';
import type { Cell, Deviation, DeviationKind, Placed } from '../facts/types.js';

/** No story explains these. */
const sure: ReadonlySet<DeviationKind> = new Set(['duplicate', 'useless calls', 'endpoint lost', 'never settles']);
/** A message that must follow one fault need not follow others. */
const isSure = (proof: Deviation | undefined): boolean =>
  proof === undefined || sure.has(proof.kind) || isRequired(proof);
/** Minimum number of similar points at which nothing broke: as many are tried after a break. */
const fewestFine = 2;

/** Returns the cells to try after a break. */
export function contrastsTo({ placed, cell }: Tried, untried: readonly Placed[]): Placed[] {
  return isSure(proofOf(cell)) ? [] : untried.filter((one) => isAlike(one, placed)).slice(0, fewestFine);
}

const unknownElsewhere =
  'At another call with this fault, the application reports the outcome as unknown, as it may. Here, it may say so in another way.';

/** @returns why the result of a cell is doubtful, in a sentence; null if it is not */
export function doubtByContrast({ placed, cell }: Tried, all: readonly Tried[]): string | null {
  if (isSure(proofOf(cell)) || cell.deviations.some((one) => one.doubt === null && isSure(one))) return null;
  const isSame = (one: Tried) =>
    one.placed.fault.id === placed.fault.id && one.placed.point.kind === placed.point.kind && one.placed !== placed;
  if (all.some((one) => isSame(one) && one.cell.deviations.some(({ doubt }) => doubt === maybeUnknown)))
    return unknownElsewhere;
  // A cell may have been tried several times.
  const alike = new Map(
    all.filter((one) => isAlike(one.placed, placed)).map((one) => [one.placed.id, one.cell.state] as const),
  );
  const count = (state: Cell['state']) => [...alike.values()].filter((one) => one === state).length;
  const [fine, broken] = [count('fine'), count('broken')];
  if (fine < fewestFine || fine <= broken) return null;
  return `The same fault broke nothing at ${fine} similar points, so the story may explain it.`;
}
