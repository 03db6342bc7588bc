/** Faults that need to know the whole story, such as a story that goes on before a call is repeated. */
import { unlike } from '../facts/alike.js';
import { attemptAt } from '../../domain/retry-schedule.js';
import { crossingsIn } from './crossing.js';
import { deliveredAgain } from './delivery-faults.js';
import { overtaken } from './faults.js';
import { lateEventsIn, longestHeldMs } from './late-events.js';
import { optOutsIn } from './opt-out.js';
import { newCodesIn } from './new-code.js';
import { overlapsIn, type Entry } from './overlap.js';
import { place } from './placed.js';
import type { Fault, Placed, Point } from '../facts/types.js';

interface Story {
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly timeline: readonly unknown[];
  /** Times of the steps that reach the application, in account milliseconds. */
  readonly stepsMs: readonly number[];
}

/** Until then, the first five attempts are made. */
const longestAgainMs = 2 * 3_600_000;
/** An application has been reached so long after the time of a step. */
const soonMs = 1_000;
/** The last digits of an unknown customer's number: whichever the story does not have. */
const strangers = ['977', '978', '979'];
/** Kinds of calls by which a customer gets something. */
const sends = ['message.send', 'otp.send'];

export const storyFaultsIn = (story: Story, points: readonly Point[]): Placed[] => [
  ...lateEventsIn(story.timeline as readonly Entry[], story.stepsMs, unlike(points)),
  ...againIn(unlike(points)),
  ...hurriesIn(story, points),
  ...optOutsIn(checksOf(story), story.timeline as Parameters<typeof optOutsIn>[1], story.stepsMs, points),
  ...newCodesIn(story.timeline, points),
  ...overtakenIn(points),
  ...overlapsIn(story.timeline as readonly Entry[], points),
  ...crossingsIn(story.timeline as Parameters<typeof crossingsIn>[0], points),
  ...extrasIn(points),
];

const checksOf = ({ scenario }: Pick<Story, 'scenario'>) =>
  (scenario['expect'] ?? []) as readonly Readonly<Record<string, unknown>>[];

/**
 * A message of a customer is delivered again after their next one: an application may remember the latest event only. The next one is
 * delivered again as well.
 */
function againIn(points: readonly Point[]): Placed[] {
  const customers = new Set<string | null>();
  return points.flatMap((point, i) => {
    if (point.kind !== 'message.received' || customers.has(point.to)) return [];
    const next = points.slice(i + 1).find(({ kind, to }) => kind === point.kind && to === point.to);
    if (!next || next.atMs - point.atMs > longestAgainMs) return [];
    customers.add(point.to);
    const match = { attempts: { max: attemptAt(next.atMs - point.atMs) } };
    const fault: Fault = {
      ...({ id: 'again-later', class: 'recoverable', rank: 2 } as const),
      words: 'is delivered again after the next message of this customer',
      rule: { match, pick: {}, then: deliveredAgain },
    };
    return [place(point, fault)];
  });
}

/**
 * Only a check that forbids something can tell what must not happen after events that come while a call waits: the last send to
 * a customer before each of its messages first, beginning with customers whom such a check names; then the last one before each step.
 */
function hurriesIn({ stepsMs, ...story }: Story, points: readonly Point[]): Placed[] {
  const forbidding = checksOf(story).filter(({ max, count }) => max === 0 || count === 0);
  if (forbidding.length === 0) return [];
  const fault = {
    ...({ id: 'hurry', class: 'throttle', rank: 2 } as const),
    words: 'gets a 503, and the story goes on before it is repeated',
    rule: { then: { respond: { status: 503, retry_after: '3s' } } },
  };
  const messages = points.filter(({ kind }) => kind === 'message.send');
  const named = JSON.stringify(forbidding);
  const isNamed = ({ to }: Point) => Number(to !== null && named.includes(to));
  const written = points
    .filter(({ kind }) => kind === 'message.received')
    .toReversed()
    .sort((a, b) => isNamed(b) - isNamed(a));
  const before = new Map<Point, number>();
  const goOn = (ms: number, point: Point | undefined) => {
    if (point && !before.has(point)) before.set(point, ms + soonMs);
  };
  for (const { to, atMs } of written)
    goOn(
      atMs,
      messages.findLast((one) => one.to === to && one.atMs < atMs),
    );
  for (const ms of stepsMs)
    goOn(
      ms,
      messages.findLast(({ atMs }) => atMs < ms),
    );
  return [...before].map(([point, hurriesMs]) => place(point, { ...fault, hurriesMs }));
}

/** A response comes after the one of the next such call to the same customer: for example, of a code that was asked for again. */
function overtakenIn(points: readonly Point[]): Placed[] {
  const templates = new Set<string | null>();
  return points.flatMap((point, i) => {
    const { kind, to, template, batch } = point;
    if (!sends.includes(kind) || to === null || batch === true) return [];
    const isNext = (one: Point) => one.kind === kind && one.to === to && one.template === template;
    const next = points.slice(i + 1).find(isNext);
    if (next === undefined || next.atMs - point.atMs > longestHeldMs) return [];
    // Of messages, the first of each template shows it; of codes, each has another story.
    if (kind === 'message.send' && templates.size === templates.add(template).size) return [];
    return [place(point, overtaken(next.atMs + soonMs))];
  });
}

/** Customers write what the story does not foresee; somebody whom the application does not know writes as well. */
function extrasIn(points: readonly Point[]): Placed[] {
  const received = points.find(({ kind }) => kind === 'message.received');
  if (!received) return [];
  const { to, atMs } = received;
  if (to === null) return [];
  const customers = new Set(points.map((one) => one.to));
  const stranger = strangers.map((digits) => to.slice(0, -digits.length) + digits).find((one) => !customers.has(one));
  const point = { ...received, atMs: Math.ceil(atMs / 1000) * 1000 };
  const extra = (id: string, words: string, inbound: Readonly<Record<string, string>>) =>
    place(point, { id, words, class: 'extra', rank: 2, inbound });
  return [
    extra('image', 'is followed by an image without text', { phone: to, url: 'https://media.example/explore.jpg' }),
    extra('emoji', 'is followed by an emoji', { phone: to, text: '👍' }),
    ...(stranger === undefined
      ? []
      : [
          extra('stranger', 'is followed by a message of an unknown customer', {
            phone: stranger,
            text: 'Who is this?',
          }),
        ]),
  ];
}
