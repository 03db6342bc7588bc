/** Points that show the same: an application does the same for many customers. */
import type { Point } from './types.js';

/** Returns what points have in common that differ only in their customer, number and time. */
export function meaningOf({ kind, outcome, template, says, match: { status, type, method, url } }: Point): string {
  return JSON.stringify([kind, outcome, template, says, status, type, method, url]);
}

/** Some faults occur only at the first recipient of a batch, and show most if the batch has others. */
const placeIn = ({ recipients = [] }: Point, i: number): string =>
  i > 0 ? 'beside' : recipients.length > 1 ? 'first' : 'alone';

const customersOf = ({ to, recipients }: Point): readonly unknown[] => recipients ?? (to === null ? [] : [to]);

/**
 * Leaves out customers to whom the same happens as to others, in the same order: of these, the first and the last one are
 * kept.
 */
export function unlike(points: readonly Point[]): Point[] {
  const courses = new Map<string, string>();
  for (const point of points) {
    customersOf(point).forEach((customer, i) => {
      const key = `${point.account} ${String(customer)}`;
      courses.set(key, `${courses.get(key) ?? point.account}; ${meaningOf(point)} ${placeIn(point, i)}`);
    });
  }
  const [first, last] = [new Map<string, string>(), new Map<string, string>()];
  for (const [key, course] of courses) {
    if (!first.has(course)) first.set(course, key);
    last.set(course, key);
  }
  const kept = new Set([...first.values(), ...last.values()]);
  return points.filter(({ account, to }) => to === null || kept.has(`${account} ${to}`));
}
