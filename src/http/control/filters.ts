/**
 * Filters and pages of lists. A filter compares a field that the entries show; the document names the filters of each
 * list and has validated their values.
 */
import type { Account } from '../../account/account.js';
import type { Explain } from '../../domain/rows.js';
import { languageKey } from '../../domain/template.js';
import { operationIdOf } from '../../language/hooks.js';
import { compileGlob } from '../../language/regex.js';
import type { Tables } from '../../store/account-data.js';
import { type Page, pageOf, type PageQuery } from '../../store/page.js';
import type { ControlContext } from './handler.js';

type Value = string | number | boolean | null | undefined;

/** Returns the value of a row; if there are several, any of them may match. */
export type Field<R> = (row: R, account: Account) => Value | readonly Value[];

interface Numbered {
  readonly seq: number;
}

export interface ListOptions<R> {
  /** Its rows are the list; those that a limit removed from there are counted as `trimmed`. */
  readonly table?: (tables: Tables) => { readonly name: string; inOrder(): readonly R[] };
  /** In place of all rows of the table, ordered by `seq`. */
  readonly rows?: (context: ControlContext) => readonly R[];
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

export interface Found<R> extends Page<R> {
  /** The rows as JSON; fewer if together they are longer than a page may be. */
  readonly texts: () => string[];
}

/** A record that does not match, with the fields that differ. */
export interface Miss<R> {
  readonly row: R;
  readonly differs: readonly { readonly field: string; readonly expected: string; readonly found: string | null }[];
}

const notFilters = ['for', 'count', 'timeout', 'after', 'before', 'limit', 'order'];
const mostNearMisses = 10;

export class List<R extends Numbered> {
  constructor(private readonly options: ListOptions<R>) {}

  find(context: ControlContext, page: PageQuery = {}): Found<R> {
    const { options } = this;
    const checks = this.#conditions(context).map(({ matches }) => matches);
    if (options.belongs) checks.unshift(options.belongs(context));
    const fits = (row: R): boolean => {
      for (const check of checks) if (!check(row)) return false;
      return true;
    };
    const found = pageOf(options.indexed?.(context) ?? this.#rows(context), page, fits);
    return { ...found, texts: () => textsOf(found.items, (row) => options.show(row, context.account)) };
  }

  /** Returns the response of the call that lists. */
  text(context: ControlContext): string {
    const { account, query } = context;
    const { options } = this;
    const { items, next } = this.find(context, query);
    const texts = textsOf(items, (row) => (options.showInList ?? options.show)(row, account));
    const rest = texts.length < items.length ? (items[texts.length - 1]?.seq ?? null) : next;
    const trimmed = account.store.trimmed(options.table?.(account.store.tables).name ?? '');
    return `{"items":[${texts.join(',')}],"next":${rest}${trimmed > 0 ? `,"trimmed":${trimmed}` : ''}}`;
  }

  /** The latest records that do not match some filter: the closest first, then the latest. */
  nearMisses(context: ControlContext): Miss<R>[] {
    const conditions = this.#conditions(context);
    const { options } = this;
    return pageOf(this.#rows(context), { order: 'desc', limit: mostNearMisses }, options.belongs?.(context))
      .items.map((row) => {
        const missed = conditions.filter(({ matches }) => !matches(row));
        const differs = missed.map(({ name, wanted, found }) => {
          return { field: name, expected: wanted, found: found(row).join(', ') || null };
        });
        return { row, differs };
      })
      .filter(({ differs }) => differs.length > 0)
      .sort((a, b) => a.differs.length - b.differs.length);
  }

  /** Returns the filters of a call in words. */
  described(context: ControlContext): string {
    const parts = this.#conditions(context).map(({ name, wanted }) => `${name}=${wanted}`);
    return parts.length === 0 ? 'anything' : parts.join(', ');
  }

  #rows(context: ControlContext): readonly R[] {
    const { rows, table } = this.options;
    return rows?.(context) ?? table?.(context.account.store.tables).inOrder() ?? [];
  }

  #conditions({ account, query }: ControlContext): Condition<R>[] {
    const { fields, other = property } = this.options;
    const filters = Object.entries(query).filter(([name]) => !notFilters.includes(name));
    return filters.map(([name, value]) => {
      const plain = plainFormOf(name);
      const wanted = plain(String(value));
      const field: Field<R> = fields?.[name] ?? other(name);
      const fits = matcher(name, wanted);
      // Called for each row of a table, so it creates nothing for a field that has one value.
      const isWanted = (one: Value) => one !== null && one !== undefined && fits(plain(String(one)));
      const matches = (row: R) => {
        const shown = field(row, account);
        if (typeof shown === 'string') return fits(plain(shown));
        return typeof shown === 'object' && shown !== null ? shown.some(isWanted) : isWanted(shown);
      };
      const found = (row: R) =>
        [field(row, account)].flat().flatMap((one) => (one === null || one === undefined ? [] : [plain(String(one))]));
      return { name, wanted, found, matches };
    });
  }
}

/** Characters of a page, which then ends before its limit: 1,000 calls of a sink with their bodies could fill the memory. */
const longestPage = 8 * 1024 * 1024;

function textsOf<R>(rows: readonly R[], show: (row: R) => object): string[] {
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
