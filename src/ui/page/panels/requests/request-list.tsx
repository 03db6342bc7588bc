/** The request journal, newest first, updated live, with its filters. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { act, counted, exampleOf, here, type JournalRequest, model, replace, useOlder } from '../../core/index.js';
import {
  Button,
  type Column,
  DataTable,
  EmptyState,
  ExportMenu,
  FilterMenu,
  FormDialog,
  HttpBadge,
  RelativeTime,
  SearchField,
} from '../../parts/index.js';
import { batchWords, isSocketFault, rejectionOf, subjectOf } from './call.js';
import { everything, isFiltered, operations, operationTitle, RequestFilter, type Wanted } from './filter.js';

/** Number of matches after which a filter stops reading older calls. */
const enough = 60;

const columns: readonly Column<JournalRequest>[] = [
  {
    id: 'call',
    title: 'Request',
    least: 12,
    most: 17,
    rank: 0,
    cell: (row, shown) => (
      <span class="call line gap-50">
        <HttpBadge status={row.status} />
        <span class="call-words clips grid shrinks">
          <span class="mono">
            <span class="faint">{row.method}</span> {row.path}
          </span>
          {!shown.has('subject') && <span class="faint">{subjectOf(row)}</span>}
          {!shown.has('result') && <Result row={row} />}
        </span>
      </span>
    ),
  },
  {
    id: 'operation',
    title: 'Operation',
    least: 9.5,
    most: 11,
    rank: 4,
    cell: ({ operation }) => operationTitle(operation),
  },
  { id: 'subject', title: 'Recipient or name', least: 9, most: 12, rank: 2, cell: subjectOf },
  { id: 'result', title: 'Result', least: 14, rank: 1, cell: (row) => <Result row={row} /> },
  {
    id: 'duration',
    title: 'Duration',
    least: 4.6,
    most: 5,
    rank: 5,
    cell: ({ duration_ms: ms }) => durationWords(ms),
  },
  { id: 'at', title: 'Time (UTC)', least: 7, most: 7.5, rank: 0, cell: ({ at }) => <RelativeTime at={at} as="time" /> },
];

export function durationWords(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Shows what was unusual about a call; if it was rejected, the reason comes first. */
function Result({ row }: { row: JournalRequest }) {
  const { fault, warnings, explain } = row;
  const batch = batchWords(row);
  const rejection = rejectionOf(row);
  return (
    <span class="result grid shrinks">
      {rejection !== null && (
        <span class="rejection clips bad" title={rejection}>
          {rejection}
        </span>
      )}
      <span class="marks inline">
        {batch !== null && <span class="badge tiny-text bad">{batch}</span>}
        {fault !== undefined && isSocketFault(fault) && <span class="badge tiny-text bad">{fault}</span>}
        {explain && explain.by !== 'default' && <span class="mark-rule clips">{explain.id ?? explain.by}</span>}
        {warnings.length > 0 && <span class="badge tiny-text warn">{counted(warnings.length, 'warning')}</span>}
      </span>
    </span>
  );
}

export function RequestList({ current, wanted, raw }: { current: string | undefined; wanted: Wanted; raw: boolean }) {
  const { api, requests } = model.value;
  const state = requests.state.value;
  const [clearing, setClearing] = useState(false);
  useEffect(() => requests.ensure(), [requests]);
  const filter = useMemo(() => new RequestFilter(wanted), Object.values(wanted));
  const filtered = isFiltered(wanted);
  const rows = filter.chosen(requests.rows);
  const looking = filtered && rows.length < enough && requests.more.value;
  useOlder(requests, looking);
  const query = { ...wanted, body: raw ? 'raw' : null };
  return (
    <>
      <header class="list-head row requests-head">
        <Filters
          wanted={wanted}
          onChange={(next) =>
            replace(here('requests', current === undefined ? [] : [current], { ...next, body: raw ? 'raw' : null }))
          }
        />
        <p class="requests-count gap-50 line small-text figures faint">
          <span role="status">{countWords(rows.length, requests.rows.length, filtered, requests.more.value)}</span>
          <a class="refused-link" href={here('requests', [], { show: 'refused' })}>
            Rejected
          </a>
          <ExportMenu
            history
            lists={[
              {
                title: filtered ? 'Requests shown' : 'Requests',
                file: 'requests',
                page: (page) => api.get('/_sandbox/requests', page),
                choose: (all) => new RequestFilter(wanted).chosen(all as readonly JournalRequest[]).reverse(),
              },
            ]}
          />
          <Button kind="quiet small" disabled={requests.rows.length === 0} onClick={() => setClearing(true)}>
            Clear journal …
          </Button>
        </p>
      </header>
      {state === 'ready' && rows.length === 0 && !looking ? (
        <NoRequests filtered={filtered} />
      ) : (
        <DataTable
          label="Requests"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => here('requests', [id], query)}
          current={current}
          onNearEnd={() => void requests.older()}
        />
      )}
      {clearing && <ClearDialog onClose={() => setClearing(false)} />}
    </>
  );
}

function countWords(chosen: number, known: number, filtered: boolean, more: boolean): string {
  const of = `${known.toLocaleString('en')}${more ? '+' : ''} ${known === 1 ? 'call' : 'calls'}`;
  return filtered ? `${chosen.toLocaleString('en')} of ${of}` : of;
}

function NoRequests({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState icon="search" title="No request matches">
        <p>New matching requests appear here.</p>
        <a href={here('requests')}>Show all requests</a>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="requests" title="No requests yet" command={exampleOf(model.value.site, 'GET', '/v1/templates')}>
      <p>
        Each API call of this account appears here. Point your application at {location.origin} with the key{' '}
        <span class="mono">{model.value.key}</span>, or run:
      </p>
    </EmptyState>
  );
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const { api, requests } = model.value;
  const clear = async () => {
    if (
      (await act(
        api.delete('/_sandbox/requests').then(() => true),
        'The journal is cleared.',
      )) === null
    )
      return;
    requests.clear();
    onClose();
  };
  return (
    <FormDialog title="Clear journal" onClose={onClose} does="Clear journal" danger onSubmit={clear}>
      <p>Deletes every request of this account. Messages, templates, events and deliveries stay.</p>
    </FormDialog>
  );
}

const classes = [
  ['2xx', 'Accepted (2xx)'],
  ['4xx', 'Rejected (4xx)'],
  ['5xx', 'Failed (5xx)'],
  ['none', 'No response'],
] as const;

export function Filters({ wanted, onChange }: { wanted: Wanted; onChange: (wanted: Wanted) => void }) {
  const change = (part: Partial<Wanted>) => onChange({ ...wanted, ...part });
  return (
    <div class="filters gap-50 row" role="search" aria-label="Filter the journal">
      <SearchField
        label="Search requests"
        placeholder="Any text, number or id"
        value={wanted.q}
        onChange={(q) => change({ q })}
      />
      <FilterMenu
        choices={[
          {
            id: 'operation',
            label: 'Operation',
            value: wanted.operation,
            options: [...operations, ['none', 'No operation']],
          },
          { id: 'status', label: 'Status', value: wanted.status, options: classes },
          { id: 'path', label: 'Path', value: wanted.path, placeholder: '/v1/otp/*' },
        ]}
        onChange={(id, value) => change({ [id]: value })}
      />
      {isFiltered(wanted) && (
        <Button kind="quiet small" onClick={() => onChange(everything)}>
          Reset
        </Button>
      )}
    </div>
  );
}
