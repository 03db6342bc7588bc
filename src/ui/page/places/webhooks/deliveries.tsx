import { exampleOf, here, model, useRead, shortUrl, upper } from '../../core/index.js';
import { chips, type Column, filterOf, type ListProps, Records, stateColumn, timeColumn } from '../../parts/index.js';
import { useRecords } from '../../parts/index.js';
import { Result } from './attempts.js';
import { eventTypes } from './emit.js';
import { RedeliverAll, stuck } from './redeliver-all.js';
import { type Group, groupsOf, subjectOf } from './groups.js';

/** The states in which something is to be done come first. */
const troubles = ['retrying', 'failed', 'held'] as const;
const usual = ['delivered', 'pending', 'dropped'] as const;

/** The subject or destination of the event, and how many of its deliveries have the worst state, if not all. */
function withShare(words: string, { all, worst }: Group): string {
  const same = all.filter(({ state }) => state === worst.state).length;
  return [words, same < all.length ? `${same} of ${all.length} ${worst.state}` : ''].filter(Boolean).join(' · ');
}

const columns: readonly Column<Group>[] = [
  stateColumn('Result', ({ worst }) => <Result of={worst} />),
  {
    title: 'Event',
    width: 256,
    cell: ({ worst }) => (
      <>
        {worst.event_type} <span class="soft">{subjectOf(worst).status}</span>
      </>
    ),
    sub: (group) => withShare(subjectOf(group.worst).words, group),
  },
  { title: 'About', width: 160, class: 'wide soft', cell: ({ worst }) => subjectOf(worst).words },
  {
    title: 'Endpoint',
    class: 'wide soft',
    cell: (group) => withShare(shortUrl(group.worst.url), group),
  },
  { title: 'Attempts', width: 80, class: 'wide figures soft end', cell: ({ worst }) => worst.attempts.length },
  timeColumn(({ worst }) => worst.created_at),
];

export function DeliveryList(props: ListProps) {
  const { current, query } = props;
  const { api, site } = model.value;
  const endpoints =
    useRead('endpoints to filter by', () => api.get('/_sandbox/webhooks', { query: { limit: 1000 } }), ['webhook'])
      .value?.items ?? [];
  const list = useRecords(query, ['state', 'event_type', 'webhook_id'], ['delivery', 'attempt'], (page) =>
    api.get('/_sandbox/deliveries', { query: page }),
  );
  const groups = list.rows && groupsOf(list.rows);
  const registered = endpoints.length > 0;
  const filter = filterOf(query, ['event_type', 'webhook_id']);
  const counts = useRead(
    `counts of deliveries ${JSON.stringify(filter)}`,
    () => api.get('/_sandbox/deliveries/count', { query: filter }),
    ['delivery'],
  ).value;
  const chosen = stuck.find((state) => state === query['state']);
  return (
    <Records
      one="delivery"
      label="Deliveries"
      path={['webhooks', 'deliveries']}
      {...props}
      list={{ ...list, rows: groups, onLook: (first) => list.onLook?.(groups?.[first]?.at ?? 0) }}
      idOf={({ worst }) => worst.id}
      seqOf={({ worst }) => worst.seq}
      isCurrent={({ all }) => all.some(({ id }) => id === current)}
      columns={columns}
      filters={[
        chips('state', 'State', counts?.count, [
          ...troubles.map((each) => [each, upper(each), counts?.by_state[each], true] as const),
          // The last two are rare, and short-lived.
          ...usual
            .filter((each) => each === 'delivered' || counts?.by_state[each] || query['state'] === each)
            .map((each) => [each, upper(each), counts?.by_state[each]] as const),
        ]),
        {
          name: 'event_type',
          label: 'Event type',
          options: [['', 'Event'], ...eventTypes.map((each) => [each, each] as const)],
        },
        {
          name: 'webhook_id',
          label: 'Endpoint',
          options: [['', 'Endpoint'], ...endpoints.map(({ id, url }) => [id, shortUrl(url)] as const)],
        },
      ]}
      search="Number, id or text"
      command={registered ? undefined : registration(site)}
      none={
        registered ? (
          'Each event that goes to an endpoint appears here. Send a message, or emit an event with the button above.'
        ) : (
          <>
            Each event that goes to an endpoint appears here. No endpoint is registered: register one under{' '}
            <a href={here('webhooks', ['endpoints'])}>Endpoints</a>, or run this with your receiver’s port:
          </>
        )
      }
    >
      {chosen && groups?.length ? <RedeliverAll query={filter} states={[chosen]} /> : null}
    </Records>
  );
}

export function registration(site: Parameters<typeof exampleOf>[0]): string {
  return exampleOf(site, 'POST', '/v1/webhooks', {
    url: 'https://localhost:3000/hook',
    events: ['message.received', 'message.status'],
  });
}
