/**
 * The faults that are tried at a point. Those of this field come first: what the channel, the platform owner and the
 * customers do. Faults of any network follow; near-equal ones count as one.
 */
import { again, deliveryFaults } from './delivery-faults.js';
import {
  always,
  doing,
  faultsOf,
  final,
  once,
  outages,
  recoverable,
  respond,
  uncertain,
  webhook,
  type Then,
} from './fault-kit.js';
import { isRead } from './points.js';
import type { Fault, Placed, Point } from '../facts/types.js';

/** A message of which the channel reports nothing more once it was sent. */
export const unmoved = 'stuck';
export const swapping = 'swapped';

const limited = { status: 429, code: 'rate_limited' };
/** The code of a 503 that an exploration injects. */
export const unavailable = 'unavailable';
const down503 = { status: 503, code: unavailable };
/** A proxy's response, whose body is not JSON. */
const gateway = (status: number, words: string) => ({
  status,
  headers: { 'Content-Type': 'text/html' },
  body: `<html><body>${status} ${words}</body></html>`,
});
const failing = gateway(502, 'Bad Gateway');
const late504 = { ...gateway(504, 'Gateway Timeout'), accept: true };
const lost = { fault_real: 'reset', accept: true };
/** Longer than any run. */
const hang = { fault_real: 'hang', latency_real: '2m' };

const callFaults: readonly Fault[] = [
  recoverable(1, '503', 'gets a 503 once', respond(down503)),
  uncertain(2, 'reset-taken', 'is processed, but loses its response', respond(lost), { taken: true }),
  // A client that gives up before that does not know the outcome.
  uncertain(6, 'slow', 'succeeds, but its response takes 2 s', respond({ latency_real: '2s' }), {
    taken: true,
    ...once,
  }),
  recoverable(5, '429', 'gets a 429 once', respond({ ...limited, retry_after: '1s' }), once),
  uncertain(5, '502', 'gets a 502 with HTML once and is not processed', respond(failing), { taken: false, ...once }),
  uncertain(5, '504-taken', 'is processed, but gets a 504 with HTML', respond(late504), { taken: true, ...once }),
  uncertain(7, 'hang', 'never gets a response', respond(hang), once),
  uncertain(7, 'hang-taken', 'is processed, but never gets a response', respond({ ...hang, accept: true }), {
    ...{ taken: true, ...once },
  }),
];

const tardy = ['slow', 'hang', 'hang-taken'];

/** After these, only the number of calls counts: a correct application may give up after three rejections in a row. */
const threeTimes = respond({ ...limited, retry_after: '2s' }, { pick: { calls: '1..3' } });
const throttled = faultsOf('throttle')(4, 'throttled', 'gets a 429 with Retry-After: 2 three times', threeTimes, once);

/** No fault: shows what an application reports only of messages that arrive. */
export const stuck = final(9, unmoved, 'stays at sent', doing({ lifecycle: unmoved }));
/** No fault: shows whether an application that cannot look up a message treats it like one that has not arrived yet. */
const unarrived: Fault = { ...stuck, rule: doing({ lifecycle: unmoved }, always) };
/** Leaves the outcome of the message unknown. */
export const noLookup = outages(3, 'no-lookup', 'gets a 503, as does every later lookup', respond(down503, always), {
  ...once,
  control: unarrived,
});
const failsAtOnce: Then = { lifecycle: 'undeliverable' };
/** A control: shows whether the application says that the message failed, if the event comes after the response. */
const fails = final(9, 'fails', 'fails', doing(failsAtOnce));
const failsFirst = final(
  3,
  'failed-first',
  'fails, and the event comes before its response',
  doing({ ...failsAtOnce, respond: { latency_real: '1500ms' } }),
  { ...once, control: fails },
);
/** Nothing failed yet, so only a claim that it arrived is wrong. */
const stays = faultsOf('throttle')(4, unmoved, 'stays at sent', doing({ lifecycle: unmoved }), once);

/** A response so late that the next one overtakes it. */
const overtakenBy = respond({ latency_real: '2500ms' });
/** No fault: shows whether an application waits for such a response. */
const lateResponse = recoverable(9, 'late-response', 'succeeds, but its response comes late', overtakenBy);
/** @param hurriesMs when the next call to the same customer has been made */
export const overtaken = (hurriesMs: number): Fault =>
  recoverable(2, 'overtaken', 'succeeds, but its response comes after the one of the next such call', overtakenBy, {
    ...{ hurriesMs, needsNext: true, control: lateResponse },
  });

/** True if a fault leaves nothing behind. */
export const isPassing = ({ fault }: Placed): boolean => fault.class === 'recoverable' && fault.id !== swapping;

export const later: Readonly<Record<string, string>> = { sent: 'delivered', delivered: 'read' };
export const outOfOrder = 'out-of-order';
export const expiring = 'code-expired';
export const locking = 'code-locked';

/** @param steered whether the story moves the clock, so that account time can pass in a fault */
export function faultsAt(point: Point, steered: boolean): readonly Fault[] {
  const { kind, match, when } = point;
  if (kind === 'service') return [outage(point, steered)];
  if (when === 'webhook.deliver') {
    const after = kind === 'message.status' ? later[String(match['status'])] : undefined;
    const held = webhook({ hold_until: { status: after } });
    // Each message of a customer means something else, while events of one kind do not. A suite that waits in real time ends before that.
    const repeated = !steered ? [] : kind === 'message.received' ? [again] : [{ ...again, ...once }];
    const overtaking = after ? [recoverable(2, outOfOrder, `comes after ${after}`, held)] : [];
    return [...overtaking, ...repeated, ...deliveryFaults];
  }
  // A call that changes nothing can be repeated after any fault. A late response may use up the time in which the application looks.
  if (isRead(point)) {
    const isSure = ({ id, class: of }: Fault) => of === 'uncertain' && !tardy.includes(id);
    const all = callFaults.map((each) => (isSure(each) ? { ...each, class: 'recoverable' as const } : each));
    return kind === 'message.get' ? [...all, noLookup] : all;
  }
  // Of a registration at the start, what is near-equal counts as one.
  const nearEqual = kind === 'webhook.create' ? ['429', '502'] : [];
  const own = ownFaults[kind]?.(point) ?? [];
  return [...own, ...callFaults.filter(({ id }) => !nearEqual.includes(id)), throttled];
}

/** Four calls long if the application waits in real time, or if a test sets its clock to before its account began. */
function outage({ nth, atMs, sinceMs }: Point, steered: boolean): Fault {
  const isTimed = steered && atMs >= 0;
  const words = isTimed ? 'is down for ten minutes: every call gets' : 'is down for a while: four calls in a row get';
  const conditions = isTimed
    ? {
        pick: sinceMs === undefined ? { calls: `${nth}..` } : {},
        active: {
          ...(sinceMs !== undefined && { after: `+${sinceMs / 1000}s` }),
          before: `+${Math.ceil(atMs / 1000) + 600}s`,
        },
      }
    : { pick: { calls: `${nth}..${nth + 3}` } };
  return outages(2, 'outage', `${words} a 503`, respond(down503, conditions));
}

/** A dialect can set their statuses. */
const invalid = { code: 'validation_error', message: 'The call is not valid.' };
const notApproved = respond({ code: 'template_not_approved' }, always);
const locked = respond({ code: 'otp_max_attempts' }, always);
const rejected = doing({ review: { status: 'rejected', after: '1s', because: 'Reads like marketing.' } });
const slowReview = doing({ review: { status: 'approved', after: '20m' } });
const unknownAt = ({ event }: Point) => ({
  emit: { type: event ?? 'message.status', webhook: { body: 'unknown_type' } },
});

const ownFaults: Readonly<Record<string, (point: Point) => Fault[]>> = {
  'message.send': ({ batch, nth, match: { type } }) => [
    ...(batch === true
      ? [
          final(1, 'entry-refused', 'is rejected for its first recipient', doing({ refuse: {} })),
          final(
            2,
            'entry-refused-last',
            'is rejected for its first recipient, whose result comes last',
            doing({ refuse: {}, respond: { results: 'reversed' } }),
          ),
          recoverable(
            2,
            'results-reversed',
            'gets the results of its recipients in reverse order',
            respond({ results: 'reversed' }),
          ),
          final(2, 'refused', 'is rejected as a whole', respond(invalid, always)),
          // The application repeats that entry alone, or says that it failed.
          outages(
            3,
            'entry-limited',
            'is rejected for its first recipient for now',
            doing({ refuse: { code: 'rate_limited' } }),
          ),
        ]
      : [final(2, 'refused', 'is rejected for this customer', doing({ refuse: { code: 'undeliverable' } }, always))]),
    ...(type === 'template' ? [] : [final(1, 'window-closed', 'finds the window closed', doing({ window: 'closed' }))]),
    final(2, 'blocked', 'goes to a customer who blocks us', doing({ lifecycle: 'blocked' })),
    failsFirst,
    stays,
    // An application that gives up must not report the message as sent. The state need not contain the outcome of a reply.
    ...(type === 'template'
      ? [outages(3, 'no-send', 'gets a 503, as does every later such message', respond(down503, always))]
      : []),
    ...(type === 'template' && batch !== true
      ? [final(3, 'template-paused', 'finds its template paused', notApproved, once)]
      : []),
    // An application that gives up here can still send the reply when the event comes again.
    ...(type === 'template' || batch === true
      ? []
      : [
          faultsOf('throttle')(
            4,
            'busy',
            'gets a 503 four times',
            respond(down503, { pick: { calls: `${nth}..${nth + 3}` } }),
            once,
          ),
        ]),
    recoverable(3, 'event-first', 'has events that come before its response', respond({ latency_real: '1500ms' })),
  ],
  'otp.send': () => [
    // The fault applies to every code of the customer, because the next correct code would hide the error.
    recoverable(1, 'leading-zero', 'sends codes that start with a zero', doing({ otp: { code: '04204204' } }, always)),
    final(2, expiring, 'sends a code that expires immediately', doing({ otp: { expires: '1ms' } })),
  ],
  'otp.verify': () => [
    final(2, locking, 'finds the code locked', locked),
    // An application that gives up must let nobody in.
    outages(2, 'no-check', 'gets a 503, as does every later check', respond(down503, always)),
  ],
  'template.create': () => [
    final(1, 'rejected', 'ends in a rejection', rejected),
    // An application need not wait for so long, but then it says so.
    outages(2, 'review-slow', 'is approved only after 20 minutes', slowReview),
  ],
  'webhook.create': (point) => [
    recoverable(2, 'unknown-event', 'is followed by an event of an unknown type', undefined, unknownAt(point)),
  ],
};
