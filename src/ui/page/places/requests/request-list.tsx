/** The calls of the application, newest first. */
import {
  act,
  done,
  download,
  exampleOf,
  filtered,
  here,
  type JournalRequest,
  model,
  replace,
  succeeded,
  undoable,
  useList,
  useRead,
} from '../../core/index.js';
import {
  Chips,
  type Column,
  Empty,
  Http,
  Icon,
  Menu,
  MenuItem,
  RowLink,
  SearchBox,
  Select,
  Table,
  Time,
} from '../../parts/index.js';
import type { paths } from '../../../../generated/control.js';
import { aboutOf, operations, resultOf } from './call.js';

type Query = Readonly<Record<string, string>>;
type Operation = NonNullable<NonNullable<paths['/_sandbox/requests']['get']['parameters']['query']>['operation']>;

export function durationWords(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const columns = (current: string | undefined, query: Query): Column<JournalRequest>[] => [
  { title: 'Status', width: '104px', cell: ({ status }) => <Http status={status} /> },
  {
    title: 'Request',
    width: '272px',
    class: 'main',
    cell: (row) => (
      <>
        <RowLink href={here('requests', [row.id], query)} current={row.id === current}>
          <span class="soft">{row.method}</span> {row.path}
        </RowLink>
        <span class="sub">{resultOf(row) ?? aboutOf(row)}</span>
      </>
    ),
  },
  { title: 'About', width: '160px', class: 'wide soft', cell: aboutOf },
  { title: 'Result', class: 'wide', cell: (row) => <Result row={row} /> },
  {
    title: 'Took',
    width: '72px',
    class: 'wide end soft figures',
    cell: ({ duration_ms: ms }) => durationWords(ms),
  },
  { title: 'Time', width: '132px', class: 'end soft figures time', cell: ({ at }) => <Time at={at} /> },
];

function Result({ row }: { row: JournalRequest }) {
  const words = resultOf(row);
  const { explain, warnings } = row;
  return (
    <>
      {words !== null && (
        <span class={row.status === null || row.status >= 500 ? 'bad' : 'warn'} title={words}>
          {words}
        </span>
      )}{' '}
      {explain && explain.by !== 'default' && <span class="soft">{explain.id ?? explain.by}</span>}{' '}
      {warnings.length > 0 && <span class="pill warn">{warnings.length} warnings</span>}
    </>
  );
}

function filterOf({ q = '', operation = '', status = '', path = '' }: Query) {
  return {
    ...(q !== '' && { search: q }),
    ...(operation !== '' && { operation: operation as Operation }),
    ...(status !== '' && { status }),
    ...(path !== '' && { path }),
  };
}

export function RequestList({ current, query }: { current: string | undefined; query: Query }) {
  const { api, site, key } = model.value;
  const { q = '', operation = '', status = '' } = query;
  const filter = filterOf(query);
  const list = useList(
    `requests ${JSON.stringify(filter)}`,
    (page) => done(api.GET('/_sandbox/requests', { params: { query: { ...filter, ...page } } })),
    ['request'],
  );
  const counts = useRead(
    `counts of calls ${q} ${operation}`,
    () =>
      Promise.all(
        [undefined, '4xx', '5xx'].map(async (each) => {
          const { status: _status, ...rest } = filter;
          const wanted = { ...rest, ...(each !== undefined && { status: each }) };
          return (await done(api.GET('/_sandbox/requests/count', { params: { query: wanted } }))).count;
        }),
      ),
    ['request'],
  ).value;
  const chip = (id: string, title: string, count?: number, bad = false) => ({
    id,
    title,
    count,
    bad,
    href: filtered({ status: id }),
  });
  return (
    <>
      <div class="toolbar">
        <Chips
          label="Status"
          current={status}
          chips={[chip('', 'All', counts?.[0]), chip('4xx', '4xx', counts?.[1]), chip('5xx', '5xx', counts?.[2], true)]}
        />
        <Select
          aria-label="Operation"
          value={operation}
          options={[['', 'Every operation'], ...operations]}
          onText={(next) => replace(filtered({ operation: next }))}
        />
        <SearchBox
          label="Search requests"
          placeholder="Number, id or text"
          value={q}
          onText={(next) => replace(filtered({ q: next }))}
        />
      </div>
      <Table
        label="Requests"
        columns={columns(current, query)}
        list={list}
        keyOf={({ id }) => id}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title="No request matches">
              <p>
                New ones that match appear here. <a href={here('requests')}>Show all requests</a>
              </p>
            </Empty>
          ) : (
            <Empty title="No requests yet" command={exampleOf(site, 'GET', '/v1/templates')}>
              <p>
                Each API call of this account appears here. Point your application at {location.origin} with the key{' '}
                <span class="mono">{key}</span>, or run:
              </p>
            </Empty>
          )
        }
      />
    </>
  );
}

/** Saves the journal, and clears it. */
export function JournalMenu({ query }: { query: Query }) {
  const { api, key } = model.value;
  const saveJson = async () => {
    const all: JournalRequest[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: object = { ...filterOf(query), after, limit: 1000 };
      const read: { items: JournalRequest[]; next: number | null } | null = await act(
        done(api.GET('/_sandbox/requests', { params: { query: page } })),
      );
      if (!read) return;
      all.push(...read.items);
      after = read.next;
    }
    download('requests.json', JSON.stringify(all, null, 2), 'application/json');
  };
  const record = async (format: 'scenario' | 'har', file: string) => {
    const call = api.GET('/_sandbox/record', { params: { query: { format } }, parseAs: 'text' });
    const text: unknown = await act(done(call));
    if (typeof text === 'string') download(file, text, format === 'har' ? 'application/json' : 'application/yaml');
  };
  const clear = () =>
    undoable(api, 'before-clear', `The journal of ${key} is cleared.`, () =>
      succeeded(api.DELETE('/_sandbox/requests')),
    );
  return (
    <Menu label="Save or clear the journal" menu="from-end" button={<Icon name="more" />}>
      {() => (
        <>
          <MenuItem icon="download" onClick={() => void record('scenario', 'recorded.yaml')}>
            Record as scenario (YAML)
          </MenuItem>
          <MenuItem icon="download" onClick={() => void record('har', 'requests.har')}>
            HTTP Archive (HAR)
          </MenuItem>
          <MenuItem icon="download" onClick={() => void saveJson()}>
            Requests shown (JSON)
          </MenuItem>
          <hr />
          <MenuItem icon="close" kind="bad" onClick={() => void clear()}>
            Clear journal
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
