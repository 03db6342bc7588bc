/** Faults that one run shows together: one in each test of a suite, which has its own account, or at customers of a story. */
import { referenceOf, type Reference } from '../facts/end-state.js';
import { isPassing, swapping } from '../faults/faults.js';
import type { Gate } from './gate.js';
import { hangs } from '../oracle/open-call.js';
import type { Placed, Run } from '../facts/types.js';

/** Maximum number of faults in one run of a story. */
const mostInOne = 8;

export interface Sharing {
  readonly isAlone: (one: Placed) => boolean;
  /** True if one of the faults of a story may leave something behind at its customer. */
  readonly mayLeave: boolean;
}

/**
 * Returns a try, and the others that can run together with it: in a suite, one in each test; in a story, one at each customer. Faults
 * that leave something behind run without the others, which must leave the state as it was. Two faults that undo each other's effect
 * would be missed.
 */
export function together(
  first: Placed,
  others: readonly Placed[],
  { runs }: Pick<Gate, 'runs'>,
  { isAlone, mayLeave }: Sharing,
): Placed[] {
  const { account } = first.point;
  const isTest = (one: Placed) => !isAlone(one) && runs.every(({ tests }) => tests?.get(one.point.account) === false);
  const group = new Map<string | null, Placed>([[account, first]]);
  for (const one of isTest(first) ? others.filter(isTest) : []) {
    if (!group.has(one.point.account)) group.set(one.point.account, one);
  }
  if (group.size > 1 || isAlone(first) || !isOfOne(first) || !(mayLeave || isPassing(first)))
    return [...group.values()];
  const shared = new Map([[first.point.to, first]]);
  const isFree = (one: Placed) => one.point.account === account && isOfOne(one) && !isAlone(one);
  for (const one of others.filter((each) => isPassing(each) === isPassing(first) && isFree(each))) {
    if (shared.size < mostInOne && !shared.has(one.point.to)) shared.set(one.point.to, one);
  }
  return [...shared.values()];
}

/** True if a fault concerns the message or the event of one customer, or a call of the application for itself that passes. */
const isOfOne = (one: Placed): boolean => {
  const { point, fault, required } = one;
  return (
    // Such a swap often shows another course of the story.
    fault.id !== swapping &&
    (point.to !== null || isPassing(one)) &&
    point.batch !== true &&
    // Another fault could lead to a message to somebody else as well.
    required?.to === undefined &&
    fault.class !== 'outage' &&
    // An application without a time limit waits with all else.
    !hangs(one) &&
    [fault.restart, fault.emit, fault.inbound, fault.hurriesMs].every((each) => each === undefined)
  );
};

/** True if the faults of a run are all in the same story. */
export const isOneStory = (group: readonly Placed[]): boolean =>
  group.every(({ point }) => point.account === group[0]?.point.account);

/** Returns the facts of one test of a run. The suite's output belongs to any of its tests. */
function ofTest({ accounts, tests, timedOut, tookMs }: Run, account: string): Run | null {
  const facts = accounts.find((one) => one.account === account);
  const hasFailed = tests?.get(account);
  if (facts === undefined || hasFailed === undefined) return null;
  const failure = hasFailed ? 'its test failed' : null;
  return { facts, accounts: [facts], failure, exited: hasFailed, timedOut, tookMs, said: null };
}

/** Returns the test of an account in a run, and in those without faults; null if the run has none. */
export function testOf(
  { runs, reference }: Gate,
  run: Run,
  account: string,
): { run: Run; reference: Reference } | null {
  const [own, ...usual] = [run, ...runs].map((one) => ofTest(one, account));
  if (!own || run.crashed === true) return null;
  const alike = usual.flatMap((one) => one ?? []);
  return { run: own, reference: { ...referenceOf(alike), returns: reference.returns, controls: reference.controls } };
}
