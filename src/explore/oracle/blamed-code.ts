/** An application that calls a code wrong, although the service has not said so, or that lets its user try one again which has ended. */
import { isDeepStrictEqual } from 'node:util';
import { hookOf } from '../../language/hooks.js';
import { toOf, type Facts } from '../facts/facts.js';
import { expiring, locking } from '../faults/faults.js';
import type { Found, Raw } from '../facts/raw.js';
import { leaves } from '../facts/leaves.js';
import { normalForm, numberless } from '../facts/state.js';
import type { Answer, Placed, Run } from '../facts/types.js';

/** Words that no application has for another failure. */
const wrong = /wrong|invalid|incorrect|mismatch|mistyped|not (?:match|correct|right|valid)/i;
/** Words that also stand for a code that has ended. */
const orEnded = /expire|lock|no longer|too many|new|again|request/i;
const ofAnyFailure = 'The application may respond so to every failure.';

export const callOf = ({ call, sent }: Answer): string => `${call} ${JSON.stringify(sent ?? null)}`;

/** The same for the calls of two customers, whose numbers or names are inside the path. */
function kindOf({ call }: Answer): string {
  const parts = numberless(call).split('/');
  return [parts.slice(0, 2), parts.length, parts.at(-1)].join(' ');
}

const wordsOf = ({ said }: Answer): string[] =>
  leaves(normalForm(said)).flatMap(({ value }) => (typeof value === 'string' && value !== '' ? [value] : []));

/** Compares the response to a correct code with the one to a wrong code, which the story types without the fault. */
export function blamedCode(
  { answers: usual = [], facts: usualFacts }: Run,
  { answers = [], facts }: Found,
  placed: Placed | null,
): Raw[] {
  const { point, fault } = placed ?? {};
  const final = (fault?.class === 'final' && ended[fault.id]) || null;
  if (final === null && (point?.kind !== 'otp.verify' || point.outcome !== 'valid: true')) return [];
  if (point === undefined || (final !== null && sentNewCode(usualFacts, facts, point.to))) return [];
  const lastOf = (all: readonly Answer[]) => new Map(all.map((one) => [callOf(one), one]));
  const usually = lastOf(usual);
  const isAccepted = ({ status }: Answer) => status !== null && status < 300;
  const isTold = ({ status }: Answer) => status !== null && status < 500;
  const isLike = (one: Answer, other: Answer): boolean =>
    kindOf(one) === kindOf(other) &&
    one.status === other.status &&
    callOf(one) !== callOf(other) &&
    wordsOf(one).length > 0 &&
    wordsOf(one).every((word) => wordsOf(other).includes(word));
  const customers = point.to === null ? [] : [point.to];
  const told = [...lastOf(answers).values()].filter((one) => {
    const before = usually.get(callOf(one));
    return before && isAccepted(before) && !(isAccepted(one) && isDeepStrictEqual(wordsOf(one), wordsOf(before)));
  });
  const later = final === null ? undefined : told.find(({ status }) => status === 503);
  if (later !== undefined) {
    const sentence = `${later.call} got the response 503, as if its user could try again later, but the service has said that the code ${final}, and no new code was sent.`;
    return [{ kind: 'failure hidden', sentence, customers, expect: null, doubt: null }];
  }
  const blamed = told.find((one) => isTold(one) && usual.some((other) => isLike(one, other)));
  if (blamed === undefined) return [];
  const isWrong = wordsOf(blamed).some((word) => wrong.test(word));
  if (final !== null && (!isWrong || wordsOf(blamed).some((word) => orEnded.test(word)))) return [];
  const sentence = `${blamed.call} got the response ${blamed.status} as for a wrong code, but the service has ${final === null ? 'not said that the code is wrong' : `said that the code ${final}, and no new code was sent`}.`;
  const doubt = isWrong ? null : ofAnyFailure;
  return [{ kind: 'failure hidden', sentence, customers, expect: null, doubt }];
}

/** The service says this of a code, for which its customer needs a new one. */
const ended: Readonly<Record<string, string>> = { [expiring]: 'has expired', [locking]: 'is locked' };

function sentNewCode({ requests: usual }: Facts, { requests }: Facts, to: string | null): boolean {
  const codesIn = (all: Facts['requests']) =>
    all.filter(({ operation, request: { body } }) => hookOf(operation) === 'otp.send' && toOf(body) === to).length;
  return codesIn(requests) > codesIn(usual);
}
