/** A customer whom an application no longer names after a failure, although it has a place for failures. */
import type { Reference } from './end-state.js';
import type { Found } from './raw.js';

/** Names of places for what failed. */
const failures = /^(?:fail|reject|refus|undeliver|unreach|error|not_?(?:sent|reached|delivered))/i;

/**
 * Returns the place for failures that stays empty while a customer disappears from the state; null if the application says
 * something else, or names no customer.
 */
export function emptyPlace({ run }: Reference, { said }: Found, to: string | null): string | null {
  const namesIt = (state: unknown) => to !== null && JSON.stringify(state ?? null).includes(to);
  if (!namesIt(run.said) || namesIt(said)) return null;
  const before = new Set(emptyIn(run.said));
  return emptyIn(said).find((place) => before.has(place)) ?? null;
}

/** The paths of empty places for failures: a list, a mapping, or the number 0. */
function emptyIn(state: unknown, path = ''): string[] {
  if (typeof state !== 'object' || state === null) return [];
  return Object.entries(state).flatMap(([name, value]: [string, unknown]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const isEmpty = value === 0 || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
    return isEmpty && failures.test(name) ? [place] : emptyIn(value, place);
  });
}
