/** One page of the rows that stand in several lists at once. */
import type { Row } from '../../domain/row.js';
import type { OrderedList } from './ordered-list.js';

export interface PageQuery {
  /** The page begins after (ascending) or before (descending) this sequence number. */
  readonly cursor?: number;
  /** The page ends before (ascending) or after (descending) this sequence number, or earlier at its limit. */
  readonly bound?: number;
  readonly limit: number;
  readonly order?: 'asc' | 'desc';
}

export interface Page<R> {
  readonly items: R[];
  /** The cursor of the next page, null at the end. */
  readonly next: number | null;
}

/**
 * Returns the page of the rows that are in all lists. Each list in turn skips to the place that the others have reached,
 * so that the cost depends on the rarest filter and not on how much is stored.
 * @param lists at least one; all in the order of `seq`
 */
export function pageOf<R extends Row>(lists: OrderedList<R>[], query: PageQuery): Page<R> {
  const [first, ...others] = lists.sort((a, b) => a.size - b.size);
  if (first === undefined) return { items: [], next: null };
  return query.order === 'desc' ? pageDown(first, others, query) : pageUp(first, others, query);
}

/** Merges one page of each of several lists that have no row in common. All pages come from the same query. */
export function mergedPage<R extends Row>(pages: readonly Page<R>[], { limit, order }: PageQuery): Page<R> {
  const [single] = pages;
  if (single && pages.length === 1) return single;
  const found = pages.flatMap(({ items }) => items).sort((a, b) => (order === 'desc' ? b.seq - a.seq : a.seq - b.seq));
  const items = found.slice(0, limit);
  const more = found.length > limit || pages.some(({ next }) => next !== null);
  return { items, next: more ? (items[items.length - 1]?.seq ?? null) : null };
}

function pageUp<R extends Row>(first: OrderedList<R>, others: OrderedList<R>[], query: PageQuery): Page<R> {
  const items: R[] = [];
  const { cursor, bound = Infinity } = query;
  let position = cursor === undefined ? 0 : first.firstFrom(cursor + 1);
  for (;;) {
    const seq = first.orderAt(position);
    if (seq === undefined || seq >= bound) return { items, next: null };
    const ahead = furthest(others, seq);
    if (ahead === seq) {
      if (items.length === query.limit) return { items, next: items[items.length - 1]?.seq ?? null };
      items.push(first.at(position) as R);
      position += 1;
    } else if (ahead === undefined) {
      return { items, next: null };
    } else {
      position = first.firstFrom(ahead);
    }
  }
}

/** The largest sequence number that some list reaches first at or after `seq`; undefined when one has ended. */
function furthest<R extends Row>(lists: OrderedList<R>[], seq: number): number | undefined {
  let reached = seq;
  for (const list of lists) {
    const own = list.orderAt(list.firstFrom(reached));
    if (own === undefined) return undefined;
    reached = own;
  }
  return reached;
}

function pageDown<R extends Row>(first: OrderedList<R>, others: OrderedList<R>[], query: PageQuery): Page<R> {
  const items: R[] = [];
  const { cursor, bound = -Infinity } = query;
  let position = (cursor === undefined ? first.size : first.firstFrom(cursor)) - 1;
  for (;;) {
    const seq = first.orderAt(position);
    if (seq === undefined || seq <= bound) return { items, next: null };
    const behind = nearest(others, seq);
    if (behind === seq) {
      if (items.length === query.limit) return { items, next: items[items.length - 1]?.seq ?? null };
      items.push(first.at(position) as R);
      position -= 1;
    } else if (behind === undefined) {
      return { items, next: null };
    } else {
      position = first.firstFrom(behind + 1) - 1;
    }
  }
}

/** The smallest sequence number that some list reaches first at or before `seq`; undefined when one has ended. */
function nearest<R extends Row>(lists: OrderedList<R>[], seq: number): number | undefined {
  let reached = seq;
  for (const list of lists) {
    const own = list.orderAt(list.firstFrom(reached + 1) - 1);
    if (own === undefined) return undefined;
    reached = own;
  }
  return reached;
}
