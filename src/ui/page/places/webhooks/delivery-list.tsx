/** Deliveries, newest first, one row for each event. */
import {
  type Delivery,
  done,
  type Endpoint,
  exampleOf,
  filtered,
  here,
  model,
  replace,
  useList,
  useRead,
} from '../../core/index.js';
import { type Column, Empty, Http, RowLink, SearchBox, Select, State, Table, Time } from '../../parts/index.js';
import { eventTypes } from './emit.js';
import { type Group, groupsOf } from './groups.js';
import { subjectOf } from './subject.js';

const states = ['pending', 'retrying', 'delivered', 'held', 'dropped', 'failed'] as const;

export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '');
}

function Result({ all, worst }: Group) {
  const same = all.filter(({ state }) => state === worst.state).length;
  const last = worst.attempts.at(-1);
  if (worst.state === 'delivered' && last) return <Http status={last.status} />;
  return <State status={worst.state}>{all.length > 1 ? `${worst.state} ${same}/${all.length}` : worst.state}</State>;
}

const columns = (current: string | undefined, query: Readonly<Record<string, string>>): Column<Group>[] => [
  { title: 'Result', width: '112px', cell: (group) => <Result {...group} /> },
  {
    title: 'Event',
    width: '256px',
    class: 'main',
    cell: ({ all, worst }) => {
      const { words, status } = subjectOf(worst);
      return (
        <>
          <RowLink
            href={here('webhooks', ['deliveries', worst.id], query)}
            current={all.some(({ id }) => id === current)}
          >
            {worst.event_type} {status !== null && <span class="soft">{status}</span>}
          </RowLink>
          <span class="sub">{words}</span>
        </>
      );
    },
  },
  { title: 'About', width: '160px', class: 'wide soft', cell: ({ worst }) => subjectOf(worst).words },
  {
    title: 'Endpoint',
    class: 'wide soft',
    cell: ({ all, worst }) => `${shortUrl(worst.url)}${all.length > 1 ? ` and ${all.length - 1} more` : ''}`,
  },
  {
    title: 'Attempts',
    width: '80px',
    class: 'wide figures soft end',
    cell: ({ worst }) => worst.attempts.length,
  },
  {
    title: 'Time',
    width: '132px',
    class: 'end soft figures time',
    cell: ({ worst }) => <Time at={worst.created_at} />,
  },
];

interface Props {
  readonly current: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

export function DeliveryList({ current, query }: Props) {
  const { api, site } = model.value;
  const { q: search = '', state = '', type = '', endpoint = '' } = query;
  const endpoints =
    useRead(
      'endpoints to filter by',
      () => done(api.GET('/_sandbox/webhooks', { params: { query: { limit: 1000 } } })),
      ['webhook'],
    ).value?.items ?? [];
  const filter = {
    ...(search !== '' && { search }),
    ...(state !== '' && { state: state as Delivery['state'] }),
    ...(type !== '' && { event_type: type as Delivery['event_type'] }),
    ...(endpoint !== '' && { webhook_id: endpoint }),
  };
  const list = useList(
    `deliveries ${JSON.stringify(filter)}`,
    (page) => done(api.GET('/_sandbox/deliveries', { params: { query: { ...filter, ...page } } })),
    ['delivery', 'attempt'],
  );
  const groups = groupsOf(list.rows);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <div class="toolbar">
        <Select
          aria-label="State"
          value={state}
          options={[['', 'Every state'], ...states.map((each) => [each, each] as const)]}
          onText={(next) => replace(filtered({ state: next }))}
        />
        <Select
          aria-label="Event type"
          value={type}
          options={[['', 'Every event'], ...eventTypes.map((each) => [each, each] as const)]}
          onText={(next) => replace(filtered({ type: next }))}
        />
        {endpoints.length > 1 && (
          <Select
            aria-label="Endpoint"
            value={endpoint}
            options={[['', 'Every endpoint'], ...endpoints.map(({ id, url }) => [id, shortUrl(url)] as const)]}
            onText={(next) => replace(filtered({ endpoint: next }))}
          />
        )}
        <SearchBox
          label="Search deliveries"
          placeholder="Number, id or text"
          value={search}
          onText={(q) => replace(filtered({ q }))}
        />
      </div>
      <Table
        label="Deliveries"
        columns={columns(current, query)}
        list={{ ...list, rows: groups, onLook: (first) => list.onLook(groups[first]?.at ?? 0) }}
        keyOf={({ all }) => all[0]?.id ?? ''}
        empty={
          isFiltered ? (
            <Empty title="No delivery matches">
              <p>
                New ones that match appear here. <a href={here('webhooks', ['deliveries'])}>Show all deliveries</a>
              </p>
            </Empty>
          ) : (
            <NoDeliveries endpoints={endpoints} command={registration(site)} />
          )
        }
      />
    </>
  );
}

export function registration(site: Parameters<typeof exampleOf>[0]): string {
  return exampleOf(site, 'POST', '/v1/webhooks', {
    url: 'https://localhost:3000/hook',
    events: ['message.received', 'message.status'],
  });
}

function NoDeliveries({ endpoints, command }: { endpoints: readonly Endpoint[]; command: string }) {
  if (endpoints.length > 0) {
    return (
      <Empty title="No deliveries yet">
        <p>Each event that goes to an endpoint appears here. Send a message, or emit an event with the button above.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No deliveries yet" command={command}>
      <p>
        Each event that goes to an endpoint appears here. No endpoint is registered: register one under{' '}
        <a href={here('webhooks', ['endpoints'])}>Endpoints</a>, or run this with your receiver’s port:
      </p>
    </Empty>
  );
}
