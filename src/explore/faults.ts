/**
 * The faults that are tried at a point. Those of this field come first: what the channel, the platform owner and the
 * customers do. Faults of any network follow, and of near-equal ones only one in the first round.
 */
import { isRead } from './points.js';
import type { Fault, FaultClass, Point, RuleInput } from './types.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Then = RuleInput['then'];

const fault = (
  id: string,
  words: string,
  of: FaultClass,
  rank: number,
  then: Then | undefined,
  more: Partial<Fault> = {},
): Fault => ({
  id,
  words,
  class: of,
  rank,
  ...(then && { then }),
  ...more,
});

const respond = (slot: Readonly<Record<string, unknown>>): Then => ({ respond: slot });
const [unavailable, failing] = [
  { status: 503, code: 'unavailable' },
  { status: 500, code: 'internal_error' },
];

const callFaults: readonly Fault[] = [
  fault('503', 'is answered 503 once', 'recoverable', 1, respond(unavailable)),
  fault(
    '429',
    'is answered 429 once',
    'recoverable',
    5,
    respond({ status: 429, code: 'rate_limited', retry_after: '1s' }),
  ),
  fault('slow', 'succeeds, but its response takes 3 s', 'recoverable', 4, respond({ latency_real: '3s' })),
  fault(
    'reset-taken',
    'is processed, but the connection breaks before the response',
    'uncertain',
    2,
    respond({ fault_real: 'reset', accept: true }),
    { taken: true },
  ),
  fault('500', 'is answered 500 once and not processed', 'uncertain', 5, respond(failing), { taken: false }),
  // Near-equal to those above.
  fault('500-taken', 'is processed but answered 500', 'uncertain', 21, respond({ ...failing, accept: true }), {
    taken: true,
  }),
  fault('reset', 'loses its connection before it is processed', 'uncertain', 22, respond({ fault_real: 'reset' }), {
    taken: false,
  }),
  fault(
    'cut-short',
    'is processed, but its response is truncated',
    'uncertain',
    23,
    respond({ fault_real: 'truncate' }),
    { taken: true },
  ),
  fault('hang', 'never gets a response', 'uncertain', 24, respond({ fault_real: 'hang' })),
];

/** After these, only the number of calls counts: a correct application may give up after six rejections in a row. */
const throttled = fault(
  'throttled',
  'is answered 429 with Retry-After: 2 six times',
  'throttle',
  6,
  respond({ status: 429, code: 'rate_limited', retry_after: '2s' }),
  { pick: { first: 6 }, lastsMs: 12_000 },
);

const first = { match: { attempt: 1 }, lastsMs: MINUTE };

const deliveryFaults: readonly Fault[] = [
  fault('twice', 'is delivered twice', 'recoverable', 1, { webhook: { duplicate: 1 } }),
  fault('forged', 'arrives after a forged request with its id', 'recoverable', 2, {
    webhook: { forged_copy: 'before' },
  }),
  fault(
    'retried',
    'fails once with 503 and is retried',
    'recoverable',
    5,
    { webhook: { receiver: { simulate: 503 } } },
    first,
  ),
  fault(
    'answered-late',
    'is handled, but its response comes too late, so that it is retried',
    'recoverable',
    4,
    { webhook: { receiver: { simulate: 'timeout', contacted: true } } },
    first,
  ),
  fault('late', 'is delivered 90 s late', 'recoverable', 6, { webhook: { delay: '90s' } }, { lastsMs: 90_000 }),
  fault('reformatted', 'arrives with other spacing and escapes, correctly signed', 'recoverable', 7, {
    webhook: { body: 'reformatted' },
  }),
  fault('forged-after', 'arrives before a forged request with its id', 'recoverable', 25, {
    webhook: { forged_copy: 'after' },
  }),
];

const next: Readonly<Record<string, string>> = { sent: 'delivered', delivered: 'read' };

/** @param steered whether the story moves the clock, so that account time can pass in a fault */
export function faultsAt(point: Point, steered: boolean): Fault[] {
  const { kind, match, when } = point;
  if (kind === 'receiver') return steered ? [down] : [];
  if (kind === 'service') return [outage(point, steered)];
  if (when === 'webhook.deliver') return deliveries(point);
  const own = ownFaults[kind]?.(match) ?? [];
  if (!isRead(point)) return [...own, ...callFaults, throttled];
  // A call that changes nothing can be repeated after any fault.
  const safe = callFaults.filter(({ id, taken }) => taken !== true || id === 'cut-short');
  return [
    ...own,
    ...safe.map((each) => (each.class === 'uncertain' ? { ...each, class: 'recoverable' as const } : each)),
  ];
}

function deliveries({ kind, match }: Point): Fault[] {
  const after = kind === 'message.status' ? next[String(match['status'])] : undefined;
  const disordered = fault('out-of-order', `comes after ${after ?? ''}`, 'recoverable', 2, {
    webhook: { hold_until: { status: after } },
  } as Then);
  return [...(after === undefined ? [] : [disordered]), ...deliveryFaults];
}

/** The endpoint is paused after 24 h; an application can see that in its list of endpoints. */
const down = fault(
  'down',
  'is down for the first 25 h',
  'recoverable',
  26,
  { webhook: { receiver: { simulate: 503 } } },
  {
    pick: {},
    active: { from: '+0s', to: '+25h' },
    lastsMs: 26 * HOUR,
  },
);

/** Where the application waits in real time, the outage is as long as four calls. */
function outage({ nth, atMs }: Point, steered: boolean): Fault {
  const words = steered
    ? 'is down for ten minutes: every call is answered 503'
    : 'is down for a while: four calls in a row are answered 503';
  const until = `+${Math.ceil(atMs / 1000) + 600}s`;
  return fault('outage', words, 'outage', 2, respond(unavailable), {
    pick: steered ? { after: nth - 1 } : { between: [nth, nth + 3] },
    ...(steered && { active: { from: '+0s', to: until } }),
    lastsMs: 10 * MINUTE,
  });
}

const final = (id: string, words: string, rank: number, then: Then, more: Partial<Fault> = {}): Fault =>
  fault(id, words, 'final', rank, then, more);

const locked = { status: 429, code: 'otp_max_attempts' };

/** Returns the faults that only this operation can have. */
const ownFaults: Readonly<Record<string, (match: Point['match']) => Fault[]>> = {
  'message.send': ({ batch, type }) => [
    ...(batch === true ? [final('entry-refused', 'is rejected for its first recipient', 1, { refuse: {} })] : []),
    ...(type === 'template' ? [] : [final('window-closed', 'finds the window closed', 1, { window: 'closed' })]),
    final('blocked', 'goes to a customer who blocks us', 2, { lifecycle: 'blocked' }),
    ...(type === 'template' && batch !== true
      ? [
          final(
            'template-paused',
            'finds its template paused',
            3,
            respond({ status: 400, code: 'template_not_approved' }),
          ),
        ]
      : []),
    fault(
      'event-first',
      'is processed at once, but its events come before its response',
      'recoverable',
      3,
      respond({ latency_real: '1200ms' }),
    ),
  ],
  'otp.send': () => [
    // The fault applies to every code of the customer, because the next correct code would hide the error.
    fault(
      'leading-zero',
      'sends codes that start with a zero',
      'recoverable',
      1,
      { otp: { code: '04204204' } },
      { pick: {} },
    ),
    final('code-expired', 'sends a code that expires immediately', 2, { otp: { expires: '1ms' } }),
  ],
  'otp.verify': () => [final('code-locked', 'finds the code locked', 2, respond(locked), { pick: {} })],
  'template.create': () => [
    final('rejected', 'ends in a rejection', 1, {
      review: { reject: true, after: '1s', reason: 'Reads like marketing.' },
    }),
    final('paused', 'is approved and paused a minute later', 8, {
      review: { approve: true, after: '1s', later: [{ paused: '1m' }] },
    }),
  ],
  'webhook.create': () => [
    fault('unknown-event', 'is followed by an event of an unknown type', 'recoverable', 2, undefined, {
      emit: { type: 'message.status', webhook: { body: 'unknown_type' } },
    }),
  ],
};
