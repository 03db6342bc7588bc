/** A wrong code locks a code, and the customer asks for a new one: the application must send it. */
import { isDeepStrictEqual } from 'node:util';
import { hookOf } from '../../language/hooks.js';
import { methodOf } from '../../language/calls.js';
import { formatDuration } from '../../time/duration.js';
import { parseOffset } from '../../language/durations.js';
import { otpIdOf, toOf, type Facts, type JournalRequest } from '../facts/facts.js';
import { place } from './placed.js';
import type { Found, Raw } from '../facts/raw.js';
import { numberless } from '../facts/state.js';
import type { Fault, Placed, Point, Run } from '../facts/types.js';

interface Step {
  readonly at?: unknown;
  readonly every?: unknown;
  readonly id?: unknown;
  readonly http?: {
    readonly url: string;
    readonly method?: string;
    readonly body?: unknown;
    readonly headers?: unknown;
    readonly status?: unknown;
  };
  readonly inbound?: { readonly phone?: string; readonly text?: string };
}

const newCode = 'new-code';
/** A call that comes so soon after a step of the story is made by it, in account milliseconds. */
const soonMs = 2_000;
/** After the wrong code, the customer types the correct one, and learns that it is locked; each further step comes later. */
const [typesMs, afterMs] = [1_000, 5_000];
/** An application can check its length, and a code has six digits by default. */
const wrongCode = '000001';
const typed = /\$\{code[^}]*\}/g;

/** One code for each kind of step that asks for one. */
export function newCodesIn(timeline: readonly unknown[], points: readonly Point[]): Placed[] {
  const asked = new Set<string>();
  const steps = (timeline as readonly Step[]).flatMap((step, index) =>
    typeof step.at === 'string' && step.every === undefined && (step.http ?? step.inbound)
      ? [{ step, index, atMs: parseOffset(step.at) }]
      : [],
  );
  const before = ({ atMs }: Point) => steps.filter((one) => one.atMs <= atMs && one.atMs > atMs - soonMs);
  return points.flatMap((sent, i) => {
    const { kind, to } = sent;
    if (kind !== 'otp.send' || to === null) return [];
    const later = points.slice(i + 1).filter((one) => one.to === to);
    const check = later.find(({ kind: next, outcome }) => next === 'otp.send' || outcome === 'valid: true');
    // The customer types a later code.
    if (check?.kind === 'otp.send') return [];
    const types = check && before(check).findLast(({ step }) => typesCode(step, to));
    const asks =
      types &&
      nearest(
        before(sent).filter(({ step, index }) => index < types.index && !isCheck(step, types.step)),
        types.step,
        to,
      );
    if (!types || !asks) return [];
    const key = numberless(callOf(asks.step) ?? 'a message');
    if (asked.size === asked.add(key).size) return [];
    const again = (step: Step, ms: number) => ({ ...bare(step), at: `+${formatDuration(types.atMs + ms)}` });
    const wrongly = again(withCode(types.step, wrongCode), 0);
    // Checks may name the step that it replaces.
    const { id } = types.step;
    const fault: Fault = {
      ...({ id: newCode, class: 'throttle', rank: 2 } as const),
      words: 'sends a code, which a wrong code locks, and the customer asks for a new one',
      rule: { then: { otp: { attempts: 1 } } },
      replaced: { index: types.index, step: { ...(id !== undefined && { id }), ...wrongly } },
      steps: [again(types.step, typesMs), again(anew(asks.step), afterMs), again(types.step, 2 * afterMs)],
    };
    return [place(sent, fault)];
  });
}

function typesCode({ http, inbound }: Step, to: string): boolean {
  const text = JSON.stringify(http ?? inbound?.text ?? '');
  return text.search(typed) >= 0 && (http ? text.includes(to) : inbound?.phone === to);
}

/**
 * Returns the step that asks for the code: a message of this customer, or the call that is most like the one of the check, by its
 * path and then by the values of its body.
 */
function nearest<T extends { readonly step: Step }>(near: readonly T[], check: Step, to: string): T | undefined {
  const wrote = near.findLast(({ step: { inbound } }) => inbound?.phone === to);
  if (check.http === undefined || wrote) return wrote;
  const path = check.http.url.split('/');
  const values = new Set(valuesOf(check.http.body));
  const likeness = ({ step: { http } }: T) => {
    const own = http?.url.split('/') ?? [];
    const at = path.findIndex((part, i) => own[i] !== part);
    return (at < 0 ? path.length : at) + valuesOf(http?.body).filter((value) => values.has(value)).length / 100;
  };
  const calls = near.filter(({ step }) => step.http !== undefined).sort((a, b) => likeness(b) - likeness(a));
  const [first, ...others] = calls;
  // The user may ask twice.
  const isOther = (one: T) => !isDeepStrictEqual(one.step.http, first?.step.http);
  return first && others.some((one) => isOther(one) && likeness(one) === likeness(first)) ? undefined : first;
}

/** True if a step has the same path and fields as the one that types the code: it types a wrong one. */
const isCheck = ({ http }: Step, { http: check }: Step): boolean =>
  http !== undefined &&
  http.url === check?.url &&
  isDeepStrictEqual(Object.keys(http.body ?? {}), Object.keys(check.body ?? {}));

const valuesOf = (body: unknown): string[] =>
  typeof body === 'object' && body !== null ? Object.values(body).map((value) => JSON.stringify(value)) : [];

/** Whatever its id, and whatever response the story expects. */
const bare = ({ http, inbound }: Step): Step =>
  http ? { http: { ...http, status: ['2xx', '3xx', '4xx', '5xx'] } } : { ...(inbound && { inbound }) };

const withCode = ({ http, inbound }: Step, code: string): Step =>
  JSON.parse(JSON.stringify({ http, inbound }).replace(typed, code)) as Step;

/** The name of a field or header that has another value in each further request, and the same one in a repeated request. */
const requestKey = /request|idempoten|nonce/i;

/** The same step, as a further request: with other such keys. */
function anew({ http, inbound }: Step): Step {
  const renewed = (fields: unknown) =>
    mapObject(fields, (name, value) => (requestKey.test(name) && typeof value === 'string' ? `${value}-again` : value));
  if (http === undefined) return { ...(inbound && { inbound }) };
  return { http: { ...http, body: renewed(http.body), headers: renewed(http.headers) } };
}

const mapObject = (fields: unknown, renew: (name: string, value: unknown) => unknown): unknown =>
  typeof fields === 'object' && fields !== null
    ? Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, renew(name, value)]))
    : fields;

const callOf = ({ http }: Step): string | null => (http ? `${methodOf(http)} ${http.url}` : null);

/** The user of a story types the same code before and after they ask for another, and perhaps in a later step. */
const mostChecks = 3;
export const cureOfLocked =
  'Your real service may reject a locked code with another status than 429: set this status in a dialect (errors: { status: { otp_max_attempts: 423 } }).';
export const lockedAgain = `the application checked a locked code again and again, as after a rate limit. ${cureOfLocked}`;

/** True if it repeats a check of a locked code more often than a user types it. */
export function checksLockedAgain({ requests }: Facts): boolean {
  const locked = requests.filter(({ error, status }) => error === 'otp_max_attempts' && status === 429);
  const codes = locked.map(({ request: { body } }) => JSON.stringify(body));
  return codes.some((one) => codes.filter((other) => other === one).length > mostChecks);
}

/** Finds that the application agreed to send a new code, and sent none. */
export function sentNoNewCode(usual: Run, found: Found, placed: Placed | null): Raw[] {
  const { fault, point } = placed ?? {};
  const to = point?.to;
  if (fault?.id !== newCode || to === undefined || to === null || found.timedOut) return [];
  const verified = ({ otps }: Facts) => otps.filter((one) => one.to === to && one.state === 'verified').length;
  if (verified(found.facts) >= verified(usual.facts)) return [];
  const own = new Set<unknown>(found.facts.otps.flatMap((one) => (one.to === to ? [one.otp_id] : [])));
  const isLocked = ({ error, request: { body } }: JournalRequest) =>
    error === 'otp_max_attempts' && own.has(otpIdOf(body));
  const lockedAt = found.facts.requests.find(isLocked)?.seq;
  const isNewCode = ({ operation, seq, status, request: { body } }: JournalRequest) =>
    hookOf(operation) === 'otp.send' && toOf(body) === to && seq > (lockedAt ?? 0) && status !== null && status < 300;
  if (lockedAt === undefined || found.facts.requests.some(isNewCode)) return [];
  const asks: Step = fault.steps?.[1] ?? {};
  const call = callOf(asks);
  const wordsOf = (name: string | null, body: unknown) => `${name ?? ''} ${JSON.stringify(body ?? null)}`;
  const asked = wordsOf(call, asks.http?.body).replace(/[.*+?^()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${asked.replace(/\$\{[^}]*\}/g, '.*')}$`);
  const last = found.answers?.findLast((answer) => pattern.test(wordsOf(answer.call, answer.sent)))?.status ?? null;
  if (call !== null && (last === null || last >= 400)) return [];
  const agreed = call === null ? 'got the message again by which they ask for a code' : `responded ${last} to ${call}`;
  const sentence = `After a wrong code had locked the code of ${to}, the application ${agreed}, but sent no new code.`;
  const where = { to, state: 'verified' };
  const expect = { that: 'otps' as const, where, min: verified(usual.facts) };
  const doubt = checksLockedAgain(found.facts) ? `T${lockedAgain.slice(1)}` : null;
  return [{ kind: 'lost', sentence, customers: [to], expect, doubt }];
}
