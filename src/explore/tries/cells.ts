import { factLines, type Reference } from '../facts/end-state.js';
import { judgementOf } from '../oracle/oracle.js';
import { toOf } from '../facts/facts.js';
import { sentInstead } from '../oracle/required.js';
import { addedIn, isAlike, ruleIdOf } from '../faults/placed.js';
import { maybeOfOthers } from '../oracle/told.js';
import { paused } from '../faults/paused.js';
import { hookOf } from '../../language/hooks.js';
import { leaves } from '../facts/leaves.js';
import { aligned } from '../facts/differences.js';
import { normalForm, type Json } from '../facts/state.js';
import type { Cell, Deviation, DeviationKind, Placed, Run } from '../facts/types.js';

const none = { deviations: [], allowed: [], instead: [] };

/** @param group all faults of the run */
export function cellOf(reference: Reference, run: Run, placed: Placed, group: readonly Placed[] = [placed]): Cell {
  const { fault } = placed;
  const hits = (run.facts.hits[ruleIdOf(placed)] ?? 0) > 0;
  // One that dies of an event does not answer it.
  const isTaken = (attempt: { readonly status: number | null }) => isAnswered(attempt) || run.crashed === true;
  const isAdded = fault.emit !== undefined || fault.inbound !== undefined;
  const hasAdded = isAdded && addedIn(run, placed).some(isTaken) && (fault.rule === undefined || hits);
  const isInjected = fault.restart ? run.restarted === true : isAdded ? hasAdded : fault === paused || hits;
  // A test that moves the clock itself may end before a delayed event arrives, and any test before an attempt.
  const isBeside = fault.needsNext !== true || callsTo(run, placed) >= callsTo(reference.run, placed);
  const isReached =
    isInjected && isBeside && arrived(run, placed) && unsent(run, placed) <= unsent(reference.run, placed);
  const { deviations, allowed } = isReached ? judgementOf(reference, run, placed, group) : none;
  const isBroken = deviations.some(({ doubt }) => doubt === null);
  const state = isBroken ? 'broken' : deviations.length > 0 ? 'doubtful' : 'fine';
  return {
    ...untried(placed),
    state: isReached ? state : 'not reached',
    ...{ deviations, allowed },
    instead: isReached && fault.class === 'final' ? sentInstead(reference.run.facts, run.facts, placed, group) : [],
    seconds: Math.round(run.tookMs) / 1000,
    end: deviations.length > 0 ? endOf(run, reference.said) : [],
  };
}

/** Returns the calls to the customer, of a story that hurries until then: a later one does not overtake another. */
const callsTo = ({ facts }: Run, { point: { kind, to }, fault: { hurriesMs = Infinity } }: Placed): number =>
  facts.requests.filter(
    ({ operation, request, at }) =>
      hookOf(operation) === kind &&
      toOf(request.body) === to &&
      Date.parse(at) - Date.parse(facts.startedAt) <= hurriesMs,
  ).length;

const isAnswered = ({ status }: { readonly status: number | null }): boolean => status !== null;

/** True if the application answered a delivery with the fault: one that found no receiver shows nothing. */
function arrived({ facts, crashed }: Run, placed: Placed): boolean {
  const { when, kind } = placed.point;
  if (when !== 'webhook.deliver' || crashed === true) return true;
  const ofKind = facts.deliveries.filter((one) => one.event_type === kind);
  if (placed.fault.rule?.then.webhook?.receiver !== undefined) {
    return ofKind.some(({ attempts }) =>
      attempts.some(({ explain }, i) => explain?.id === ruleIdOf(placed) && attempts.slice(i + 1).some(isAnswered)),
    );
  }
  const ruled = ofKind.filter(({ explain }) => explain?.id === ruleIdOf(placed));
  return (ruled.length > 0 ? ruled : ofKind).some(({ attempts }) => attempts.some(isAnswered));
}

const unsent = ({ facts }: Run, { point: { when, kind } }: Placed): number =>
  when === 'webhook.deliver'
    ? facts.deliveries.filter((one) => one.event_type === kind && one.state === 'pending' && one.attempts.length === 0)
        .length
    : 0;

export const untried = ({ id, title, point }: Placed): Cell => ({
  ...{ id, title, at: point.kind, state: 'not tried' },
  ...{ ...none, seconds: 0, end: [] },
});

/** True for a doubt that a run with this fault alone need not settle soon. */
export const canWait = (cell: Cell | null): boolean =>
  cell?.state === 'doubtful' && cell.deviations.every(({ doubt }) => doubt !== maybeOfOthers);

/** Takes back that other faults of a run may be all that the state shows, once a similar fault has broken nothing alone. */
export function settled(cell: Cell, placed: Placed, tried: readonly Tried[], alone: ReadonlySet<Placed>): Cell {
  const isSettled = tried.some((one) => {
    return alone.has(one.placed) && isAlike(one.placed, placed) && one.cell.state !== 'broken';
  });
  const deviations = cell.deviations.filter(({ doubt }) => !isSettled || doubt !== maybeOfOthers);
  return { ...cell, deviations, state: deviations.length === 0 && cell.state === 'doubtful' ? 'fine' : cell.state };
}

/** The deviation that the others follow from. */
export function proofOf({ deviations }: Cell): Deviation | undefined {
  const proofs = deviations.filter(({ doubt }) => doubt === null);
  return proofs.find(({ kind }) => kind === 'duplicate') ?? proofs[0];
}

/** @param kind what is doubtful; null for all that is not yet */
export function doubted(cell: Cell, kind: DeviationKind | null, doubt: string): Cell {
  const isMeant = (one: Deviation) => one.doubt === null && (kind === null || one.kind === kind);
  const deviations = cell.deviations.map((one) => (isMeant(one) ? { ...one, doubt } : one));
  const isProven = deviations.some((one) => one.doubt === null);
  return { ...cell, deviations, state: isProven ? cell.state : 'doubtful' };
}

export interface Tried {
  readonly placed: Placed;
  cell: Cell;
  /** True if the application reported, by its exit code, a failure from which it need not recover. */
  readonly fails: boolean;
  readonly isEndless: boolean;
  /** Machine milliseconds at the end of the try. */
  readonly endedMs: number;
}

export const secondsSince = (startedMs: number, nowMs: number): number => Math.round((nowMs - startedMs) / 100) / 10;

const enoughCells = 6;

/**
 * Returns machine seconds per cell: since the first try began, or in the later half if that is slower. Several cells of a run end at the
 * same time, so the later half alone can seem fast. Null for too few.
 */
export function paceOf(tried: readonly Tried[], beganMs: number): number | null {
  const half = tried.slice(Math.floor(tried.length / 2));
  const [first, last] = [half[0], half.at(-1)];
  if (!first || !last || half.length < enoughCells) return null;
  const onAverage = (last.endedMs - beganMs) / tried.length;
  return Math.max(onAverage, (last.endedMs - first.endedMs) / (half.length - 1)) / 1000;
}

/** @param expected the state without a fault: the lines number the entries of lists as there */
export function endOf({ facts, said, failure, timedOut }: Run, expected?: Json): string[] {
  const says = aligned(expected, normalForm(said));
  return [
    ...factLines(facts, 'text'),
    ...(says === null ? [] : leaves(says).map(({ path, value }) => `says ${path}: ${JSON.stringify(value)}`)),
    timedOut ? 'the story did not end' : failure === null ? 'the story ended successfully' : `failed: ${failure}`,
  ];
}
