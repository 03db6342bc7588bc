/** Events that come after something which they precede without the fault. */
import { formatDuration } from '../../time/duration.js';
import { later, swapping } from './faults.js';
import { timersIn, type Entry } from './overlap.js';
import { place } from './placed.js';
import type { Fault, Placed, Point } from '../facts/types.js';

/** An event is not held for longer: by then, it would be another story. */
export const longestHeldMs = 30 * 60_000;
/** After failed attempts, an event comes so late. */
const longestLateMs = 24 * 3_600_000;
/** It comes so long after the other one. */
const overtakenMs = 5_000;

export const afterTimer = 'after-timer';

type How = Pick<Fault, 'id' | 'words' | 'class' | 'rank'>;

/** @param atMs when the other one comes, in account milliseconds from the start */
function late(point: Point, { atMs }: Pick<Point, 'atMs'>, how: How): Placed {
  const delay = formatDuration(Math.ceil((atMs - point.atMs) / 1000) * 1000 + overtakenMs);
  return place(point, { ...how, rule: { then: { webhook: { delay } } } });
}

export const lateEventsIn = (
  timeline: readonly Entry[],
  stepsMs: readonly number[],
  points: readonly Point[],
): Placed[] => [
  ...swapsIn(points),
  ...statusesIn(timeline, points),
  ...lastIn(stepsMs, points),
  ...failuresIn(timeline, points),
];

/** Two messages of a customer arrive in the other order. An answer to buttons cannot precede them, if they were the answer to the first one. */
const swapsIn = (points: readonly Point[]): Placed[] =>
  points.flatMap((point, i) => {
    if (point.kind !== 'message.received') return [];
    const own = points.slice(i + 1).filter(({ to }) => to === point.to);
    const at = own.findIndex(({ kind }) => kind === point.kind);
    const next = own[at];
    if (!next || next.atMs - point.atMs > longestHeldMs) return [];
    if (own.slice(0, at).some(({ match }) => match['type'] === 'interactive')) return [];
    const words = 'comes after the next message of this customer';
    return [late(point, next, { id: swapping, words, class: 'recoverable', rank: 6 })];
  });

/**
 * The last status of a message comes after the customer has answered it: an application may write it over the answer. In between,
 * no timer lets the application look whether the message has arrived.
 */
function statusesIn(timeline: readonly Entry[], points: readonly Point[]): Placed[] {
  const looksMs = timersIn(timeline).map(({ ms }) => ms);
  return points.flatMap((answer, i) => {
    if (answer.kind !== 'message.received') return [];
    const point = points.slice(0, i).findLast(({ when, to }) => when === answer.when && to === answer.to);
    if (point?.kind !== 'message.status' || point.match['status'] === 'failed') return [];
    const isBetween = (ms: number) => ms > point.atMs && ms <= answer.atMs;
    if (answer.atMs - point.atMs > longestHeldMs || looksMs.some(isBetween)) return [];
    const words = "comes after the customer's next message";
    return [late(point, answer, { id: 'after-answer', words, class: 'recoverable', rank: 2 })];
  });
}

/**
 * The event of a correct code, or a customer's latest status before the final one, comes after all steps of the story: by then, the
 * application has gone on from what the event stands for, and looks nothing up any more.
 */
const lastIn = (stepsMs: readonly number[], points: readonly Point[]): Placed[] =>
  points.flatMap((point, i) => {
    const atMs = stepsMs.findLast((ms) => ms > point.atMs && ms - point.atMs <= longestLateMs);
    if (atMs === undefined) return [];
    if (point.kind !== 'otp.verified' && !isBeforeFinal(point, points.slice(i + 1))) return [];
    return [late(point, { atMs }, { id: 'late', words: 'comes after the last step', class: 'recoverable', rank: 2 })];
  });

function isBeforeFinal({ kind, to, match: { status } }: Point, further: readonly Point[]): boolean {
  const [next, ...more] = further.filter((one) => one.kind === kind && one.to === to);
  const isNext = [later[String(status)], 'failed'].includes(String(next?.match['status']));
  return kind === 'message.status' && status !== 'failed' && more.length === 0 && isNext;
}

/** A failure is reported after the call of a timer, in which the application may have looked for it: it must not act on it twice. */
const failuresIn = (timeline: readonly Entry[], points: readonly Point[]): Placed[] =>
  points.flatMap((point) => {
    const isNext = ({ ms }: { readonly ms: number }) => ms > point.atMs && ms - point.atMs <= longestLateMs;
    const next = point.match['status'] === 'failed' ? timersIn(timeline).find(isNext) : undefined;
    if (point.kind !== 'message.status' || next === undefined) return [];
    const words = `comes after ${next.http.method ?? 'GET'} ${next.http.url}`;
    return [late(point, { atMs: next.ms }, { id: afterTimer, words, class: 'throttle', rank: 2 })];
  });
