import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { draft, filtered, here, type List, model, type Noun, type PageOf, type PageQuery } from '../core/index.js';
import { replace, type Sequenced, useList } from '../core/index.js';
import { IconButton } from './button.js';
import { Empty, Loading, ReadFailed } from './detail.js';
import { Select, TextInput } from './field.js';
import { Icon } from './icon.js';
import { Time } from './state.js';
import { type Column, Rows, type RowsProps } from './rows.js';

export type Query = Readonly<Record<string, string>>;

/** A filter by one parameter of the call. With `chips`, all its values are on the page, each with a number. */
interface Filter {
  readonly name: string;
  readonly label: string;
  readonly chips?: boolean;
  /** The first one, with an empty value, filters nothing. */
  readonly options: readonly (readonly [value: string, title: string, count?: number | undefined, bad?: boolean])[];
}

/** A filter of which all values are on the page. */
export function chips(name: string, label: string, all: number | undefined, others: Filter['options']): Filter {
  return { name, label, chips: true, options: [['', 'All', all], ...others] };
}

/** Returns the parameters of the call that are in the address; `q` there is `search`. */
export function filterOf(query: Query, names: readonly string[]): object {
  const given = names.filter((name) => query[name]).map((name) => [name, query[name]]);
  return Object.fromEntries([...given, ...(query['q'] ? [['search', query['q']]] : [])]) as object;
}

/**
 * The rows that pass the filters.
 * @param names the parameters of the call that the address may have, besides the search
 * @param read makes the call with the page that is wanted, which has the filters too
 */
export function useRecords<T extends Sequenced>(
  query: Query,
  names: readonly string[],
  nouns: readonly Noun[],
  read: (page: PageQuery) => Promise<PageOf<T>>,
): List<T> {
  const filter = filterOf(query, names);
  return useList(`${nouns.join()} ${JSON.stringify(filter)}`, (page) => read({ ...filter, ...page }), nouns);
}

export function stateColumn<T>(title: string, cell: Column<T>['cell']): Column<T> {
  return { title, class: 'status', width: 116, cell };
}

export function timeColumn<T>(at: (row: T) => string): Column<T> {
  return { title: 'Time', width: 152, class: 'end soft figures time', cell: (row) => <Time at={at(row)} /> };
}

interface Props<T> extends Pick<RowsProps<T>, 'label' | 'idOf' | 'columns'> {
  readonly one: string;
  readonly path: readonly [place: string, ...rest: string[]];
  readonly query: Query;
  readonly current: string | undefined;
  readonly list: List<T>;
  /** The position of a row in the account's sequence. With it, a line separates what is new since one last looked. */
  readonly seqOf?: (row: T) => number;
  /** Default: whether the id of the row is the open one. */
  readonly isCurrent?: (row: T) => boolean;
  readonly filters?: readonly Filter[];
  /** Hint of the search; without it, there is no search. */
  readonly search?: string;
  /** The reason why an unfiltered list is empty, and a command that fills it. */
  readonly none: ComponentChildren;
  readonly command?: string | undefined;
  readonly children?: ComponentChildren;
}

/** The newest position when one left the list of this name, for as long as it is shown now; 0 if it is the first time. */
function useSince(name: string, newest: number): number {
  const seen = draft(`seen/${name}`, 0);
  const since = useMemo(() => seen.peek(), [name]);
  useLayoutEffect(() => {
    if (newest > seen.peek()) seen.value = newest;
  }, [newest]);
  return since;
}

export function Records<T>(props: Props<T>) {
  const { one, label, path, query, current, list, idOf, columns, filters = [], search, none, command } = props;
  const { isCurrent = (row: T) => idOf(row) === current } = props;
  const { rows, error, retry, onLook, onNearEnd } = list;
  const [place, ...rest] = path;
  const { seqOf = () => 0 } = props;
  const since = useSince(`${model.value.key}/${path.join('/')}`, rows?.[0] ? seqOf(rows[0]) : 0);
  // Above the first of those that one has seen.
  const isLine = (row: T, before?: T) =>
    before !== undefined && seqOf(before) > since && seqOf(row) <= since && since > 0;
  const chosen = ['q', ...filters.map(({ name }) => name)].map((name) => query[name] ?? '');
  const isFiltered = chosen.some((each) => each !== '');
  const all = label.toLowerCase();
  const find = (q: string) => replace(filtered({ q }));
  return (
    <>
      {search !== undefined && (
        <div class="row toolbar">
          {filters.map((filter) => (
            <FilterChoice key={filter.name} filter={filter} value={query[filter.name] ?? ''} />
          ))}
          <div class="searchbox" role="search">
            <Icon name="search" size={14} />
            <TextInput
              type="search"
              aria-label={`Search ${all}`}
              placeholder={search}
              value={query['q'] ?? ''}
              onText={find}
            />
            {query['q'] && <IconButton kind="inline" icon="close" label="Clear search" onClick={() => find('')} />}
          </div>
          {props.children}
        </div>
      )}
      {error && <ReadFailed what={label} {...{ error, retry }} />}
      {error && !rows?.length ? null : rows === undefined ? (
        <Loading />
      ) : rows.length > 0 ? (
        <Rows
          // Other filters start at the top of their list.
          key={chosen.join(' ')}
          {...{ label, columns, rows, idOf, isCurrent, isLine, onLook, onNearEnd }}
          hrefOf={(row) => here(place, [...rest, idOf(row)], query)}
        />
      ) : isFiltered ? (
        <Empty title={`No ${one} matches`}>
          <p>
            New ones that match appear here. <a href={here(place, rest)}>Show all {all}</a>
          </p>
        </Empty>
      ) : (
        <Empty title={`No ${all} yet`} command={command}>
          <p>{none}</p>
        </Empty>
      )}
    </>
  );
}

function FilterChoice({ filter: { name, label, options, chips = false }, value }: { filter: Filter; value: string }) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value, options[0]?.[2] === undefined]);
  if (!chips) {
    return (
      <Select
        class="low"
        aria-label={label}
        value={value}
        options={options.map(([id, title]) => [id, title])}
        onText={(next) => replace(filtered({ [name]: next }))}
      />
    );
  }
  return (
    <div class="chips" role="group" aria-label={label} ref={row}>
      {options.map(([id, title, count, bad = false]) => (
        <a key={id} href={filtered({ [name]: id })} aria-current={id === value ? 'true' : undefined}>
          {title}
          {count !== undefined && (
            <span class={bad && count !== 0 ? 'count bad' : 'count'}>{count.toLocaleString('en')}</span>
          )}
        </a>
      ))}
    </div>
  );
}
