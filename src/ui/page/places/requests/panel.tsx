import { act, allOf, counted, download, exampleOf, here, type JournalRequest, model } from '../../core/index.js';
import { type Route, save, undoable, useRead } from '../../core/index.js';
import { chips, type Column, filterOf, Http, Icon, type ItemProps, type ListProps, Menu } from '../../parts/index.js';
import { MenuItem, type Query, Records, stateColumn, timeColumn, useRecords, Views } from '../../parts/index.js';
import { aboutOf, durationWords, operations, resultOf } from './call.js';
import { RawEditor } from './raw-editor.js';
import { RejectedDetail, RejectedList } from './rejected.js';
import { RequestDetail } from './request-detail.js';

/** `requests/ID`, with filters in the query; `requests/new?from=ID`; `requests/rejected/ID`. */
export function Requests({ route }: { route: Route }) {
  return (
    <Views
      label="Calls"
      route={route}
      views={[
        { title: 'Calls', path: [], list: RequestList, item: Call, actions: Actions },
        { title: 'Without an account', path: ['rejected'], list: RejectedList, item: RejectedDetail, actions: Actions },
      ]}
    />
  );
}

function Call(props: ItemProps) {
  return props.id === 'new' ? <RawEditor back={here('requests')} /> : <RequestDetail {...props} />;
}

const columns: readonly Column<JournalRequest>[] = [
  stateColumn('Status', ({ status }) => <Http status={status} />),
  {
    title: 'Request',
    width: 232,
    cell: ({ method, path }) => (
      <>
        <span class="soft">{method}</span> {path}
      </>
    ),
    sub: (row) => [resultOf(row), warningWords(row), aboutOf(row)].filter(Boolean).join(' · '),
  },
  { title: 'About', width: 144, class: 'wide soft', cell: aboutOf },
  { title: 'Result', class: 'wide', cell: (row) => <Result row={row} /> },
  { title: 'Took', width: 72, class: 'wide end soft figures', cell: (row) => durationWords(row.duration_ms) },
  timeColumn(({ at }) => at),
];

function Result({ row }: { row: JournalRequest }) {
  const { explain, warnings, status } = row;
  const result = resultOf(row);
  return (
    <>
      {result !== null && <span class={status === null || status >= 500 ? 'bad' : 'warn'}>{result}</span>}
      {result === null && explain && explain.by !== 'default' && <span class="soft">{explain.text}</span>}{' '}
      {warnings.length > 0 && <span class="pill warn">{warningWords(row)}</span>}
    </>
  );
}

function warningWords({ warnings: { length } }: JournalRequest): string {
  return length > 0 ? counted(length, 'warning') : '';
}

const parameters = ['status', 'operation'];

/** Three digits in the search are a status. */
function withStatus(query: Query): Query {
  const { q = '' } = query;
  return /^[1-5]\d\d$/.test(q) ? { ...query, q: '', status: q } : query;
}

function RequestList(props: ListProps) {
  const { api, site, key } = model.value;
  const wanted = withStatus(props.query);
  const rest = filterOf(wanted, ['operation']);
  const counts = useRead(
    `counts of calls ${JSON.stringify(rest)}`,
    () =>
      Promise.all(
        [{}, { status: '4xx' }, { status: '5xx' }].map((status) =>
          api.get('/_sandbox/requests/count', { query: { ...rest, ...status } }),
        ),
      ),
    ['request'],
  ).value?.map(({ count }) => count);
  return (
    <Records
      one="request"
      label="Requests"
      path={['requests']}
      {...props}
      list={useRecords(wanted, parameters, ['request'], (page) => api.get('/_sandbox/requests', { query: page }))}
      idOf={({ id }) => id}
      seqOf={({ seq }) => seq}
      columns={columns}
      filters={[
        chips('status', 'Status', counts?.[0], [
          ['4xx', '4xx', counts?.[1]],
          ['5xx', '5xx', counts?.[2], true],
        ]),
        { name: 'operation', label: 'Operation', options: [['', 'Operation'], ...operations] },
      ]}
      search="Number, id, text or status such as 404"
      command={exampleOf(site, 'GET', '/v1/templates')}
      none={
        <>
          Each API call of this account appears here. Point your application at {location.origin} with the key{' '}
          <span class="mono">{key}</span>, or run:
        </>
      }
    />
  );
}

function Actions({ query }: { query: Query }) {
  const { api, key } = model.value;
  const saveJson = async () => {
    const filter = filterOf(withStatus(query), parameters);
    const all = await act(allOf((page) => api.get('/_sandbox/requests', { query: { ...filter, ...page } })));
    if (all) download('requests.json', JSON.stringify(all, null, 2), 'application/json');
  };
  const record = (format: 'scenario' | 'har', file: string, type: string) =>
    save(api.get('/_sandbox/record', { query: { format }, parseAs: 'text' }), file, type);
  const clear = () =>
    act(undoable(api, 'before-clear', `The journal of ${key} is cleared.`, () => api.delete('/_sandbox/requests')));
  return (
    <>
      <a class="button low" href={here('requests', ['new'])}>
        <Icon name="plus" size={16} /> New request
      </a>
      <Menu label="Save or clear the journal" menu="from-end" button={<Icon name="more" />}>
        {() => (
          <>
            <MenuItem icon="download" onClick={() => void record('scenario', 'recorded.yaml', 'application/yaml')}>
              Record as scenario (YAML)
            </MenuItem>
            <MenuItem icon="download" onClick={() => void record('har', 'requests.har', 'application/json')}>
              HTTP Archive (HAR)
            </MenuItem>
            <MenuItem icon="download" onClick={() => void saveJson()} words="Requests shown (JSON)" />
            <hr />
            <MenuItem icon="close" kind="bad" onClick={() => void clear()} words="Clear journal" />
          </>
        )}
      </Menu>
    </>
  );
}
