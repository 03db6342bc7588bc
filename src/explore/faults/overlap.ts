/** The call of a timer that comes again while the application still works on the one before. */
import { startsWork } from '../../language/calls.js';
import { parseOffset } from '../../language/durations.js';
import { formatDuration } from '../../time/duration.js';
import { copiesOf, type Reference } from '../facts/end-state.js';
import { recoverable, respond } from './fault-kit.js';
import { place, ruleIdOf } from './placed.js';
import type { Found, Raw } from '../facts/raw.js';
import type { Fault, Placed, Point } from '../facts/types.js';

interface Call {
  readonly url: string;
  readonly method?: string;
  readonly body?: unknown;
  readonly save?: unknown;
}

/** A step of a timeline. */
export interface Entry {
  readonly at: unknown;
  readonly http?: Call;
}

export const overlap = 'overlap';

/** Returns the calls that can be repeated, with account milliseconds from the start. */
export const timersIn = (timeline: readonly Entry[]) =>
  timeline.flatMap(({ at, http }) =>
    typeof at === 'string' && http && startsWork(http) ? [{ ms: parseOffset(at), http }] : [],
  );

const slow = respond({ latency_real: '1500ms' });

/** One for each path of a timer and template: at the first send for a call that can be repeated. */
export function overlapsIn(timeline: readonly Entry[], points: readonly Point[]): Placed[] {
  const steps = timeline.flatMap(({ at, http }) => (typeof at === 'string' ? [{ ms: parseOffset(at), http }] : []));
  const seen = new Set<string>();
  return points.flatMap((point) => {
    if (point.kind !== 'message.send') return [];
    const step = steps.findLast(({ ms }) => ms <= point.atMs);
    if (step?.http === undefined || !startsWork(step.http)) return [];
    const { ms, http } = step;
    if (seen.size === seen.add(`${http.method} ${http.url} ${point.template}`).size) return [];
    return [place(point, overlapping(point, http, ms))];
  });
}

function overlapping(point: Point, http: Call, ms: number): Fault {
  const again = `when ${http.method ?? 'GET'} ${http.url} is called again`;
  const control = recoverable(9, 'called-again', `has its response ${again}`, undefined, {
    steps: [{ at: `+${formatDuration(ms)}`, http }],
  });
  const fault = recoverable(2, overlap, `has no response yet ${again}`, slow, { control });
  return { ...fault, steps: [{ at: { after: ruleIdOf({ point, fault }) }, http }] };
}

/**
 * Judges a message that came twice: true if it does so as well if the second call waits for the first one; in a sentence why that is not
 * known, or null for a break.
 */
export function ofOverlap({ of: part }: Raw, { controls, closeness }: Reference, { facts }: Found, { id }: Placed) {
  const control = controls.get(id) ?? null;
  if (control === null || part === undefined) return maybeEachTime;
  return copiesOf(control.facts, part, closeness).length < copiesOf(facts, part, closeness).length ? null : true;
}

const maybeEachTime = 'Each call may be meant to send it.';
