/**
 * Faults in addition to the catalogue: restarts of the application, and gentler forms of a fault that broke something.
 */
import { counted } from '../domain/in-words.js';
import type { Fault, Placed } from './types.js';

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
    point: {
      id: `application ${nth}`,
      title: `the application, after ${counted(nth, 'call')},`,
      kind: 'application',
      when: 'api.any',
      match: {},
      nth,
      to: null,
      template: null,
    },
    fault: { id: 'restart', words: 'is restarted', class: 'recoverable', lastsMs: MINUTE, rank: 5, restart: true },
  }));
}
