/** A customer opts out while a message to them waits: the application must look once more before it sends. */
import { hookOf } from '../../language/hooks.js';
import type { Facts } from '../facts/facts.js';
import { addedIn, place } from './placed.js';
import type { Found, Raw } from '../facts/raw.js';
import type { Reference } from '../facts/end-state.js';
import { numberless } from '../facts/state.js';
import type { Fault, Placed, Point, Run } from '../facts/types.js';

interface Step {
  readonly id?: string;
  readonly inbound?: { readonly text?: string; readonly phone?: string };
}

interface Check {
  readonly after?: unknown;
  readonly max?: number;
  readonly count?: number;
  readonly where?: { readonly template?: string | readonly string[]; readonly type?: string; readonly to?: string };
}

const optOut = 'opt-out';
const optOutBefore = 'opt-out-before';
const optOutFailed = 'opt-out-failed';
/** The customer writes so long after the call that failed, and the call is repeated after that, in milliseconds. */
const writesMs = 1_000;
const soonMs = 1_000;
/** A message that is sent so long after all that could cause it has waited, such as for a review or a timer. */
const waitsMs = 5_000;
const beforeMs = 2_000;
/** The words that customers of message services use for it. */
const usualWords = /^(stop|stop ?all|unsubscribe|opt.?out|quit)\W*$/i;
/** With these words, a customer decides whether later messages may be sent. */
const isConsent = (text = ''): boolean =>
  usualWords.test(text) || /^(start|unstop|subscribe|opt.?in|resume)\W*$/i.test(text);
/** An application sees an event so long after it has answered it. */
const seenMs = 100;

/**
 * Checks that forbid a template after a message of a customer show by which words customers opt out, as do those that forbid it to
 * one who writes such words. For each such template, two sends to customers who do not write these words are tried: the first one,
 * and the first one that has waited.
 * @param stepsMs times of the steps that reach the application, in account milliseconds
 */
export function optOutsIn(
  expect: readonly Check[],
  timeline: readonly Step[],
  stepsMs: readonly number[],
  points: readonly Point[],
): Placed[] {
  const tried = new Set<string>();
  const isFirst = (...names: unknown[]) => tried.size !== tried.add(names.join(' ')).size;
  return expect.flatMap(({ after, max, count, where }) => {
    const isNamed = ({ id }: Step) => id !== undefined && id === after;
    const isOfLeaver = ({ inbound }: Step) => inbound?.phone === where?.to && usualWords.test(inbound?.text ?? '');
    const text = (timeline.find(isNamed) ?? timeline.find(isOfLeaver))?.inbound?.text;
    if (text === undefined || (max ?? count) !== 0) return [];
    const word = numberless(text).toLowerCase();
    const leavers = new Set(points.flatMap((one) => (one.says?.toLowerCase() === word ? [one.to] : [])));
    const templatesOf = (customers: ReadonlySet<string | null>) =>
      points.flatMap(({ kind, to, template }) => (kind === 'message.send' && customers.has(to) ? [template] : []));
    const ofLeavers = templatesOf(leavers).filter((template) => template !== null);
    // Employees, who get other templates, do not opt out.
    const isCustomer = (to: string | null) =>
      ofLeavers.length === 0 || templatesOf(new Set([to])).some((template) => ofLeavers.includes(template ?? ''));
    const isForbidden = ({ template, to }: Point) =>
      template !== null &&
      (where?.template === undefined ? isCustomer(to) : [where.template].flat().includes(template));
    const words = JSON.stringify(text);
    const hasWaited = ({ to, atMs }: Point) => {
      const causesMs = points.flatMap((one) => (one.kind === 'message.received' && one.to === to ? [one.atMs] : []));
      return [0, ...stepsMs, ...causesMs].every((ms) => ms > atMs || ms <= atMs - waitsMs);
    };
    const forbidsAll = where?.template === undefined && (where?.type ?? 'template') === 'template';
    return points.flatMap((point) => {
      const { kind, to, template, batch, isRejected } = point;
      if (kind !== 'message.send' || isRejected === true || to === null || leavers.has(to)) return [];
      const writesAtMs = Math.ceil(point.atMs / 1000) * 1000 + writesMs;
      const isFailing = forbidsAll && isCustomer(to) && batch !== true && isFirst(template, optOutFailed);
      const failing = isFailing ? [place({ ...point, atMs: writesAtMs }, failedAfter(words, { phone: to, text }))] : [];
      if (!isForbidden(point)) return failing;
      const before: Fault = {
        ...({ id: optOutBefore, class: 'throttle', rank: 2 } as const),
        words: `waits, and the customer writes ${words} before it is sent`,
        inbound: { phone: to, text },
      };
      const beforeAtMs = Math.floor(point.atMs / 1000) * 1000 - beforeMs;
      const waiting =
        hasWaited(point) && isFirst(template, optOutBefore) ? [place({ ...point, atMs: beforeAtMs }, before)] : [];
      if (batch === true || !isFirst(template, optOut)) return [...failing, ...waiting];
      const fault: Fault = {
        ...({ id: optOut, class: 'throttle', rank: 2 } as const),
        words: `gets a 503, and the customer writes ${words} before it is repeated`,
        rule: { then: { respond: { status: 503, retry_after: '3s' } } },
        inbound: { phone: to, text },
        hurriesMs: writesAtMs + soonMs,
      };
      return [...failing, ...waiting, place({ ...point, atMs: writesAtMs }, fault)];
    });
  });
}

/** The message fails after the customer has written, so that an application which then sends another one must look once more. */
const failedAfter = (words: string, inbound: NonNullable<Fault['inbound']>): Fault => ({
  ...({ id: optOutFailed, class: 'throttle', rank: 2 } as const),
  words: `is accepted, the customer writes ${words}, and then it fails`,
  rule: { then: { lifecycle: [{ sent: '0s' }, { failed: '5s', error: 'undeliverable' }] } },
  inbound,
});

/** Finds that the message was sent all the same, after the application had accepted the customer's message: a break if it waited in the application. */
export function sentAfterOptOut(usual: Run, found: Found, placed: Placed | null): Raw[] {
  if (placed === null || ![optOut, optOutBefore, optOutFailed].includes(placed.fault.id)) return [];
  const { to, template } = placed.point;
  const heard = addedIn(found, placed).find(({ status }) => status !== null && status < 300);
  if (heard === undefined) return [];
  const isFallback = placed.fault.id === optOutFailed;
  // Other messages may come as without the fault, such as to somebody whose opt-out the application does not know.
  const timesIn = ({ messages }: Facts, name: string) =>
    messages.filter((one) => one.to === to && one.template?.name === name).length;
  const isMore = (name: string) => timesIn(found.facts, name) > timesIn(usual.facts, name);
  const names = found.facts.requests.flatMap(({ operation, status, at, request }) => {
    const body = (request.body ?? {}) as { to?: unknown; template?: { name?: string } };
    const name = body.template?.name;
    const isOwn = hookOf(operation) === 'message.send' && [body.to].flat().includes(to);
    const isLater = Date.parse(at) > Date.parse(heard.at) + seenMs;
    const isSent = isOwn && isLater && status !== null && status < 300;
    return isSent && name !== undefined && (isFallback ? isMore(name) : name === template) ? [name] : [];
  });
  const [name] = names;
  if (name === undefined) return [];
  const words = JSON.stringify(placed.fault.inbound?.['text']);
  const sentence = `The template ${name} was sent to ${to} after they had written ${words}.`;
  const doubt = placed.fault.id === optOut ? underWay : null;
  return [{ kind: 'check failed', sentence, expect: null, doubt }];
}

export const mayHaveStopped =
  'The customer wrote after the call that failed and before it was due again, and may have stopped it, as an opt-out does.';

/** An application whose pace is not known repeats a call within this time. */
const usualReturnMs = 3_600_000;

/**
 * True if a customer whom a deviation concerns wrote while the application waited; anybody, where it shows no customer. After another call
 * than a send, such as a lookup, messages may be late for longer, and only an opt-out stops them.
 */
export function wroteMeanwhile(
  { customers = [] }: Raw,
  { returns }: Reference,
  { facts }: Found,
  { kind, atMs }: Point,
): boolean {
  const failedMs = Date.parse(facts.startedAt) + atMs;
  const isSend = kind === 'message.send';
  const dueMs = failedMs + ((isSend ? returns.get(kind)?.accountMs : null) ?? usualReturnMs);
  return facts.received.some(({ from, created_at: at, text }) => {
    const wroteMs = Date.parse(at);
    const isOwn = customers.length === 0 ? isSend : customers.includes(from);
    return isOwn && (isSend || isConsent(text ?? '')) && wroteMs > failedMs && wroteMs <= dueMs;
  });
}

export const underWay =
  'A call had failed before this step, and its repetition was under way. Many correct applications do not stop it.';
