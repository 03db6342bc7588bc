/** Two customers who write at the same time: the second one while the application still answers the first one. */
import { isDeepStrictEqual } from 'node:util';
import { parseOffset } from '../language/durations.js';
import { formatDuration } from '../time/duration.js';
import { differences } from './differences.js';
import { factLines, type Reference } from './end-state.js';
import { recoverable, respond } from './fault-kit.js';
import { place, ruleIdOf } from './placed.js';
import type { Found } from './raw.js';
import { normalForm, numberless } from './state.js';
import type { Fault, Placed, Point } from './types.js';

interface Entry {
  readonly at: unknown;
  readonly inbound?: { readonly phone?: string; readonly text?: string; readonly button?: string };
}
interface Written {
  readonly index: number;
  readonly ms: number;
  readonly entry: Entry & { readonly inbound: { readonly phone: string } };
}

export const crossing = 'crossing';
const slow = respond({ latency_real: '1500ms' });
/** A message that comes so much earlier is in time all the same, or too late. */
const longestMovedMs = 5 * 60_000;

/** One for each pair of messages: at the first send for a message that is followed by the one of another customer. */
export function crossingsIn(timeline: readonly Entry[], points: readonly Point[]): Placed[] {
  const seen = new Set<string>();
  return pairsIn(timeline).flatMap(([first, second]) => {
    const isAnswer = ({ kind, to, atMs }: Point) =>
      kind === 'message.send' && to === first.entry.inbound.phone && atMs >= first.ms && atMs < second.ms;
    const point = points.find(isAnswer);
    const words = JSON.stringify([point?.template, ...[first, second].map(({ entry }) => meaningOf(entry))]);
    return point === undefined || seen.size === seen.add(words).size
      ? []
      : [place(point, crossed(point, first, second))];
  });
}

function pairsIn(timeline: readonly Entry[]): (readonly [Written, Written])[] {
  const steps = timeline
    .map((entry, index) => ({ index, ms: typeof entry.at === 'string' ? parseOffset(entry.at) : Infinity, entry }))
    .filter(({ entry }) => !('until' in entry || 'wait' in entry))
    .sort((a, b) => a.ms - b.ms);
  return steps.flatMap((first, i) => {
    const second = steps[i + 1];
    if (second === undefined || !isWritten(first) || !isWritten(second)) return [];
    const isApart = second.ms > first.ms && second.ms - first.ms <= longestMovedMs;
    return isApart && second.entry.inbound.phone !== first.entry.inbound.phone ? [[first, second] as const] : [];
  });
}

const isWritten = (step: { readonly entry: Entry }): step is Written => step.entry.inbound?.phone !== undefined;

const meaningOf = ({ inbound: { text, button, ...rest } = {} }: Entry) =>
  [numberless(text ?? ''), button, Object.keys(rest)] as const;

function crossed(point: Point, first: Written, second: Written): Fault {
  const after = { ...first.entry, at: `+${formatDuration(second.ms + 1000)}` };
  const control = recoverable(9, 'second-first', 'follows a message that comes after the next one', undefined, {
    replaced: { index: first.index, step: after },
  });
  const words = `has no response yet when ${second.entry.inbound.phone} writes`;
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
