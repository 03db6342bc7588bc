/** An application that gives out no more codes, after a request for one whose outcome it does not know. */
import { hookOf } from '../../language/hooks.js';
import { toOf } from '../facts/facts.js';
import { callOf } from './blamed-code.js';
import type { Found, Raw } from '../facts/raw.js';
import type { Answer, Placed, Run } from '../facts/types.js';

/** Time in seconds for which a code is valid, if its request gives no other. */
const usualExpiry = 300;

/**
 * Finds that the application rejects each further request for a code, although the one whose sending was interrupted has expired by then.
 * A response 429 only asks the user to wait.
 */
export function refusesCodes(
  { answers: usual = [] }: Run,
  { answers = [], unmetSteps = [], facts }: Found,
  placed: Placed | null,
): Raw[] {
  const { point, fault } = placed ?? {};
  if (point?.kind !== 'otp.send' || fault?.class !== 'uncertain') return [];
  const bodies = facts.requests.map(({ operation, request: { body } }) =>
    hookOf(operation) === point.kind ? body : null,
  );
  const sent = bodies.find((body) => toOf(body) === point.to) as { readonly expiry_seconds?: number } | undefined;
  const expiredMs = point.atMs + (sent?.expiry_seconds ?? usualExpiry) * 1000;
  const isRefused = ({ status }: Answer) => status !== null && status >= 400 && status < 500 && status !== 429;
  const isAccepted = ({ status }: Answer) => status !== null && status < 300;
  const refused = answers.find((first, i) => {
    const isSame = (one: Answer) => callOf(one) === callOf(first);
    const isLate = unmetSteps.some(
      ({ sentence, atMs }) => atMs >= expiredMs && sentence.startsWith(`${first.call} at `),
    );
    const before = usual.filter(isSame);
    const isUsual = before.length > 0 && before.every(isAccepted);
    return isLate && isUsual && answers.slice(i).filter(isSame).every(isRefused);
  });
  if (refused === undefined || answers.filter((one) => callOf(one) === callOf(refused)).length < 2) return [];
  const sentence = `${refused.call} got the response ${refused.status} each time, also after the code could have expired, so its user gets no new one.`;
  const customers = point.to === null ? [] : [point.to];
  return [{ kind: 'application failed', sentence, customers, expect: null, doubt: null }];
}
