/** Every delivery, newest first and live, chosen by what the address says. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { model } from '../../core/current.js';
import { here, replace } from '../../core/location.js';
import type { Delivery } from '../../core/records.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Icon } from '../../parts/icon.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { SearchField } from '../../parts/search-field.js';
import { HttpBadge, StatusBadge } from '../../parts/status-badge.js';
import { EmitDialog } from './emit-dialog.js';
import { eventTypes, filtered, filters, states, type DeliveryFilter } from './filter.js';
import { deliveryHref, shortUrl } from './place.js';
import { subjectOf } from './subject.js';

interface Props {
  readonly current: string | undefined;
  readonly filter: DeliveryFilter;
}

export function DeliveryList({ current, filter }: Props) {
  const { deliveries } = model.value;
  const [emitting, setEmitting] = useState(false);
  const state = deliveries.state.value;
  const version = deliveries.version.value;
  const filtering = filters(filter);
  useEffect(() => deliveries.ensure(), [deliveries]);
  // What fits may be far back.
  useEffect(() => {
    if (state === 'ready' && filtering) void deliveries.all();
  }, [deliveries, state, filtering]);
  const rows = useMemo(
    () => filtered(deliveries.rows, filter),
    [deliveries, version, filter.q, filter.state, filter.type, filter.endpoint],
  );
  const narrow = current !== undefined;
  return (
    <>
      <header class="list-head">
        <FilterBar current={current} filter={filter} />
        <button type="button" class="button primary" onClick={() => setEmitting(true)}>
          <Icon name="bolt" size={16} /> Emit event
        </button>
      </header>
      {state === 'ready' && rows.length === 0 ? (
        <NoDeliveries filtering={filtering} />
      ) : (
        <DataTable
          label="Deliveries"
          columns={narrow ? narrowColumns : columns}
          narrow={narrow}
          rows={rows}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => deliveryHref(id)}
          current={current}
          onNearEnd={() => void deliveries.older()}
        />
      )}
      {emitting && <EmitDialog onClose={() => setEmitting(false)} />}
    </>
  );
}

function StateCell(row: Delivery) {
  return (
    <>
      <StatusBadge status={row.state} />
      <span class="for-readers">
        {' '}
        {row.event_type} {subjectOf(row).words}
      </span>
    </>
  );
}

function TypeCell(row: Delivery) {
  return (
    <span class="delivery-what">
      <span class="strong">{row.event_type}</span>
      <span class="faint">{subjectOf(row).words}</span>
    </span>
  );
}

function LastCell({ attempts }: Delivery) {
  const last = attempts.at(-1);
  return last ? <HttpBadge status={last.status} /> : <span class="faint">none yet</span>;
}

const columns: readonly Column<Delivery>[] = [
  { id: 'state', title: 'State', width: '5.3rem', cell: StateCell },
  { id: 'event', title: 'Event', width: 'minmax(8.5rem, 1fr)', cell: TypeCell },
  { id: 'endpoint', title: 'Endpoint', width: 'minmax(8rem, 1.4fr)', wideOnly: true, cell: ({ url }) => shortUrl(url) },
  { id: 'attempts', title: 'Attempts', width: '4.5rem', wideOnly: true, cell: ({ attempts }) => attempts.length },
  { id: 'last', title: 'Answer', width: '5.8rem', cell: LastCell },
  {
    id: 'next',
    title: 'Next attempt',
    width: '8rem',
    wideOnly: true,
    cell: ({ next_attempt_at: next }) => (next === null ? <span class="faint">–</span> : <RelativeTime at={next} />),
  },
  {
    id: 'at',
    title: 'Owed since',
    width: '8.5rem',
    wideOnly: true,
    cell: ({ created_at: at }) => <RelativeTime at={at} />,
  },
];
const narrowColumns = columns.filter(({ wideOnly }) => wideOnly !== true);

function FilterBar({ current, filter }: Props) {
  const { webhooks } = model.value;
  const set = (change: Partial<DeliveryFilter>) => {
    const query = { ...filter, ...change };
    replace(here('webhooks', current === undefined ? ['deliveries'] : ['deliveries', current], query));
  };
  return (
    <>
      <SearchField
        label="Search deliveries"
        placeholder="Any id, number or text"
        value={filter.q}
        onChange={(q) => set({ q })}
      />
      <div class="delivery-filters">
        <Choice label="State" all="State" value={filter.state} options={states} onChange={(state) => set({ state })} />
        <Choice label="Event" all="Event" value={filter.type} options={eventTypes} onChange={(type) => set({ type })} />
        <select
          aria-label="Endpoint"
          value={filter.endpoint}
          onChange={(event) => set({ endpoint: event.currentTarget.value })}
        >
          <option value="">Endpoint</option>
          {webhooks.rows.map(({ id, url }) => (
            <option key={id} value={id}>
              {shortUrl(url)}
            </option>
          ))}
          {filter.endpoint !== '' && !webhooks.get(filter.endpoint) && (
            <option value={filter.endpoint}>{filter.endpoint} (removed)</option>
          )}
        </select>
      </div>
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  );
}

function NoDeliveries({ filtering }: { readonly filtering: boolean }) {
  const { key, webhooks } = model.value;
  if (filtering) {
    return (
      <EmptyState icon="search" title="No delivery fits">
        <a href={here('webhooks', ['deliveries'])}>Show all deliveries</a>
      </EmptyState>
    );
  }
  if (webhooks.state.value === 'ready' && webhooks.rows.length === 0) {
    return (
      <EmptyState
        icon="webhook"
        title="Nobody listens yet"
        command={`curl -s ${location.origin}/v1/webhooks \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"url":"https://sink.sandbox/app","events":["message.received","message.status"]}'`}
      >
        <p>
          Events go to registered endpoints. Register one as your application does,{' '}
          <a href={here('webhooks', ['endpoints'])}>register one here</a>, or run this for a receiver that is built in:
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="webhook"
      title="Nothing was delivered yet"
      command={`curl -s ${location.origin}/_sandbox/events \\\n  -H 'Authorization: Bearer ${key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"type":"message.received"}'`}
    >
      <p>Send a message, write as a customer in the handset, emit an event with the button above, or run:</p>
    </EmptyState>
  );
}
