/** Selects pairs of faults that are harmless alone and concern the same customer or kind of event. */
import { createStream } from '../random/stream.js';
import type { Cell, Placed } from './types.js';

/** Maximum number of pairs that are considered. */
const mostCandidates = 5000;

export function pairsOf(singles: readonly Cell[], most: number, seed: number): Placed[][] {
  const harmless = singles
    .flatMap(({ placed, state }) => (state === 'fine' && placed.length === 1 ? placed : []))
    .filter(({ fault }) => fault.doubt === undefined && (fault.class === 'recoverable' || fault.class === 'uncertain'));
  const draw = createStream(seed, 'explore', 'pairs', {});
  const pairs: { pair: Placed[]; promise: number; chance: number }[] = [];
  for (const [i, first] of harmless.entries()) {
    for (const second of harmless.slice(i + 1)) {
      if (pairs.length >= mostCandidates) break;
      if (!meet(first, second)) continue;
      pairs.push({ pair: [first, second], promise: promiseOf(first, second), chance: draw.next() });
    }
  }
  return pairs
    .sort((a, b) => b.promise - a.promise || a.chance - b.chance)
    .slice(0, most)
    .map(({ pair }) => pair);
}

function meet(a: Placed, b: Placed): boolean {
  if (a.point.id === b.point.id) return false;
  // The next call of the same kind fails as well, so that the retry fails, too.
  const sameCall = a.point.when === b.point.when && JSON.stringify(a.point.match) === JSON.stringify(b.point.match);
  return sameCall || (a.point.to !== null && a.point.to === b.point.to) || a.point.kind === b.point.kind;
}

/** Returns how promising a pair is: most of all a call with an unknown outcome and a fault of the events that would show it. */
function promiseOf(a: Placed, b: Placed): number {
  const uncertain = [a, b].filter(({ fault }) => fault.class === 'uncertain').length;
  const delivery = [a, b].filter(({ point }) => point.when === 'webhook.deliver').length;
  const sameCustomer = a.point.to !== null && a.point.to === b.point.to ? 1 : 0;
  return (uncertain === 1 && delivery === 1 ? 2 : 0) + sameCustomer;
}
