/**
 * A job is due at an instant. It is plain data (kind, subject, due), so that it can be stored and loaded after a
 * restart; see "How time moves" in ARCHITECTURE.md.
 */
import {
  anyObject,
  bool,
  type Check,
  count,
  listOf,
  type Of,
  oneOf,
  optional,
  orNull,
  plainJson,
  record,
  text,
  valueCheck,
} from './check.js';
import { eventType } from './event.js';
import { explain } from './explain.js';
import { instant, numbered, oneLine } from './forms.js';
import { messageError } from './message.js';
import { isPhone } from './phone.js';
import { rowFields } from './row.js';

/** Random durations have fractions of a millisecond. */
const wait = valueCheck<number>(
  (value) => Number.isFinite(value) && (value as number) >= 0,
  'a number of milliseconds of at least 0',
);
const move = { status: oneOf(['approved', 'paused', 'deleted']) };

/** The data of each kind of job. A job that cannot run would fail long after the snapshot was accepted. */
export const jobData = {
  'message.status': record({
    status: oneOf(['sent', 'delivered', 'read', 'failed']),
    error: optional(messageError),
    outOfOrder: optional(bool),
  }),
  'template.review': record({
    decision: oneOf(['approved', 'rejected']),
    reason: orNull(text),
    eventLagMs: wait,
    later: listOf(record({ afterMs: wait, ...move })),
  }),
  'template.move': record(move),
  'customer.writes': record({
    from: valueCheck((value) => typeof value === 'string' && isPhone(value), 'a phone number'),
    type: optional(oneOf(['text', 'image', 'document', 'interactive'])),
    text: optional(text),
    media_url: optional(text),
    interactive: optional(record({ id: text, title: text })),
    profile_name: optional(text),
    explain,
  }),
  'scenario.step': anyObject,
  'scenario.judge': record({ index: count }),
  'event.append': record({ type: eventType, data: anyObject }),
  'delivery.attempt': valueCheck((value) => value === undefined || value === 'redelivery', '"redelivery", or absent'),
  'endpoint.pause': valueCheck((value) => value === undefined, 'absent'),
} satisfies Record<string, Check<unknown>>;

export type JobKind = keyof typeof jobData;

/**
 * Kinds in the order in which they run at one instant: state changes, then delayed events, then delivery attempts, then
 * deadlines. The expectations of that instant are evaluated last.
 */
const ranks: Readonly<Record<JobKind, number>> = {
  'message.status': 0,
  'template.review': 0,
  'template.move': 0,
  'customer.writes': 0,
  'scenario.step': 0,
  'event.append': 1,
  'delivery.attempt': 2,
  'endpoint.pause': 3,
  'scenario.judge': 4,
};

export const jobFields = {
  ...rowFields(numbered('job')),
  kind: oneOf(Object.keys(jobData) as JobKind[]),
  /** Id of the message, template, customer, delivery or endpoint it is about. */
  subject: oneLine,
  dueMs: instant,
  data: optional(plainJson),
  /**
   * Its position among jobs due at the same instant, if it is not the order of scheduling. A repeated job keeps its
   * position, so that the order of retries does not depend on the order of responses.
   */
  place: optional(count),
};
export type Job = Of<typeof jobFields>;

/** The order of jobs of one kind that are due at one instant. */
export function placeOf({ place, seq }: Job): number {
  return place ?? seq;
}

const progress: ReadonlySet<JobKind> = new Set([
  'message.status',
  'template.review',
  'template.move',
  'customer.writes',
  'event.append',
]);

/** The jobs that `advance until idle` runs. Attempts, deadlines and timelines are not progress. */
export function isProgress(kind: JobKind): boolean {
  return progress.has(kind);
}

/**
 * The jobs that an `auto` clock jumps to: progress, the next step of a timeline and the next attempt, but not a
 * deadline.
 */
export function pullsAuto(kind: JobKind): boolean {
  return progress.has(kind) || kind === 'scenario.step' || kind === 'delivery.attempt';
}

/** Queue order: due, then rank, then the order in which they, or the jobs that they repeat, were scheduled. */
export function compareJobs(a: Job, b: Job): number {
  return a.dueMs - b.dueMs || ranks[a.kind] - ranks[b.kind] || placeOf(a) - placeOf(b) || a.seq - b.seq;
}

/** A deadline comes after everything else of its instant, including responses ("How time moves" in ARCHITECTURE.md). */
export function isDeadline(kind: JobKind): boolean {
  return ranks[kind] >= ranks['endpoint.pause'];
}
