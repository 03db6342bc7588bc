/** The faults that are tried at a point, the gentlest first. */
import { isRead } from './points.js';
import type { Fault, Placed, Point, RuleInput } from './types.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const late = (what: string) =>
  `${what} comes 2 h late while the users of the story continue. Whether the end can be the same depends on them.`;

const callFaults: readonly Fault[] = [
  respond('429', 'is answered 429 once', 'recoverable', 1, { status: 429, code: 'rate_limited', retry_after: '1s' }),
  respond('503', 'is answered 503 once', 'recoverable', 1, { status: 503, code: 'unavailable' }),
  respond('500', 'is answered 500 once and not processed', 'uncertain', 2, { status: 500, code: 'internal_error' }),
  respond('500 taken', 'is processed but answered 500', 'uncertain', 2, {
    status: 500,
    code: 'internal_error',
    accept: true,
  }),
  respond('reset', 'loses its connection before it is processed', 'uncertain', 3, { fault_real: 'reset' }),
  respond('reset taken', 'is processed, but the connection breaks before the response', 'uncertain', 3, {
    fault_real: 'reset',
    accept: true,
  }),
  respond('cut short', 'is processed, but its response is truncated', 'uncertain', 4, { fault_real: 'truncate' }),
  respond('hang', 'never gets a response', 'uncertain', 6, { fault_real: 'hang' }),
];

function respond(
  id: string,
  words: string,
  of: Fault['class'],
  rank: number,
  slot: Readonly<Record<string, unknown>>,
): Fault {
  const taken = slot['accept'] === true || slot['fault_real'] === 'truncate';
  const isHang = slot['fault_real'] === 'hang';
  return {
    id,
    words,
    class: of,
    ...(!isHang && { taken }),
    lastsMs: isHang ? MINUTE : 1000,
    rank,
    then: { respond: slot },
  };
}

/** After these, only the number of calls counts: a correct application may give up after six rejections in a row. */
const throttled: Fault = {
  id: 'throttled',
  words: 'is answered 429 with Retry-After: 2 six times',
  class: 'throttle',
  lastsMs: 12_000,
  rank: 3,
  pick: { first: 6 },
  then: { respond: { status: 429, code: 'rate_limited', retry_after: '2s' } },
};

const deliver = (
  id: string,
  words: string,
  rank: number,
  lastsMs: number,
  webhook: Readonly<Record<string, unknown>>,
  more: Partial<Fault> = {},
): Fault => ({ id, words, class: 'recoverable', rank, lastsMs, then: { webhook }, ...more });

const firstAttempt = { match: { attempt: 1 } };

const deliveryFaults: readonly Fault[] = [
  deliver('doubled', 'is delivered twice', 1, 0, { duplicate: 1 }),
  deliver('late 90 s', 'is delivered 90 s late', 1, 90_000, { delay: '90s' }),
  deliver('refused', 'fails once with 503 and is retried', 2, MINUTE, { receiver: { simulate: 503 } }, firstAttempt),
  deliver('timed out', 'times out once and is retried', 2, MINUTE, { receiver: { simulate: 'timeout' } }, firstAttempt),
  deliver(
    'answered late',
    'is handled, but its response comes too late, so that it is retried',
    2,
    MINUTE,
    { receiver: { simulate: 'timeout', contacted: true } },
    firstAttempt,
  ),
  deliver('reformatted', 'arrives with other spacing and escapes, correctly signed', 3, 0, { body: 'reformatted' }),
  deliver('forged before', 'arrives after a forged request with its id', 3, 1000, { forged_copy: 'before' }),
  deliver('forged after', 'arrives before a forged request with its id', 3, 1000, { forged_copy: 'after' }),
];

const next: Readonly<Record<string, string>> = { sent: 'delivered', delivered: 'read' };

/** Returns the faults that can happen at this point. */
export function faultsAt(point: Point, isFirstOfKind: boolean): Fault[] {
  if (point.kind === 'receiver') return receiverFaults;
  if (point.when === 'webhook.deliver') return faultsOfDelivery(point);
  const { kind, match } = point;
  const reads = isRead(point);
  const calls = callFaults.map((fault) => (reads && fault.class === 'uncertain' ? safe(fault) : fault));
  return [
    ...(reads ? calls.filter(({ taken, id }) => taken !== true || id === 'cut short') : calls),
    ...(isFirstOfKind && !reads ? [throttled] : []),
    ...(own[kind]?.(match) ?? []),
  ];
}

/** Returns whether a call changes nothing, so that it can be repeated after any fault. */
const safe = (fault: Fault): Fault => ({ ...fault, class: 'recoverable' });

function faultsOfDelivery({ kind, match }: Point): Fault[] {
  const after = kind === 'message.status' ? next[String(match['status'])] : undefined;
  const later = deliver(
    'late 2 h',
    'is delivered 2 h late',
    4,
    2 * HOUR,
    { delay: '2h' },
    { doubt: late('The event') },
  );
  return [
    ...deliveryFaults,
    ...(after === undefined
      ? []
      : [deliver('out of order', `comes after ${after}`, 2, 1000, { hold_until: { status: after } })]),
    later,
  ];
}

const down = (id: string, hours: number, rank: number): Fault => ({
  id,
  words: `is down for the first ${hours} h`,
  class: 'recoverable',
  // After a downtime, the retry comes within an hour.
  lastsMs: (hours + 1) * HOUR,
  rank,
  doubt: 'The receiver is down while the users of the story continue. Whether the end can be the same depends on them.',
  pick: {},
  active: { from: '+0s', to: `+${hours}h` },
  then: { webhook: { receiver: { simulate: 503 } } },
});
const receiverFaults = [down('down 2 h', 2, 5), down('down 25 h', 25, 6)];

const final = (id: string, words: string, rank: number, then: RuleInput['then'], more: Partial<Fault> = {}): Fault => ({
  id,
  words,
  class: 'final',
  lastsMs: 0,
  rank,
  then,
  ...more,
});

/** Returns the faults that only this operation can have. */
const own: Readonly<Record<string, (match: Point['match']) => Fault[]>> = {
  'message.send': ({ batch, type }) => [
    final('blocked', 'goes to a customer who blocks us', 5, { lifecycle: 'blocked' }),
    ...(batch === true ? [final('entry refused', 'is rejected for its first recipient', 4, { refuse: {} })] : []),
    ...(type === 'template' ? [] : [final('window closed', 'finds the window closed', 5, { window: 'closed' })]),
  ],
  'otp.send': () => [
    {
      id: 'leading zero',
      // The fault applies to every code of the customer, because the next correct code would hide the error.
      words: 'sends codes that start with a zero',
      class: 'recoverable',
      lastsMs: 0,
      rank: 1,
      pick: {},
      then: { otp: { code: '04204204' } },
    },
    final('code expired', 'sends a code that expires immediately', 5, { otp: { expires: '1ms' } }),
  ],
  'template.create': () => [
    final('rejected', 'ends in a rejection', 5, {
      review: { reject: true, after: '1s', reason: 'Reads like marketing.' },
    }),
    final('paused', 'is approved and paused a minute later', 5, {
      review: { approve: true, after: '1s', later: [{ paused: '1m' }] },
    }),
    {
      id: 'review 2 h',
      words: 'is approved after 2 h',
      class: 'recoverable',
      lastsMs: 2 * HOUR,
      rank: 4,
      doubt: late('The review'),
      then: { review: { approve: true, after: '2h' } },
    },
  ],
};

/** Returns the id of the rule that injects a fault, for reports and scenario files. */
export function ruleId({ point, fault }: Placed): string {
  return `${point.kind} ${point.nth} ${fault.id}`.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

/** Returns the rule of a fault at its point, in the form of a scenario file. */
export function ruleOf({ point, fault }: Placed, id: string): RuleInput | null {
  const { pick = { nth: point.nth }, active, then } = fault;
  if (then === undefined) return null;
  // The number is counted per recipient, so a rule for one recipient of a batch could apply to another call.
  return {
    id,
    when: fault.when ?? point.when,
    ...(Object.keys({ ...point.match, ...fault.match }).length > 0 && { match: { ...point.match, ...fault.match } }),
    ...(Object.keys(pick).length > 0 && { pick }),
    ...(active && { active }),
    then,
  };
}
