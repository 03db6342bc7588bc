/**
 * Lists, and their filters: every field that an item shows. The document has the names and the allowed values; a list
 * has only the fields that are not properties of its rows.
 */
import type { Account } from '../../account/account.js';
import type { Explain, Row } from '../../domain/rows.js';
import { languageKey } from '../../domain/template.js';
import { operationIdOf } from '../../scenario/schema/hooks.js';
import { compileGlob } from '../../scenario/schema/regex.js';
import type { TableName, Tables } from '../../store/account-data.js';
import { type Page, pageOf, type PageQuery, type Table } from '../../store/table.js';
import { jsonType } from '../respond.js';
import { type ControlContext, TextResponse } from './handler.js';

type Value = string | number | boolean | null | undefined;

/** Returns the value of a row; if there are several, any of them may match. */
export type Field<R> = (row: R, account: Account) => Value | readonly Value[];

export type Filter = Readonly<Record<string, string>>;

export interface List<R> {
  readonly show: (row: R, account: Account) => object;
  /** What its list shows, if that is less than the single record. */
  readonly showInList?: (row: R, account: Account) => object;
  /** Fields by the names of their filters. */
  readonly fields: Readonly<Record<string, Field<R>>>;
  /** The field of any other filter; by default, the property of the row with the same name. */
  readonly other?: (name: string) => Field<R>;
}

/** A list in a table. */
export interface TableList<R extends Row> extends List<R> {
  readonly table: TableName;
  /** Rows by `seq` that contain all that can match; by default, those of the table. */
  readonly rows?: (tables: Tables, filter: Filter) => readonly R[];
}

const notFilters = ['for', 'count', 'timeout', 'after', 'before', 'limit', 'order'];

/** Reads the filters of a call, which its document has validated. */
export function readFilter(query: Readonly<Record<string, unknown>>): Filter {
  const filters = Object.entries(query).filter(([name]) => !notFilters.includes(name));
  return Object.fromEntries(filters.map(([name, value]) => [name, plain(name, String(value))]));
}

/** Converts values of callers and of rows to the same form. */
function plain(name: string, value: string): string {
  switch (name.replace('data.', '')) {
    case 'from':
    case 'to':
    case 'phone':
      return phone(value);
    case 'language':
      return languageKey(value);
    case 'operation':
      return operationIdOf(value);
    default:
      return value;
  }
}

/** A number in E.164: the plus is optional, and arrives as a space from callers that do not escape it. */
export function phone(given: string): string {
  return `+${given.replace(/^[+ ]/, '')}`;
}

/** Returns the check of a value: `*` is any text, `4xx` a class of HTTP statuses, and commas separate words. */
function matcher(name: string, wanted: string): (found: string) => boolean {
  if (name === 'search') return containing(wanted);
  if (/^[1-5]xx$/.test(wanted) && (name === 'status' || name === 'answered'))
    return (found) => found.startsWith(wanted.charAt(0));
  if (['direction', 'type', 'status'].includes(name) && wanted.includes(',')) {
    const words = wanted.split(',');
    return (found) => words.includes(found);
  }
  return wanted.includes('*') ? compileGlob(wanted) : (found) => found === wanted;
}

/** Finds a text whatever its case; a number is found as people write it, too. */
function containing(wanted: string): (found: string) => boolean {
  const number = /^\+?[\d ().-]+$/.test(wanted) ? wanted.replace(/[^\d]/g, '') : '';
  const words = [wanted.trim().toLowerCase(), ...(number.length >= 5 ? [number] : [])];
  return (found) => words.some((word) => found.toLowerCase().includes(word));
}

interface Condition<R> {
  readonly name: string;
  readonly wanted: string;
  readonly found: (row: R) => readonly string[];
  readonly matches: (row: R) => boolean;
}

function conditionsOf<R>(list: List<R>, filter: Filter, account: Account): Condition<R>[] {
  return Object.entries(filter).map(([name, wanted]) => {
    const field = list.fields[name] ?? (list.other ?? property)(name);
    const fits = matcher(name, wanted);
    const found = (row: R) =>
      [field(row, account)]
        .flat()
        .flatMap((value) => (value === null || value === undefined ? [] : [plain(name, String(value))]));
    return { name, wanted, found, matches: (row) => found(row).some(fits) };
  });
}

function property<R>(name: string): Field<R> {
  if (name === 'by') return (row) => explainOf(row)?.by;
  if (name === 'rule') return (row) => explainOf(row)?.id;
  const own = name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return (row) => (row as Record<string, Value>)[own];
}

function explainOf(row: unknown): Explain | undefined {
  return (row as { readonly explain?: Explain }).explain;
}

/** Returns one page of the matching rows. */
export function findRows<R extends Row>(
  list: TableList<R>,
  account: Account,
  filter: Filter,
  query: PageQuery,
): Page<R> {
  const { tables } = account.store;
  const rows = list.rows?.(tables, filter) ?? (tables[list.table] as unknown as Table<R>).all();
  const conditions = conditionsOf(list, filter, account);
  return pageOf(rows, query, (row) => conditions.every(({ matches }) => matches(row)));
}

/** The differences between a row and a filter: the expected and the actual values. */
export function differences<R>(list: List<R>, filter: Filter, row: R, account: Account) {
  return conditionsOf(list, filter, account)
    .filter(({ matches }) => !matches(row))
    .map(({ name, wanted, found }) => ({ field: name, expected: wanted, found: found(row).join(', ') || null }));
}

/** Characters of a page, which is then shorter than its limit: 1,000 entries with large bodies would take all memory. */
const longestPage = 8 * 1024 * 1024;

/** Returns the list for a call, with the number of rows that a limit has removed. */
export function listRows<R extends Row>(list: TableList<R>, { account, query }: ControlContext): TextResponse {
  const { items, next } = findRows(list, account, readFilter(query), pageQuery(query));
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

/** For a list that is not in a table: it is short enough to sort. */
export function listAll<R extends { readonly seq: number }>(
  list: List<R>,
  all: readonly R[],
  { account, query }: ControlContext,
) {
  const conditions = conditionsOf(list, readFilter(query), account);
  const sorted = [...all].sort((a, b) => a.seq - b.seq);
  const { items, next } = pageOf(sorted, pageQuery(query), (row) => conditions.every(({ matches }) => matches(row)));
  return { items: items.map((row) => list.show(row, account)), next };
}

/** A page with all entries, to count them. */
export const everything: PageQuery = { limit: Number.MAX_SAFE_INTEGER };

const defaultLimit = 100;

/** Converts `after`, `before`, `limit` and `order` of a call to a page query, with its start and its end. */
function pageQuery(query: Readonly<Record<string, unknown>>): PageQuery {
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
