/**
 * Filters and pages of lists. A filter compares a field that the entries show; the document names the filters of each
 * list and has validated their values.
 */
import type { Account } from '../../account/account.js';
import type { Explain } from '../../domain/rows.js';
import { languageKey } from '../../domain/template.js';
import { operationIdOf } from '../../language/hooks.js';
import { compileGlob } from '../../language/regex.js';
import type { TableName } from '../../store/account-data.js';
import { type Page, pageOf, type PageQuery } from '../../store/page.js';
import type { ControlContext } from './handler.js';

type Value = string | number | boolean | null | undefined;

/** Returns the value of a row; if there are several, any of them may match. */
export type Field<R> = (row: R, account: Account) => Value | readonly Value[];

export interface List<R extends { readonly seq: number }> {
  /** Its table, if it has one: entries that a limit removed from there are counted as `trimmed`. */
  readonly table?: TableName;
  /** Ordered by `seq`. */
  readonly rows: (context: ControlContext) => readonly R[];
  /** Default: all rows. */
  readonly belongs?: (context: ControlContext) => (row: R) => boolean;
  /** Fewer rows, among which are all that match the call, if an index has them; null if none does. */
  readonly indexed?: (context: ControlContext) => readonly R[] | null;
  readonly show: (row: R, account: Account) => object;
  readonly showInList?: (row: R, account: Account) => object;
  /** Fields by the names of their filters; without one, the property of the row with the same name. */
  readonly fields?: Readonly<Record<string, Field<R>>>;
  readonly other?: (name: string) => Field<R>;
}

interface Condition<R> {
  readonly name: string;
  readonly wanted: string;
  readonly found: (row: R) => readonly string[];
  readonly matches: (row: R) => boolean;
}

const notFilters = ['for', 'count', 'timeout', 'after', 'before', 'limit', 'order'];

export function conditionsOf<R extends { readonly seq: number }>(
  list: List<R>,
  { account, query }: Pick<ControlContext, 'account' | 'query'>,
): Condition<R>[] {
  const filters = Object.entries(query).filter(([name]) => !notFilters.includes(name));
  return filters.map(([name, value]) => {
    const plain = plainFormOf(name);
    const wanted = plain(String(value));
    const field = list.fields?.[name] ?? (list.other ?? property)(name);
    const fits = matcher(name, wanted);
    // Called for each row of a table, so it creates nothing for a field that has one value.
    const isWanted = (one: Value) => one !== null && one !== undefined && fits(plain(String(one)));
    const matches = (row: R) => {
      const value = field(row, account);
      if (typeof value === 'string') return fits(plain(value));
      return typeof value === 'object' && value !== null ? value.some(isWanted) : isWanted(value);
    };
    const found = (row: R) =>
      [field(row, account)].flat().flatMap((one) => (one === null || one === undefined ? [] : [plain(String(one))]));
    return { name, wanted, found, matches };
  });
}

export function findRows<R extends { readonly seq: number }>(
  list: List<R>,
  context: ControlContext,
  page: PageQuery = {},
): Page<R> {
  const checks = conditionsOf(list, context).map(({ matches }) => matches);
  if (list.belongs) checks.unshift(list.belongs(context));
  const fits = (row: R): boolean => {
    for (const check of checks) if (!check(row)) return false;
    return true;
  };
  return pageOf(list.indexed?.(context) ?? list.rows(context), page, fits);
}

/** Characters of a page, which then ends before its limit: 1,000 calls of a sink with their bodies could fill the memory. */
const longestPage = 8 * 1024 * 1024;

export function textsOf<R>(rows: readonly R[], show: (row: R) => object): string[] {
  const texts: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(show(row));
    length += text.length;
    if (length > longestPage && texts.length > 0) break;
    texts.push(text);
  }
  return texts;
}

export function listRows<R extends { readonly seq: number }>(list: List<R>, context: ControlContext): string {
  const { account, query } = context;
  const { items, next } = findRows(list, context, query);
  const show = list.showInList ?? list.show;
  const texts = textsOf(items, (row) => show(row, account));
  const rest = texts.length < items.length ? (items[texts.length - 1]?.seq ?? null) : next;
  const trimmed = list.table === undefined ? 0 : account.store.trimmed(list.table);
  return `{"items":[${texts.join(',')}],"next":${rest}${trimmed > 0 ? `,"trimmed":${trimmed}` : ''}}`;
}

/** Returns what makes texts equal that mean the same value of a filter. */
function plainFormOf(name: string): (value: string) => string {
  switch (name.replace('data.', '')) {
    case 'from':
    case 'to':
    case 'phone':
      return phone;
    case 'language':
      return languageKey;
    case 'operation':
      return operationIdOf;
    default:
      return (value) => value;
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

/** Finds a text whatever its case; a number is found as people write it as well. */
function containing(wanted: string): (found: string) => boolean {
  const number = /^\+?[\d ().-]+$/.test(wanted) ? wanted.replace(/[^\d]/g, '') : '';
  const words = [wanted.trim().toLowerCase(), ...(number.length >= 5 ? [number] : [])];
  return (found) => words.some((word) => found.toLowerCase().includes(word));
}

function property<R>(name: string): Field<R> {
  const own = name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  return (row) => {
    const { explain } = row as { readonly explain?: Explain };
    if (name === 'by') return explain?.by;
    return name === 'rule' ? explain?.id : (row as Record<string, Value>)[own];
  };
}
