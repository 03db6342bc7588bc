/** The journal, live and newest first, with its filters. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { act } from '../../core/api.js';
import { model } from '../../core/current.js';
import { here, replace } from '../../core/location.js';
import type { JournalRequest } from '../../core/records.js';
import { clockWords } from '../../core/time-words.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogAnswers } from '../../parts/dialog-answers.js';
import { EmptyState } from '../../parts/empty-state.js';
import { HttpBadge } from '../../parts/status-badge.js';
import { isSocketFault, subjectOf } from './call.js';
import { isFiltered, operationTitle, RequestFilter, type Wanted } from './filter.js';
import { Filters } from './filters.js';

/** Calls that a filter shall find before it rests. */
const enough = 60;

const columns: readonly Column<JournalRequest>[] = [
  {
    id: 'call',
    title: 'Call',
    width: 'minmax(11rem, 2fr)',
    cell: (row) => (
      <span class="call">
        <HttpBadge status={row.status} />
        <span class="call-words mono">
          <span class="faint">{row.method}</span> {row.path} <span class="call-subject faint">{subjectOf(row)}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'what',
    title: 'What',
    width: 'minmax(7rem, 1fr)',
    wideOnly: true,
    cell: ({ operation }) => operationTitle(operation),
  },
  { id: 'subject', title: 'About', width: 'minmax(7rem, 1fr)', wideOnly: true, cell: subjectOf },
  { id: 'why', title: 'Remarks', width: 'minmax(8rem, 1.2fr)', wideOnly: true, cell: (row) => <Remarks row={row} /> },
  { id: 'ms', title: 'Took', width: '4.5rem', wideOnly: true, cell: ({ duration_ms: ms }) => tookWords(ms) },
  {
    id: 'at',
    title: 'At',
    width: '4.6rem',
    cell: ({ at }) => (
      <time dateTime={at} title={at} class="mono">
        {clockWords(Date.parse(at), true)}
      </time>
    ),
  },
];

export function tookWords(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** What was not plain about a call. */
function Remarks({ row: { error, fault, warnings, explain } }: { readonly row: JournalRequest }) {
  return (
    <span class="remarks">
      {error !== undefined && <span class="badge bad">{error}</span>}
      {fault !== undefined && isSocketFault(fault) && <span class="badge bad">{fault}</span>}
      {explain && explain.by !== 'default' && <span class="badge warn">{explain.id ?? explain.by}</span>}
      {warnings.length > 0 && (
        <span class="badge warn">
          {warnings.length} {warnings.length === 1 ? 'warning' : 'warnings'}
        </span>
      )}
    </span>
  );
}

interface Props {
  readonly current: string | undefined;
  readonly wanted: Wanted;
  readonly raw: boolean;
}

export function RequestList({ current, wanted, raw }: Props) {
  const { requests } = model.value;
  const state = requests.state.value;
  const [clearing, setClearing] = useState(false);
  useEffect(() => requests.ensure(), [requests]);
  const filter = useMemo(() => new RequestFilter(wanted), Object.values(wanted));
  const filtered = isFiltered(wanted);
  const rows = filter.chosen(requests.rows);
  const looking = filtered && rows.length < enough && requests.more.value;
  useEffect(() => {
    if (state === 'ready' && looking) void requests.older();
  }, [requests, state, looking, requests.version.value]);
  const query = { ...wanted, body: raw ? 'raw' : null };
  return (
    <>
      <header class="list-head requests-head">
        <Filters
          wanted={wanted}
          onChange={(next) =>
            replace(here('requests', current === undefined ? [] : [current], { ...next, body: raw ? 'raw' : null }))
          }
        />
        <p class="requests-count faint">
          <span role="status">{countWords(rows.length, requests.rows.length, filtered, requests.more.value)}</span>
          <a class="refused-link" href={here('requests', [], { show: 'refused' })}>
            Refused
          </a>
          <button
            type="button"
            class="button quiet small"
            disabled={requests.rows.length === 0}
            onClick={() => setClearing(true)}
          >
            Clear …
          </button>
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
          narrow={current !== undefined}
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

function NoRequests({ filtered }: { readonly filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState icon="search" title="No call fits">
        <p>New ones appear as they come.</p>
        <a href={here('requests')}>Show every call</a>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="requests"
      title="No calls yet"
      command={`curl -s ${location.origin}/v1/templates -H 'Authorization: Bearer ${model.value.key}'`}
    >
      <p>Point your application at this sandbox with this account’s key: each of its calls appears here. Or run:</p>
    </EmptyState>
  );
}

function ClearDialog({ onClose }: { readonly onClose: () => void }) {
  const { api, requests } = model.value;
  const clear = async () => {
    if (
      (await act(
        api.delete('/_sandbox/requests').then(() => true),
        'The journal is empty.',
      )) === null
    )
      return;
    requests.clear();
    onClose();
  };
  return (
    <Dialog title="Clear the journal" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void clear();
        }}
      >
        <p>Every call of this account is forgotten. Messages, templates, events and deliveries stay.</p>
        <DialogAnswers does="Clear" onClose={onClose} danger />
      </form>
    </Dialog>
  );
}
