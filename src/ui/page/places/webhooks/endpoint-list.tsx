/** Registered endpoints, newest first, with their failure streaks. */
import { done, type Endpoint, filtered, here, model, momentWords, replace, useList } from '../../core/index.js';
import { type Column, Empty, RowLink, SearchBox, State, Table, Time } from '../../parts/index.js';
import { registration, shortUrl } from './delivery-list.js';

const columns = (current: string | undefined, q: string): Column<Endpoint>[] => [
  {
    title: 'State',
    width: '104px',
    cell: ({ status, failing_since: since }) => (
      <State
        status={status === 'active' && since !== null ? 'failing' : status}
        {...(since !== null && status === 'active' && { tone: 'bad' as const })}
      />
    ),
  },
  {
    title: 'URL',
    class: 'main',
    cell: ({ id, url, events }) => (
      <>
        <RowLink href={here('webhooks', ['endpoints', id], { q })} current={id === current}>
          {shortUrl(url)}
        </RowLink>
        <span class="sub">{events.join(' · ')}</span>
      </>
    ),
  },
  { title: 'Events', width: '320px', class: 'wide soft', cell: ({ events }) => events.join(' · ') },
  {
    title: 'Registered',
    width: '132px',
    class: 'end soft figures time wide',
    cell: ({ created_at: at }) => <Time at={at} />,
  },
];

export function EndpointList({ current, search }: { current: string | undefined; search: string }) {
  const { api, site } = model.value;
  const list = useList(
    `endpoints ${search}`,
    (page) => done(api.GET('/_sandbox/webhooks', { params: { query: { ...page, ...(search !== '' && { search }) } } })),
    ['webhook'],
  );
  return (
    <>
      <div class="toolbar">
        <SearchBox
          label="Search endpoints"
          placeholder="URL or id"
          value={search}
          onText={(q) => replace(filtered({ q }))}
        />
      </div>
      <Table
        label="Endpoints"
        columns={columns(current, search)}
        list={list}
        keyOf={({ id }) => id}
        empty={
          search !== '' ? (
            <Empty title="No endpoint matches">
              <p>None contains “{search}”.</p>
            </Empty>
          ) : (
            <Empty title="No endpoints yet" command={registration(site)}>
              <p>
                Receivers of events appear here. Register one with the button above or from your application, or run
                this with your receiver’s port:
              </p>
            </Empty>
          )
        }
      />
    </>
  );
}

/** `Fails since 09:00:00, paused 2 Mar 09:00:00`; null without a failure streak. */
export function failureWords({ status, failing_since: since }: Endpoint, nowMs: number): string | null {
  if (since === null || status === 'paused') return null;
  const sinceMs = Date.parse(since);
  return `fails since ${momentWords(sinceMs, nowMs)}, paused ${momentWords(sinceMs + 86_400_000, nowMs)}`;
}
