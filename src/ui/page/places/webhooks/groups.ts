/** Deliveries of the same event as one row. */
import type { Delivery } from '../../core/records.js';

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
