/** The shape of every list of the control plane: `{"items", "next"}`, by sequence number, never by position. */
import type { Page, PageQuery } from '../../store/tables/page.js';

const defaultLimit = 100;

/** Converts `after`, `before`, `limit` and `order` of a call to a page query, with its start and its end. */
export function pageQuery(query: Readonly<Record<string, unknown>>): PageQuery {
  const order = query['order'] === 'desc' ? 'desc' : 'asc';
  const { after, before } = query;
  const [cursor, bound] = order === 'desc' ? [before, after] : [after, before];
  return {
    order,
    limit: typeof query['limit'] === 'number' ? query['limit'] : defaultLimit,
    ...(typeof cursor === 'number' && { cursor }),
    ...(typeof bound === 'number' && { bound }),
  };
}

/**
 * A page of a list that is not in a table.
 * @param all few enough to check each
 */
export function pageOfAll<R extends { readonly seq: number }>(
  all: readonly R[],
  { cursor, bound, limit, order }: PageQuery,
): Page<R> {
  const [after = -Infinity, before = Infinity] = order === 'desc' ? [bound, cursor] : [cursor, bound];
  const rest = all
    .filter(({ seq }) => seq > after && seq < before)
    .sort((a, b) => (order === 'desc' ? b.seq - a.seq : a.seq - b.seq));
  const items = rest.slice(0, limit);
  return { items, next: rest.length > limit ? (items.at(-1)?.seq ?? null) : null };
}

/** @param trimmed the number of rows that were removed because of a limit */
export function shownPage<R, S>(
  page: Page<R>,
  show: (row: R) => S,
  trimmed = 0,
): { items: S[]; next: number | null; trimmed?: number } {
  return { items: page.items.map(show), next: page.next, ...(trimmed > 0 && { trimmed }) };
}

/** A number in E.164: the plus is optional, and arrives as a space from callers that do not escape it. */
export function phone(given: string): string {
  return `+${given.replace(/^[+ ]/, '')}`;
}

export function text(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
}
