/** Faults at points: the order in which they are tried, their names, and their rules. */
import { faultsAt } from './faults.js';
import type { Placed, Point, RuleInput } from './types.js';

/**
 * Orders tries: in each round every fault at one point of each kind.
 * The order depends on the story alone.
 */
export function inOrder(points: readonly Point[], steered: boolean): Placed[] {
  const seen = new Map<string, number>();
  const all = points.flatMap((point, i) =>
    faultsAt(point, steered).map((each) => {
      const key = `${point.kind} ${String(point.match['status'])} ${each.id}`;
      const nth = seen.get(key) ?? 0;
      seen.set(key, nth + 1);
      // Of several statuses of messages, one is enough for the first round.
      const sameKind = `${point.kind} ${each.id}`;
      const others = seen.get(sameKind) ?? 0;
      seen.set(sameKind, others + 1);
      const round = nth + (others > 0 ? 1 : 0);
      return { placed: { point, fault: each }, round, rank: each.rank, i };
    }),
  );
  return all.sort((a, b) => a.round - b.round || a.rank - b.rank || a.i - b.i).map(({ placed }) => placed);
}

/** Returns the name of a cell. */
export const cellId = ({ point, fault: { id } }: Placed): string => `${point.id}/${id}`;

export const titleOf = ({ point, fault: { words } }: Placed): string => `${point.title} ${words}`;

/** Returns the id of the rule that injects a fault, for reports and scenario files. */
export function ruleId(placed: Placed): string {
  return `explore-${cellId(placed)}`.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '');
}

/** Returns the rule of a fault at its point, in the form of a scenario file; null for a fault that no rule injects. */
export function ruleOf(placed: Placed): RuleInput | null {
  const { point, fault: of } = placed;
  const { pick = { nth: point.nth }, active, then } = of;
  if (then === undefined) return null;
  // The number is counted per recipient, so a rule for one recipient of a batch could apply to another call.
  const match = { ...point.match, ...of.match };
  return {
    id: ruleId(placed),
    when: point.when,
    ...(Object.keys(match).length > 0 && { match }),
    ...(Object.keys(pick).length > 0 && { pick }),
    ...(active && { active }),
    then,
  };
}
