/** Deliveries of the same event as one row, what they are about, and their retry schedule as a sentence. */
import type { Attempt, Delivery, Endpoint } from '../../core/records.js';
import { counted, momentWords } from '../../core/words.js';

/** An event, with its deliveries to every endpoint. */
export interface Group {
  /** Index of its first delivery in the list. */
  readonly at: number;
  readonly all: readonly Delivery[];
  /** The one that most needs attention. */
  readonly worst: Delivery;
}

const ranks: Readonly<Record<Delivery['state'], number>> = {
  delivered: 0,
  pending: 1,
  dropped: 2,
  held: 3,
  retrying: 4,
  failed: 5,
};

/** Groups neighbours of the same event. */
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
    worst: all.reduce((worst, each) => (ranks[each.state] > ranks[worst.state] ? each : worst)),
  }));
}

export interface Subject {
  /** A phone number or a template's name; empty if the event has neither. */
  readonly words: string;
  /** Number of the customer, if any. */
  readonly phone: string | null;
  readonly messageId: string | null;
  /** The status of a message or template in the event. */
  readonly status: string | null;
}

const nothing: Subject = { words: '', phone: null, messageId: null, status: null };

/** What a delivery is about, read from the bytes of its event. */
export function subjectOf({ event_type: type, payload }: Delivery): Subject {
  const data = dataOf(payload);
  const status = type === 'message.received' ? null : textOf(data['status']);
  if (type === 'template.status') return { ...nothing, words: textOf(data['name']) ?? '', status };
  // The customer is the sender of an inbound message, otherwise the recipient.
  const phone = textOf(type === 'message.received' ? data['from'] : data['to']);
  return { words: phone ?? '', phone, messageId: textOf(data['message_id']), status };
}

/** Returns the `data` of an event; empty if it is not JSON. */
function dataOf(payload: string | null): Readonly<Record<string, unknown>> {
  try {
    const event = JSON.parse(payload ?? '{}') as { data?: Record<string, unknown> } | null;
    return event?.data ?? {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

const hourMs = 3_600_000;
/** From the start of a failure streak to the pause of the endpoint. */
const pauseAfterMs = 24 * hourMs;
/** Gaps after the first, second and third attempt; every later gap is an hour. */
const gaps = ['+1 m', '+5 m', '+30 m'];
/** Number of attempts in the schedule before the endpoint is paused. */
export const mostAttempts = 27;

/** Attempts since the latest redelivery, which starts the schedule again. */
export function currentRun(attempts: readonly Attempt[]): readonly Attempt[] {
  const start = attempts.findLastIndex(({ trigger }) => trigger === 'redelivery');
  return attempts.slice(Math.max(0, start));
}

/** `Failed twice, next 18:24:00, then +5 m, +30 m, hourly, paused 24 Nov 18:22:00.`; null if nothing failed. */
export function retryWords(delivery: Delivery, endpoint: Endpoint | undefined, nowMs: number): string | null {
  const { state, next_attempt_at: next, attempts } = delivery;
  const made = currentRun(attempts).length;
  const failed = made === 1 ? 'once' : made === 2 ? 'twice' : counted(made, 'time');
  if (state === 'held') return 'Held: the endpoint is paused. Resume it, then redeliver.';
  if (state !== 'retrying' || next === null) return null;
  const ahead = [...gaps.slice(made), 'hourly'].join(', ');
  const since = endpoint?.failing_since ?? attempts[0]?.at;
  const pause = since === undefined ? '' : `, paused ${momentWords(Date.parse(since) + pauseAfterMs, nowMs)}`;
  return `Failed ${failed}, next ${momentWords(Date.parse(next), nowMs)}, then ${ahead}${pause}.`;
}
