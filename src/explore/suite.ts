/** Each test of a suite has its own account and is a story, so one run shows a fault in each. */
import { referenceOf, type Reference } from './end-state.js';
import type { Gate } from './gate.js';
import type { Placed, Run } from './types.js';

/**
 * Returns a try, and the others that can run together with it.
 * @param alone what may not
 */
export function together(
  first: Placed,
  others: readonly Placed[],
  { runs }: Pick<Gate, 'runs'>,
  alone: ReadonlySet<Placed>,
): Placed[] {
  const isTest = (one: Placed) => !alone.has(one) && runs.every(({ tests }) => tests?.get(one.point.account) === false);
  const group = new Map([[first.point.account, first]]);
  for (const one of isTest(first) ? others.filter(isTest) : []) {
    if (!group.has(one.point.account)) group.set(one.point.account, one);
  }
  return [...group.values()];
}

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
