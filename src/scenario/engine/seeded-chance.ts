/** Which of the fitting ones a rule strikes (contract §5, `pick`). */
import { createHash } from 'node:crypto';
import type { Pick } from '../language/rule-schema.js';

/** A number in [0, 1) from the content of its parts: the same on every machine, whatever was asked before. */
export function contentDraw(...parts: readonly (string | number)[]): number {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/**
 * @param count of this one among the fitting, from 1
 * @param draw in [0, 1), asked for `chance` alone
 */
export function isPicked(pick: Pick, count: number, draw: () => number): boolean {
  const { first, nth, every, after, between, chance } = pick;
  if (first !== undefined && count > first) return false;
  if (nth !== undefined && count !== nth) return false;
  if (every !== undefined && count % every !== 0) return false;
  if (after !== undefined && count <= after) return false;
  if (between !== undefined && (count < between[0] || count > between[1])) return false;
  return chance === undefined || draw() < Number.parseFloat(chance) / 100;
}

/** Whether there is a count that is picked, if chance wants it too. */
export function canPick({
  first = Infinity,
  nth,
  every = 1,
  after = 0,
  between = [1, Infinity],
  chance,
}: Pick): boolean {
  const from = Math.max(after + 1, nth ?? 1, between[0]);
  const to = Math.min(first, nth ?? Infinity, between[1]);
  return Math.ceil(from / every) * every <= to && (chance === undefined || Number.parseFloat(chance) > 0);
}

/** `nth 3` or `every 2, chance 10%`, for explanations. */
export function describePick(pick: Pick): string {
  return Object.entries(pick)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' to ') : String(value)}`)
    .join(', ');
}
