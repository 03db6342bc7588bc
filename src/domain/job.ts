/**
 * A job is due at an instant. It is plain data (kind, subject, due), so that it can be stored and loaded after a
 * restart; see "How time moves" in ARCHITECTURE.md.
 */
import type { Job } from './rows.js';
import type { JobKind } from './words.js';

/**
 * Kinds in the order in which they run at one instant: state changes, then delivery attempts, then deadlines. The expectations of that instant are evaluated last.
 */
const ranks: Readonly<Record<JobKind, number>> = {
  'message.status': 0,
  'template.review': 0,
  'customer.writes': 0,
  'scenario.step': 0,
  'delivery.attempt': 2,
  'endpoint.pause': 3,
  'scenario.judge': 4,
};

/** The order of jobs of one kind that are due at one instant. */
export function placeOf({ place, seq }: Job): number {
  return place ?? seq;
}

const progress: ReadonlySet<JobKind> = new Set(['message.status', 'template.review', 'customer.writes']);

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
