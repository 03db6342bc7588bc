/** `after` and `before` are sequence numbers. */
export interface PageQuery {
  readonly after?: number;
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

export function pageOf<R extends Numbered>(
  rows: readonly R[],
  { after = -Infinity, before = Infinity, limit = Infinity, order }: PageQuery,
  fits: (row: R) => boolean = () => true,
): Page<R> {
  const items: R[] = [];
  const isDescending = order === 'desc';
  const from = firstFrom(rows, after + 1);
  const to = before === Infinity ? rows.length : firstFrom(rows, before);
  for (let n = 0; n < to - from; n += 1) {
    const row = rows[isDescending ? to - 1 - n : from + n] as R;
    if (!fits(row)) continue;
    if (items.length === limit) return { items, next: items.at(-1)?.seq ?? null };
    items.push(row);
  }
  return { items, next: null };
}

export function firstFrom(rows: readonly Numbered[], seq: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
