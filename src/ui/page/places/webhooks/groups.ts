import type { Attempt, Delivery, Endpoint } from '../../core/records.js';
import { counted, momentWords, parsed } from '../../core/words.js';

export interface Group {
  readonly at: number;
  readonly all: readonly Delivery[];
  /** The one that most needs attention. */
  readonly worst: Delivery;
}

/** The later, the more it needs attention. */
const order: readonly Delivery['state'][] = ['delivered', 'pending', 'dropped', 'held', 'retrying', 'failed'];

export function groupsOf(rows: readonly Delivery[]): Group[] {
  const groups: { at: number; all: Delivery[] }[] = [];
  rows.forEach((row, at) => {
    const last = groups.at(-1);
    if (last?.all[0]?.event_id === row.event_id) last.all.push(row);
    else groups.push({ at, all: [row] });
  });
  return groups.map(({ at, all }) => ({
    at,
    all,
    worst: all.reduce((worst, each) => (order.indexOf(each.state) > order.indexOf(worst.state) ? each : worst)),
  }));
}

/** The subject of a delivery, read from the bytes of its event: a number or a name, a message, and a status. */
export function subjectOf({ event_type: type, payload }: Delivery) {
  const { data } = Object(parsed(payload)) as { data?: Readonly<Record<string, unknown>> };
  const text = (name: string) => (typeof data?.[name] === 'string' ? data[name] : null);
  const received = type === 'message.received';
  // The customer is the sender of an inbound message, otherwise the recipient.
  const words = text(type === 'template.status' ? 'name' : received ? 'from' : 'to') ?? '';
  return { words, messageId: text('message_id'), status: received ? null : text('status') };
}

export const pauseAfterMs = 86_400_000;
/** Gaps after the first, second and third attempt; every later gap is an hour. */
const gaps = ['+1 m', '+5 m', '+30 m'];
export const mostAttempts = 27;

/** Attempts since the latest redelivery, which starts the schedule again. */
export function currentRun(attempts: readonly Attempt[]): readonly Attempt[] {
  const start = attempts.findLastIndex(({ trigger }) => trigger === 'redelivery');
  return attempts.slice(Math.max(0, start));
}

/** `Failed twice, next 18:24:00, then +5 m, +30 m, hourly.`, and when that ends; null if nothing failed. */
export function retryWords(delivery: Delivery, endpoint: Endpoint | undefined, nowMs: number): string | null {
  const { state, next_attempt_at: next, attempts } = delivery;
  const made = currentRun(attempts).length;
  const failed = made === 1 ? 'once' : made === 2 ? 'twice' : counted(made, 'time');
  if (state === 'held') {
    return endpoint?.status === 'active'
      ? 'Held: the endpoint was paused. It is active again, so redeliver the event.'
      : 'Held: the endpoint is paused. Resume it, then redeliver.';
  }
  if (state !== 'retrying' || next === null) return null;
  const ahead = [...gaps.slice(made), 'hourly'].join(', ');
  const since = endpoint?.failing_since ?? attempts[0]?.at;
  const words = `Failed ${failed}, next ${momentWords(Date.parse(next), nowMs)}, then ${ahead}.`;
  if (since === undefined) return words;
  return `${words} The endpoint will be paused at ${momentWords(Date.parse(since) + pauseAfterMs, nowMs)}.`;
}
