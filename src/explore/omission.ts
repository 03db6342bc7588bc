/** A customer whom an application no longer names after a failure, although it has a place for failures. */
import { customersOf, type Reference } from './end-state.js';
import type { Found } from './raw.js';
import { customersIn, differences, leaves, normalForm, type Difference, type Json } from './state.js';

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

/**
 * Returns a word such as `sent` in a record of this customer that has lost the id of its message: then nothing was sent.
 * @param isClaim true for such words
 */
export function sentWithoutId(
  { said, run }: Reference,
  found: Found,
  to: string | null,
  isClaim: (word: Json) => boolean,
): Pick<Difference, 'path' | 'found'> | undefined {
  const now = normalForm(found.said);
  const of = customersIn(said, customersOf(run.facts));
  const recordOf = (names: readonly string[]) => names.slice(0, -1).join('.');
  const isLost = ({ path, expected, found: got }: Difference) =>
    expected === '<id>' && (got ?? null) === null && to !== null && of(path).includes(to);
  const records = new Set(
    differences(said, now)
      .filter(isLost)
      .map(({ path }) => recordOf(path)),
  );
  const usual = new Map(leaves(said).map(({ path, value }) => [path, value]));
  const claim = leaves(now).find(
    ({ path, names, value }) => records.has(recordOf(names)) && isClaim(value) && usual.get(path) === value,
  );
  return claim && { path: claim.names, found: claim.value };
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
