/** Faults that need to know the whole story: an event that another one overtakes, and a story that goes on before a call is repeated. */
import { formatDuration } from '../time/duration.js';
import { place } from './placed.js';
import type { Fault, Placed, Point } from './types.js';

interface Story {
  readonly scenario: Readonly<Record<string, unknown>>;
  /** Times of the steps that reach the application, in account milliseconds. */
  readonly stepsMs: readonly number[];
}

/** An event is not held for longer: by then, it would be another story. */
const longestHeldMs = 30 * 60_000;
/** The next event comes before the one that is held. */
const overtakenMs = 5_000;

export const storyFaultsIn = (story: Story, points: readonly Point[]): Placed[] => [
  ...swapsIn(story, points),
  ...hurriesIn(story, points),
];

/** Two messages of a customer arrive in the other order. */
function swapsIn({ stepsMs }: Story, points: readonly Point[]): Placed[] {
  return points.flatMap((point, i) => {
    if (point.kind !== 'message.received') return [];
    const next = points.slice(i + 1).find(({ kind, to }) => kind === point.kind && to === point.to);
    if (!next || next.atMs - point.atMs > longestHeldMs) return [];
    const delay = formatDuration(Math.ceil((next.atMs - point.atMs) / 1000) * 1000 + overtakenMs);
    const fault: Fault = {
      ...{ id: 'swapped', words: 'comes after the next message of this customer', class: 'recoverable', rank: 2 },
      rule: { then: { webhook: { delay } } },
      // A step between them may need the first one.
      answered:
        stepsMs.some((ms) => ms > point.atMs && ms <= next.atMs) ||
        points.some(
          ({ kind, to, atMs }) => kind === 'message.send' && to === point.to && atMs >= point.atMs && atMs <= next.atMs,
        ),
    };
    return [place(point, fault)];
  });
}

/**
 * Only a check that forbids something can tell what must not happen after events that come while a call waits: the last send to
 * a customer before each of its messages first, beginning with customers whom such a check names; then the last one before each step.
 */
function hurriesIn({ scenario, stepsMs }: Story, points: readonly Point[]): Placed[] {
  const checks = (scenario['expect'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  const forbidding = checks.filter(({ max, count }) => max === 0 || count === 0);
  if (forbidding.length === 0) return [];
  const fault: Fault = {
    ...{ id: 'hurry', class: 'throttle', rank: 2, hurries: true },
    words: 'gets a 503, and the story goes on before it is repeated',
    rule: { then: { respond: { status: 503, retry_after: '3s' } } },
  };
  const sends = points.filter(({ kind }) => kind === 'message.send');
  const named = JSON.stringify(forbidding);
  const isNamed = ({ to }: Point) => Number(to !== null && named.includes(to));
  const written = points
    .filter(({ kind }) => kind === 'message.received')
    .toReversed()
    .sort((a, b) => isNamed(b) - isNamed(a));
  const before = [
    ...written.flatMap(({ to, atMs: ms }) => sends.findLast((one) => one.to === to && one.atMs < ms) ?? []),
    ...stepsMs.flatMap((ms) => sends.findLast(({ atMs }) => atMs < ms) ?? []),
  ];
  return [...new Set(before)].map((point) => place(point, fault));
}
