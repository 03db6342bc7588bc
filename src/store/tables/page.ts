/** Returns one page of the rows that are in several lists at once. */
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
 * Returns the page of the rows that are in all lists. Each list in turn skips to the row that the others have reached, so
 * the cost depends on the rarest filter and not on how much is stored.
 * @param lists at least one; all in the order of `seq`
 */
export function pageOf<R extends Row>(lists: OrderedList<R>[], query: PageQuery): Page<R> {
  const [first, ...others] = lists.sort((a, b) => a.size - b.size);
  if (first === undefined) return { items: [], next: null };
  const { cursor, limit, order } = query;
  const isDown = order === 'desc';
  const { bound = isDown ? -Infinity : Infinity } = query;
  const step = isDown ? -1 : 1;
  /** Returns the position of the row with this number, or of the next one in the direction of the walk. */
  const reach = (list: OrderedList<R>, seq: number): number =>
    isDown ? list.firstFrom(seq + 1) - 1 : list.firstFrom(seq);
  const items: R[] = [];
  let position = reach(first, cursor === undefined ? -step * Infinity : cursor + step);
  for (;;) {
    const seq = first.orderAt(position);
    if (seq === undefined || (isDown ? seq <= bound : seq >= bound)) return { items, next: null };
    let reached = seq;
    for (const list of others) {
      const own = list.orderAt(reach(list, reached));
      if (own === undefined) return { items, next: null };
      reached = own;
    }
    if (reached !== seq) position = reach(first, reached);
    else if (items.length === limit) return { items, next: items.at(-1)?.seq ?? null };
    else {
      items.push(first.at(position) as R);
      position += step;
    }
  }
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
