/**
 * Filters of lists and waits. Each list declares its filters in one table; the document has their allowed values.
 */
import type { Account } from '../../account/account.js';
import { languageKey } from '../../domain/template.js';
import { compileGlob } from '../../scenario/schema/regex.js';
import type { Row } from '../../domain/rows.js';
import type { TableName, Tables } from '../../store/account-data.js';
import { type Page, pageOf, type PageQuery, type Table } from '../../store/table.js';
import { jsonType } from '../respond.js';
import { type ControlContext, TextResponse } from './handler.js';

type Value = string | number | boolean | null | undefined;

/** A field that items show. */
export interface Field<R> {
  /** The value of the row; if there are several, any of them may match. */
  readonly of: (row: R, account: Account) => Value | readonly Value[];
  /** Converts values of callers and of rows to the same form. */
  readonly plain?: (value: string) => string;
  /** How a filter without literal values matches; null for a literal one. */
  readonly matcher?: (filter: string) => ((found: string) => boolean) | null;
}

export type Fields<R> = Readonly<Record<string, Field<R>>>;
export type Filter = Readonly<Record<string, string>>;

/** A list in a table. */
export interface List<R extends Row> {
  readonly table: TableName;
  readonly show: (row: R, account: Account) => object;
  /** What its list shows, if that is less than the single record. */
  readonly showInList?: (row: R, account: Account) => object;
  readonly fields: Fields<R>;
  /** Rows by `seq` that contain all that can match; by default, those of the table. */
  readonly rows?: (tables: Tables, filter: Filter) => readonly R[];
}

/** Reads the filters of a call, which its document has validated. */
export function readFilter<R>(fields: Fields<R>, query: Readonly<Record<string, unknown>>): Filter {
  const filter: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (Object.hasOwn(fields, name)) filter[name] = fields[name]?.plain?.(String(value)) ?? String(value);
  }
  return filter;
}

/** Whether a row matches every part of a filter. */
export function matches<R>(fields: Fields<R>, filter: Filter, account: Account): (row: R) => boolean {
  const tests = Object.entries(filter).map(([name, wanted]) => {
    const field = fields[name];
    return field ? testOf(field, wanted, account) : () => false;
  });
  return (row) => tests.every((test) => test(row));
}

function testOf<R>(field: Field<R>, wanted: string, account: Account): (row: R) => boolean {
  const fits = field.matcher?.(wanted) ?? ((found: string) => found === wanted);
  return (row) => valuesOf(field, row, account).some((found) => fits(found));
}

function valuesOf<R>({ of, plain }: Field<R>, row: R, account: Account): string[] {
  return [of(row, account)]
    .flat()
    .flatMap((value) => (value === null || value === undefined ? [] : [plain?.(String(value)) ?? String(value)]));
}

/** Returns one page of the matching rows. */
export function findRows<R extends Row>(list: List<R>, account: Account, filter: Filter, query: PageQuery): Page<R> {
  const { tables } = account.store;
  const rows = list.rows?.(tables, filter) ?? (tables[list.table] as unknown as Table<R>).all();
  return pageOf(rows, query, matches(list.fields, filter, account));
}

/** Characters of a page, which is then shorter than its limit: 1,000 entries with large bodies would take all memory. */
const longestPage = 8 * 1024 * 1024;

/** Returns the list for a call, with the number of rows that a limit has removed. */
export function listRows<R extends Row>(list: List<R>, { account, query }: ControlContext): TextResponse {
  const { items, next } = findRows(list, account, readFilter(list.fields, query), pageQuery(query));
  const show = list.showInList ?? list.show;
  const texts: string[] = [];
  let length = 0;
  for (const row of items) {
    const text = JSON.stringify(show(row, account));
    length += text.length;
    if (length > longestPage && texts.length > 0) break;
    texts.push(text);
  }
  const rest = texts.length < items.length ? (items[texts.length - 1]?.seq ?? null) : next;
  const trimmed = account.store.trimmed(list.table);
  const more = trimmed > 0 ? `,"trimmed":${trimmed}` : '';
  return new TextResponse(`{"items":[${texts.join(',')}],"next":${rest}${more}}`, jsonType);
}

/** For a list that is not in a table: it is short enough to check each item. */
export function listAll<R extends { readonly seq: number }, S = R>(
  fields: Fields<R>,
  all: readonly R[],
  { account, query }: ControlContext,
  show: (row: R) => S,
) {
  const fits = matches(fields, readFilter(fields, query), account);
  return shownPage(pageOfAll(all.filter(fits), pageQuery(query)), show);
}

/** The differences between a row and a filter: the expected and the actual values. */
export function differences<R>(fields: Fields<R>, filter: Filter, row: R, account: Account) {
  return Object.entries(filter).flatMap(([name, expected]) => {
    const field = fields[name];
    if (!field || testOf(field, expected, account)(row)) return [];
    const found = valuesOf(field, row, account);
    return [{ field: name, expected, found: found.length === 0 ? null : found.join(', ') }];
  });
}

export const plainPhone = { plain: phone };
export const plainLanguage = { plain: languageKey };
export const glob = { matcher: (wanted: string) => (wanted.includes('*') ? compileGlob(wanted) : null) };
export const httpStatus = {
  matcher: (wanted: string) => (wanted.endsWith('xx') ? (found: string) => found.startsWith(wanted.charAt(0)) : null),
};

/** Matches any of the values of a list with commas. */
export const anyOfList = {
  matcher: (wanted: string) => {
    const words = wanted.split(',');
    return words.length > 1 ? (found: string) => words.includes(found) : null;
  },
};

/** Finds a text in any of these values, whatever its case; a number is found as people write it, too. */
export function searchIn<R>(of: (row: R, account: Account) => readonly Value[]): Field<R> {
  return {
    of,
    matcher: (wanted) => {
      const number = /^\+?[\d ().-]+$/.test(wanted) ? wanted.replace(/[^\d]/g, '') : '';
      const words = [wanted.trim().toLowerCase(), ...(number.length >= 5 ? [number] : [])];
      return (found) => words.some((word) => found.toLowerCase().includes(word));
    },
  };
}

const defaultLimit = 100;

/** A page with all entries, to count them. */
export const everything: PageQuery = { limit: Number.MAX_SAFE_INTEGER };

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

/** The shape of every list: by sequence number, never by position. */
export function shownPage<R, S>({ items, next }: Page<R>, show: (row: R) => S) {
  return { items: items.map(show), next };
}

/** A number in E.164: the plus is optional, and arrives as a space from callers that do not escape it. */
export function phone(given: string): string {
  return `+${given.replace(/^[+ ]/, '')}`;
}
