/** Deliveries, newest first, updated live, filtered by the address. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { here, model, replace } from '../../core/index.js';
import {
  Button,
  type Column,
  DataTable,
  FilterMenu,
  HttpBadge,
  RelativeTime,
  SearchField,
  StatusBadge,
} from '../../parts/index.js';
import { EmitDialog } from './emit-dialog.js';
import {
  eventTypes,
  faultWords,
  filtered,
  filters,
  states,
  statuses,
  type DeliveryFilter,
  type DeliveryGroup,
} from './filter.js';
import { mostAttempts } from './ladder.js';
import { NoDeliveries } from './no-deliveries.js';
import { deliveryHref, shortUrl } from './place.js';
import { rulesOf, subjectOf } from './subject.js';

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
  // Matches may be older than the loaded records.
  useEffect(() => {
    if (state === 'ready' && filtering) void deliveries.all();
  }, [deliveries, state, filtering]);
  const rows = useMemo(() => filtered(deliveries.rows, filter), [deliveries, version, JSON.stringify(filter)]);
  const open = rows.find(({ copies }) => copies.some(({ id }) => id === current));
  return (
    <>
      <header class="list-head row">
        <FilterBar current={current} filter={filter} />
        <Button kind="primary" icon="bolt" onClick={() => setEmitting(true)}>
          Emit event
        </Button>
      </header>
      {state === 'ready' && rows.length === 0 ? (
        <NoDeliveries filtering={filtering} />
      ) : (
        <DataTable
          label="Deliveries"
          columns={columns}
          rows={rows}
          keyOf={({ delivery }) => delivery.id}
          hrefOf={({ delivery }) => deliveryHref(delivery.id)}
          current={open?.delivery.id}
          onNearEnd={() => void deliveries.older()}
        />
      )}
      {emitting && <EmitDialog onClose={() => setEmitting(false)} />}
    </>
  );
}

function StateCell({ delivery }: DeliveryGroup) {
  return (
    <>
      <StatusBadge status={delivery.state} />
      <span class="for-readers">
        {' '}
        {delivery.event_type} {subjectOf(delivery).words}
      </span>
    </>
  );
}

function EventCell(group: DeliveryGroup, shown: ReadonlySet<string>) {
  const { delivery } = group;
  const { words, status } = subjectOf(delivery);
  return (
    <span class="delivery-what grid">
      <span>
        <span class="strong">{delivery.event_type}</span>
        {status !== null && <> {status}</>}
      </span>
      <span class="faint">{words}</span>
      {!shown.has('faults') && <Faults {...group} />}
    </span>
  );
}

/** The faults of a delivery, and the rules that caused them. */
function Faults({ delivery, copies }: DeliveryGroup) {
  const faults = [...new Set(copies.flatMap((each) => each.faults ?? []))].filter((fault) => fault !== 'duplicated');
  return (
    <span class="marks inline">
      {copies.length > 1 && <span class="badge tiny-text warn">×{copies.length}</span>}
      {faults.map((fault) => (
        <span key={fault} class="badge tiny-text warn">
          {faultWords[fault]}
        </span>
      ))}
      {rulesOf(delivery).map((rule) => (
        <span key={rule} class="mark-rule clips" title={`Rule ${rule}`}>
          {rule}
        </span>
      ))}
    </span>
  );
}

/** Number of attempts; during retries, out of how many. */
function AttemptsCell({ delivery: { attempts, state } }: DeliveryGroup) {
  const last = attempts.at(-1)?.number ?? 0;
  if (state !== 'retrying' || last >= mostAttempts) return last;
  return (
    <span title={`Attempt ${last} failed. The schedule has ${mostAttempts} attempts in 24 hours.`}>
      {last} of {mostAttempts}
    </span>
  );
}

function ResponseCell({ delivery: { attempts } }: DeliveryGroup) {
  const last = attempts.at(-1);
  return last ? <HttpBadge status={last.status} /> : <span class="faint">none yet</span>;
}

const columns: readonly Column<DeliveryGroup>[] = [
  { id: 'state', title: 'State', least: 5.3, most: 6, rank: 0, cell: StateCell },
  { id: 'event', title: 'Event', least: 11, most: 15, rank: 0, cell: EventCell },
  { id: 'faults', title: 'Faults and rules', least: 9, rank: 2, cell: (group) => <Faults {...group} /> },
  {
    id: 'endpoint',
    title: 'Endpoint',
    least: 9,
    most: 14,
    rank: 3,
    cell: ({ delivery }) => shortUrl(delivery.url),
  },
  { id: 'attempts', title: 'Attempts', least: 4.6, most: 5, rank: 4, cell: AttemptsCell },
  { id: 'response', title: 'Response', least: 5.4, most: 6, rank: 0, cell: ResponseCell },
  {
    id: 'next',
    title: 'Next attempt',
    least: 7.2,
    most: 8,
    rank: 5,
    cell: ({ delivery: { next_attempt_at: next } }) =>
      next === null ? <span class="faint">–</span> : <RelativeTime at={next} />,
  },
  {
    id: 'at',
    title: 'Created (UTC)',
    least: 7.2,
    most: 8,
    rank: 1,
    cell: ({ delivery: { created_at: at } }) => <RelativeTime at={at} as="time" />,
  },
];

const pairs = (words: readonly string[]) => words.map((word) => [word, word] as const);

function FilterBar({ current, filter }: Props) {
  const { webhooks, deliveries } = model.value;
  const set = (change: Partial<DeliveryFilter>) => {
    const query = { ...filter, ...change };
    replace(here('webhooks', current === undefined ? ['deliveries'] : ['deliveries', current], query));
  };
  const rules = [...new Set(deliveries.rows.flatMap(rulesOf))].sort();
  return (
    <>
      <SearchField
        label="Search deliveries"
        placeholder="Any id, number or text"
        value={filter.q}
        onChange={(q) => set({ q })}
      />
      <Button
        kind="small toggle"
        icon="alert"
        aria-pressed={filter.only !== ''}
        title="Retrying, held, dropped or failed deliveries, and those with a failed attempt"
        onClick={() => set({ only: filter.only === '' ? 'problems' : '' })}
      >
        Only problems
      </Button>
      <FilterMenu
        choices={[
          { id: 'state', label: 'State', value: filter.state, options: pairs(states) },
          { id: 'type', label: 'Event', value: filter.type, options: pairs(eventTypes) },
          { id: 'status', label: 'Status', value: filter.status, options: pairs(statuses) },
          {
            id: 'endpoint',
            label: 'Endpoint',
            value: filter.endpoint,
            options: webhooks.rows.map(({ id, url }) => [id, shortUrl(url)] as const),
          },
          { id: 'fault', label: 'Fault', value: filter.fault, options: Object.entries(faultWords) },
          { id: 'rule', label: 'Rule', value: filter.rule, options: pairs(rules) },
        ]}
        onChange={(id, value) => set({ [id]: value })}
      />
    </>
  );
}
