import { useMemo, useRef } from 'preact/hooks';
import { exampleOf, type HandsetMessage, here, model, type Route, useRead } from '../../core/index.js';
import { chips, type Column, type ListProps, Records, State, stateColumn, timeColumn } from '../../parts/index.js';
import { useRecords, Views } from '../../parts/index.js';
import { Ticks } from '../conversations/ticks.js';
import { CodeDetail, CodeList, SendCode } from './codes.js';
import { MessageDetail } from './message-detail.js';
import { phoneOf, wordsOf } from './words.js';

/** `messages/ID`, with `?status=` and `?q=`; `messages/codes/ID`. */
export function Messages({ route }: { route: Route }) {
  return <Views label="Messages and codes" route={route} views={views} />;
}

const views = [
  { title: 'Messages', path: [], list: MessageList, item: MessageDetail },
  { title: 'Codes', path: ['codes'], list: CodeList, item: CodeDetail, actions: SendCode },
] as const;

const columns = (names: ReadonlyMap<string, string>): readonly Column<HandsetMessage>[] => [
  stateColumn('State', ({ status }) =>
    status === 'failed' ? <State status={status} /> : <Ticks status={status} words />,
  ),
  {
    title: 'Customer',
    width: 264,
    cell: (message) => (
      <>
        {phoneOf(message)} <bdi class="soft">{names.get(phoneOf(message))}</bdi>
      </>
    ),
    sub: (message) => [message.error?.code, wordsOf(message)].filter(Boolean).join(' · '),
  },
  {
    title: 'Text',
    class: 'wide',
    cell: (message) => (
      <>
        {message.error && <span class="bad">{message.error.code} </span>}
        <bdi>{wordsOf(message)}</bdi>
      </>
    ),
  },
  timeColumn((message) => message.created_at),
];

/** More customers are not named. */
const mostNamed = 1000;

/** Names of the customers, by number. They are read again only if one is missing: in a flood, that is seldom. */
function useNames(rows: readonly HandsetMessage[] = []): ReadonlyMap<string, string> {
  const { api } = model.value;
  const known = useRef<ReadonlyMap<string, string>>(new Map());
  const lacks = rows.some((row) => !known.current.has(phoneOf(row))) && known.current.size < mostNamed;
  const read = () => api.get('/_sandbox/customers', { query: { limit: mostNamed, order: 'desc' } });
  const items = useRead('names', read, [], lacks).value?.items;
  known.current = useMemo(() => new Map(items?.map(({ phone, profile_name: name }) => [phone, name ?? ''])), [items]);
  return known.current;
}

function MessageList(props: ListProps) {
  const { api, site, key } = model.value;
  const { query } = props;
  const { q = '' } = query;
  const both = { direction: 'inbound,outbound' };
  const counts = useRead(
    `counts ${q}`,
    () => api.get('/_sandbox/messages/count', { query: { ...both, ...(q !== '' && { search: q }) } }),
    ['message'],
  ).value;
  const of = counts?.by_status;
  const list = useRecords(query, ['status'], ['message'], (page) =>
    api.get('/_sandbox/messages', { query: { ...both, ...page } }),
  );
  const names = useNames(list.rows);
  return (
    <Records
      one="message"
      label="Messages"
      path={['messages']}
      {...props}
      list={list}
      idOf={(message) => message.message_id}
      seqOf={({ seq }) => seq}
      columns={columns(names)}
      filters={[
        chips('status', 'State', counts?.count, [
          ['failed', 'Failed', of?.failed, true],
          ['accepted,sent', 'Waiting', of && of.accepted + of.sent],
          ['delivered', 'Delivered', of?.delivered],
          ['read', 'Read', of?.read],
          ['received', 'Received', of?.received],
        ]),
      ]}
      search="Name, number, id or text"
      command={exampleOf(site, 'POST', '/_sandbox/inbound', { from: '+12025550110', text: 'Hello?' })}
      none={
        <>
          Every message that your application sends or receives appears here. Point it at {location.origin} with the key{' '}
          <span class="mono">{key}</span>, write as a customer under <a href={here('conversations')}>Conversations</a>,
          or run:
        </>
      }
    />
  );
}
