/** Two customers who write, or whose calls come, at the same time: the second one while the application still answers the first one. */
import { isDeepStrictEqual } from 'node:util';
import { parseOffset } from '../../language/durations.js';
import { formatDuration } from '../../time/duration.js';
import { differences } from '../facts/differences.js';
import { factLines, type Reference } from '../facts/end-state.js';
import { recoverable, respond } from './fault-kit.js';
import { place, ruleIdOf } from './placed.js';
import type { Found } from '../facts/raw.js';
import { normalForm, numberless } from '../facts/state.js';
import type { Fault, Placed, Point } from '../facts/types.js';

interface Entry {
  readonly at: unknown;
  readonly inbound?: { readonly phone?: string; readonly text?: string; readonly button?: string };
  readonly http?: { readonly url: string; readonly method?: string; readonly body?: unknown };
}
interface Step {
  readonly index: number;
  readonly ms: number;
  readonly entry: Entry;
}

export const crossing = 'crossing';
const slow = respond({ latency_real: '1500ms' });
/** A message that comes so much earlier is in time all the same, or too late. */
const longestMovedMs = 5 * 60_000;
/** A send so soon after a step belongs to it; a later one waited for something else. */
const soonMs = 5_000;

/** One for each two steps that mean the same: at the first send for a customer whose step is followed by the one of another customer. */
export function crossingsIn(timeline: readonly Entry[], points: readonly Point[]): Placed[] {
  const seen = new Set<string>();
  const sends = points.filter(({ kind }) => kind === 'message.send');
  const answerTo = ({ ms, entry }: Step, untilMs: number) => {
    const told = JSON.stringify(entry.inbound ?? entry.http?.body);
    const later = sends.filter(({ atMs }) => atMs >= ms && atMs < ms + soonMs);
    return later.find(({ to }) => to !== null && told.includes(to)) ?? later.find(({ atMs }) => atMs < untilMs);
  };
  return pairsIn(timeline).flatMap(([first, second]) => {
    const point = answerTo(first, second.ms);
    const other = second.entry.inbound?.phone ?? answerTo(second, Infinity)?.to;
    const isOwn = first.entry.inbound === undefined || first.entry.inbound.phone === point?.to;
    if (point === undefined || !isOwn || other === undefined || point.to === other) return [];
    const words = JSON.stringify([point.template, meaningOf(first.entry), meaningOf(second.entry)]);
    return seen.size === seen.add(words).size ? [] : [place(point, crossed(point, first, second))];
  });
}

/** Returns steps of customers of which one follows the other. */
function pairsIn(timeline: readonly Entry[]): (readonly [Step, Step])[] {
  const steps = timeline
    .map((entry, index) => ({ index, ms: typeof entry.at === 'string' ? parseOffset(entry.at) : Infinity, entry }))
    .filter(({ entry }) => !('until' in entry || 'wait' in entry))
    .sort((a, b) => a.ms - b.ms);
  return steps.flatMap((first, i) => {
    const second = steps[i + 1];
    if (second === undefined || second.ms - first.ms > longestMovedMs) return [];
    const [one, other] = [first.entry, second.entry];
    const areWritten = one.inbound !== undefined && other.inbound !== undefined;
    const areCalls = one.http?.body !== undefined && other.http?.body !== undefined && one.http.url === other.http.url;
    // It may be an answer to the first one.
    const isOwn = !JSON.stringify(other).includes('${');
    return (areWritten || areCalls) && isOwn ? [[first, second] as const] : [];
  });
}

const meaningOf = ({ inbound, http }: Entry) =>
  http === undefined ? [numberless(inbound?.text ?? ''), inbound?.button] : [http.method, http.url];

function crossed(point: Point, first: Step, second: Step): Fault {
  const after = { ...first.entry, at: `+${formatDuration(second.ms + 1000)}` };
  const control = recoverable(9, 'second-first', 'follows a message that comes after the next one', undefined, {
    replaced: { index: first.index, step: after },
  });
  const { inbound, http } = second.entry;
  const does =
    inbound?.phone === undefined
      ? `${http?.method ?? 'POST'} ${http?.url} is called for another customer`
      : `${inbound.phone} writes`;
  const words = `has no response yet when ${does}`;
  const fault = recoverable(3, crossing, words, slow, { control });
  return {
    ...fault,
    replaced: { index: second.index, step: { ...second.entry, at: { after: ruleIdOf({ point, fault }) } } },
  };
}

/**
 * Judges a difference from the run in which the first customer is answered before the second one writes: true if the application ends as
 * if the second one had written first; in a sentence why that is not known, or null for a break.
 */
export function ofCrossing({ controls, closeness }: Reference, { facts, said }: Found, { id }: Placed) {
  const control = controls.get(id) ?? null;
  if (control === null) return maySecondBeFirst;
  const isSame =
    isDeepStrictEqual(factLines(facts, closeness), factLines(control.facts, closeness)) &&
    differences(normalForm(control.said), normalForm(said)).length === 0;
  return isSame ? true : null;
}

const maySecondBeFirst = 'It may end as if the second customer had written first.';
