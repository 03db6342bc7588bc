/** One page of a list: where it begins, and where the next one does. */

export interface PageQuery {
  /** Only rows after this sequence number. */
  readonly after?: number;
  /** Only rows before this sequence number. */
  readonly before?: number;
  readonly limit?: number;
  /** Default: the oldest row first. */
  readonly order?: 'asc' | 'desc';
}

export interface Page<R> {
  readonly items: R[];
  /** The number after which the next page continues, or before which if the newest come first; null at the end. */
  readonly next: number | null;
}

interface Numbered {
  readonly seq: number;
}

/**
 * Returns one page of the rows that fit.
 * @param rows by `seq`
 */
export function pageOf<R extends Numbered>(
  rows: readonly R[],
  { after = -Infinity, before = Infinity, limit = Infinity, order }: PageQuery,
  fits: (row: R) => boolean = () => true,
): Page<R> {
  const items: R[] = [];
  const isDescending = order === 'desc';
  for (let n = 0; n < rows.length; n += 1) {
    const row = rows[isDescending ? rows.length - 1 - n : n] as R;
    if (row.seq <= after || row.seq >= before || !fits(row)) continue;
    if (items.length === limit) return { items, next: items.at(-1)?.seq ?? null };
    items.push(row);
  }
  return { items, next: null };
}
