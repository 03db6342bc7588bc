/**
 * Faults in addition to the catalogue: restarts of the application, and gentler forms of a fault that broke something.
 */
import { counted } from '../domain/counted.js';
import type { Fault, Placed } from './types.js';

const MINUTE = 60_000;

/** Returns gentler forms of a fault, which are only tried if it breaks something. */
export function milder({ id, ...fault }: Fault): Fault[] {
  const lastsMs = 10 * MINUTE;
  if (id === 'late 2 h')
    return [
      {
        ...fault,
        id: 'late 10 m',
        words: 'is delivered 10 m late',
        rank: 3,
        lastsMs,
        then: { webhook: { delay: '10m' } },
      },
    ];
  if (id === 'down 2 h')
    return [
      {
        ...fault,
        id: 'down 10 m',
        words: 'is down for the first 10 m',
        rank: 4,
        lastsMs: 120 * MINUTE,
        active: { from: '+0s', to: '+10m' },
      },
    ];
  return [];
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
