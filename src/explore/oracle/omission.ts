/** Gaps that a failure leaves in the state: a customer whom no place for failures names, or a message without an id. */
import { isDeepStrictEqual } from 'node:util';
import { customersOf, type Reference } from '../facts/end-state.js';
import type { Found } from '../facts/raw.js';
import { customersOfChanges, differences, type Difference } from '../facts/differences.js';
import { customersIn, leaves } from '../facts/leaves.js';
import { normalForm, type Json } from '../facts/state.js';
import type { Run } from '../facts/types.js';

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

/** Names under which applications keep the id of a message. */
export const messageId = /^(?:message|msg)_?id$|^wamid$/i;

/** The name of a record that an application keeps under an id that it did not get. */
const noName = /^(?:null|undefined|None|nil)$/;

/**
 * Returns a word such as `sent` in a record of this customer in which such a field is empty, or which has no name, if no such record
 * says so without the fault: then nothing was sent.
 * @param isClaim true for such words
 * @param isField true for names of fields with the id of a message, or with how far it got
 */
export function sentWithout(
  { said, run }: Reference,
  found: Found,
  to: string | null,
  isClaim: (word: Json) => boolean,
  isField: (name: string) => boolean,
): Pick<Difference, 'path' | 'found'> | undefined {
  const claimsIn = (state: Json) => {
    const of = customersIn(state, customersOf(run.facts));
    const all = leaves(state);
    const recordOf = (names: readonly string[]) => names.slice(0, -1).join('.');
    const lacking = new Set(
      all.flatMap(({ names, value }) =>
        (value === null && isField(names.at(-1) ?? '')) || noName.test(names.at(-2) ?? '') ? [recordOf(names)] : [],
      ),
    );
    return all.filter(
      ({ names, value }) => lacking.has(recordOf(names)) && isClaim(value) && to !== null && of(names).includes(to),
    );
  };
  const [claim] = claimsIn(said).length > 0 ? [] : claimsIn(normalForm(found.said));
  return claim && { path: claim.names, found: claim.value };
}

/**
 * Returns the path of a record of this customer that is missing, if the state still names the customer and nothing else differs:
 * neither another part of the state, nor a response to a step of the story. Null if something does, which may say that the message
 * failed.
 */
export function onlyMissing({ said, run }: Reference, found: Found, to: string | null): readonly string[] | null {
  const all = differences(said, normalForm(found.said));
  const of = customersOfChanges(said, customersOf(run.facts));
  const isMissing = (one: Difference) =>
    one.found === undefined && typeof one.expected === 'object' && of(one).includes(to ?? '');
  const [first] = all;
  const isNamed =
    to !== null && leaves(normalForm(found.said)).some(({ names, value }) => value === to || names.includes(to));
  const responses = ({ answers = [] }: Pick<Run, 'answers'>) =>
    answers.map(({ status, said: body }) => [status, normalForm(body)]);
  const isQuiet = isDeepStrictEqual(responses(found), responses(run));
  return first !== undefined && isNamed && all.every(isMissing) && isQuiet ? first.path : null;
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
