/** Repeated calls: those that cannot succeed, and the one by which an application recovers. */
import { hookOf } from '../../language/hooks.js';
import type { Raw } from '../facts/raw.js';
import { plain } from '../facts/state.js';
import { expiring, unavailable } from '../faults/faults.js';
import { isRepetition, type Facts, type JournalRequest } from '../facts/facts.js';
import type { Placed, Run } from '../facts/types.js';

/** A rejected call may be repeated this often within a minute, and before its Retry-After is over. */
const mostRepeats = 3;
const mostEarly = 1;
/** A client that does not look at the code of a 429 repeats it several times. */
const mostLocked = 10;
const minuteMs = 60_000;

type Seen = Pick<Run, 'accounts' | 'comebacks' | 'flows'>;

/** Looks at each account by itself, since each has its own clock. */
export function uselessCalls(expected: Seen, found: Seen): Raw[] {
  const before = new Map(allRepeats(expected));
  return allRepeats(found).flatMap(([key, { last, count }]): Raw[] => {
    const { operation, method, path, status, error, request } = last;
    const isLimited = mayRepeatAfter(last) !== null;
    const most = isLimited ? mostEarly : status === 429 ? mostLocked : mostRepeats;
    // A story can lead to the same call several times, such as by wrong codes. Each of them may be repeated.
    const driven = mostRepeats * Math.max(0, callsAs(expected, last) - 1);
    if (count <= most + driven + (before.get(key)?.count ?? 0)) return [];
    const name = hookOf(operation) ?? `${method} ${path}`;
    const words = isLimited ? 'a 429, before its Retry-After was over' : `the response ${String(status)}`;
    const { to } = (request.body ?? {}) as { to?: unknown };
    const where = {
      operation: name,
      ...(typeof to === 'string' && { to }),
      ...(!isLimited && { status, ...(error !== undefined && { error }) }),
    };
    const bound = isLimited ? { spacing: { min: 'retry_after' } } : { max: most + 1 };
    const sentence = `${name} was made ${count} more times within a minute after ${words}.`;
    return [{ kind: 'useless calls', sentence, expect: { that: 'requests', where, ...bound } }];
  });
}

/** Returns how often the same call is made without the fault, whatever its response. */
const callsAs = ({ accounts }: Seen, call: JournalRequest): number =>
  accounts.flatMap(({ requests }) => requests).filter((one) => callOf(one) === callOf(call)).length;

const callOf = ({ method, path, request }: JournalRequest): string =>
  `${method} ${plain(path)} ${plain(JSON.stringify(request.body ?? null))}`;

interface Repeats {
  readonly last: JournalRequest;
  readonly count: number;
  readonly most: number;
}

const allRepeats = ({ accounts, comebacks = [], flows = false }: Seen) =>
  accounts.flatMap((facts) =>
    [...repeats(facts, comebacks, flows)].map(([key, { last, most }]) => [key, { last, count: most }] as const),
  );

/** Calls that no application makes to start. */
const atWork: ReadonlySet<string> = new Set(['sendMessage', 'sendOtp', 'verifyOtp']);

/** Counts, by call and response, the repetitions in a row that come too early, and not because the user has come back. */
function repeats({ requests, account, ...facts }: Facts, comebacks: readonly string[], flows: boolean) {
  const found = new Map<string, Repeats>();
  for (const one of requests) {
    const { status, operation } = one;
    // The clock stands still while an application starts.
    const steered = facts.steered && !(flows && atWork.has(operation ?? ''));
    if (status === null || status < 400 || status >= 500 || status === 408) continue;
    const key = `${account} ${callOf(one)} ${status}`;
    const { last, count, most } = found.get(key) ?? { count: 0, most: 0 };
    const isNew = last !== undefined && comebacks.some((time) => last.at <= time && time <= one.at);
    const now = last && !isNew && isTooEarly(last, one, steered) ? count + 1 : 0;
    found.set(key, { last: one, count: now, most: Math.max(most, now) });
  }
  return found;
}

function isTooEarly(last: JournalRequest, next: JournalRequest, steered: boolean): boolean {
  const afterMs = Date.parse(next.at) - Date.parse(last.at);
  const waitMs = mayRepeatAfter(last);
  // While the account's clock stands still, or the story moves it, the application may have waited in real time.
  if (waitMs !== null && (afterMs === 0 || steered)) return false;
  // The limit is a little lower, because the timers of an application are not exact.
  return afterMs < 0.9 * (waitMs ?? minuteMs);
}

/** Returns the milliseconds after which a rejected call may succeed; null if no time is given. */
function mayRepeatAfter({ status, error, response }: JournalRequest): number | null {
  // A locked code gets a 429 as well, but no time unlocks it.
  if (status !== 429 || error === 'otp_max_attempts') return null;
  const [, seconds] = Object.entries(response?.headers ?? {}).find(([name]) => /^retry-after$/i.test(name)) ?? [];
  return 1000 * (Number(seconds) || 0);
}

/** Finds an application that verifies an expired code again, after the time at which it sends the next one without the fault. */
export function expiredAgain({ facts: usual }: Run, { facts }: Pick<Run, 'facts'>, placed: Placed | null): Raw[] {
  const to = placed?.point.to ?? '';
  if (placed?.fault.id !== expiring) return [];
  const bodyOf = ({ request: { body } }: JournalRequest) => (body ?? {}) as { to?: unknown; otp_id?: unknown };
  const msOf = ({ startedAt }: Facts, { at }: JournalRequest) => Date.parse(at) - Date.parse(startedAt);
  const sends = (of: Facts) =>
    of.requests.filter((one) => one.operation === 'sendOtp' && bodyOf(one).to === to).map((one) => msOf(of, one));
  const verified = ({ otps }: Facts) => otps.filter((one) => one.to === to && one.state === 'verified').length;
  const refused = facts.requests.filter(({ error }) => error === 'otp_expired');
  const isAgain = refused.some((first) => {
    const last = refused.findLast((one) => bodyOf(one).otp_id === bodyOf(first).otp_id) ?? first;
    const isBetween = (ms: number) => ms > msOf(facts, first) && ms < msOf(facts, last);
    return sends(usual).some(isBetween) && !sends(facts).some(isBetween);
  });
  const min = verified(usual) - 1;
  if (!isAgain || min < 1 || verified(facts) >= min) return [];
  const sentence = `A code of ${to} had expired; instead of sending the next one, the application tried to verify it again.`;
  return [{ kind: 'lost', sentence, expect: { that: 'otps', where: { to, state: 'verified' }, min }, doubt: null }];
}

export interface Repetition {
  readonly afterMs: number;
  readonly atMs: number;
}

/** Time in which a failed call is repeated, as long as it is not known, in milliseconds. */
export const unlearntReturnMs = 3_000;
/** The same, in account time: a call that is repeated later than this was not waited for. */
const longestReturnMs = unlearntReturnMs + 1_000;

/** True if the application repeated a call that failed, while the clock waited for that. */
export function repeatsSoon({ requests }: Facts): boolean {
  const isFailed = ({ status }: JournalRequest) => status === null || status === 429 || status >= 500;
  return requests.filter(isFailed).some((failed) =>
    requests.some((one) => {
      const afterMs = Date.parse(one.at) - Date.parse(failed.at);
      return isRepetition(failed, one) && afterMs <= longestReturnMs;
    }),
  );
}

/** Returns when the application repeated a call that failed with 503; null if it did not. */
export function returnOf({ requests, startedAt }: Facts): Repetition | null {
  const failed = requests.find(({ status, error }) => status === 503 && error === unavailable);
  const again = failed && requests.find((one) => isRepetition(failed, one));
  if (!failed || !again) return null;
  const atMs = Date.parse(again.at);
  return { afterMs: atMs - Date.parse(failed.at), atMs: atMs - Date.parse(startedAt) };
}
