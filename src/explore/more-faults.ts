/**
 * Tries in addition to the catalogue: restarts of the application, gentler forms of a fault that broke something, and
 * pairs of faults.
 */
import { counted } from '../domain/in-words.js';
import { createStream } from '../random/stream.js';
import { wholePoint } from './points.js';
import type { Cell, Fault, Placed } from './types.js';

const MINUTE = 60_000;

const gentler: Readonly<Record<string, Partial<Fault>>> = {
  'late 2 h': {
    words: 'is delivered 10 m late',
    rank: 3,
    lastsMs: 10 * MINUTE,
    then: { webhook: { delay: '10m' } },
  },
  'down 2 h': {
    words: 'is down for the first 10 m',
    rank: 4,
    lastsMs: 120 * MINUTE,
    active: { from: '+0s', to: '+10m' },
  },
};

/** Returns the gentler form of a fault, which is only tried if the fault breaks something. */
export function milder(fault: Fault): Fault[] {
  const { [fault.id]: changes } = gentler;
  return changes === undefined ? [] : [{ ...fault, ...changes, id: fault.id.replace('2 h', '10 m') }];
}

/**
 * Returns restarts of the application after a quarter, half and three quarters of the calls of the run without faults.
 */
export function restarts(calls: number): Placed[] {
  const counts = [...new Set([0.25, 0.5, 0.75].map((share) => Math.max(1, Math.round(share * calls))))];
  return counts.map((nth) => ({
    point: wholePoint('application', `the application, after ${counted(nth, 'call')},`, 'api.any', nth),
    fault: { id: 'restart', words: 'is restarted', class: 'recoverable', lastsMs: MINUTE, rank: 5, restart: true },
  }));
}

/** Maximum number of pairs that are considered. */
const mostCandidates = 5000;

/** Selects pairs of faults that are harmless alone and concern the same customer or kind of event. */
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
