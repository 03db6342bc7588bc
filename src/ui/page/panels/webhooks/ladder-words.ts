/** Describes the retry schedule in a sentence, for screen readers and below the drawing. */
import type { Delivery } from '../../core/records.js';
import { clockWords, dayWords, spanWords } from '../../core/time-words.js';
import type { Ladder } from './ladder.js';

/** @param nowMs account time */
export function ladderWords(ladder: Ladder, delivery: Pick<Delivery, 'state'>, nowMs: number): string {
  const { made, ahead, deadlineMs, pausedMs, latest } = ladder;
  const [next] = ahead;
  const parts = [madeWords(ladder)];
  if (next) parts.push(`attempt ${next.number} in ${spanWords(next.atMs - nowMs)}`);
  if (deadlineMs !== null) parts.push(`pause in ${spanWords(deadlineMs - nowMs)} (${whenWords(deadlineMs)})`);
  if (pausedMs !== null) parts.push(`endpoint paused on ${whenWords(pausedMs)}`);
  else if (latest && delivery.state === 'held') parts.push('held since a pause');
  else if (latest && delivery.state === 'dropped') parts.push('dropped: no more attempts');
  else if (latest && delivery.state === 'pending' && !next && made.length === 0) parts.push('waits for its message');
  return `${parts.join(' · ')}.`;
}

function madeWords({ made, startMs }: Ladder): string {
  const [first] = made;
  const last = made.at(-1);
  if (!first || !last) return 'No attempt yet';
  const range = first === last ? `Attempt ${first.number}` : `Attempts ${first.number} to ${last.number}`;
  const span = first === last ? '' : ` within ${spanWords(last.atMs - startMs)}`;
  return last.outcome === 'delivered' ? `${range}${span}: delivered` : `${range}${span}: all failed`;
}

function whenWords(ms: number): string {
  return `${dayWords(ms)} ${clockWords(ms)}`;
}
