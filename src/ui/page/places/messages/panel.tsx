/** Every message in both directions, newest first, and one-time codes: the first place. */
import { exampleOf, type HandsetMessage, here, model, type Route, useRead } from '../../core/index.js';
import { type Column, type ListProps, Records, State, timeColumn, useRecords, Views } from '../../parts/index.js';
import { CodeDetail, CodeList, SendCode } from './codes.js';
import { MessageDetail } from './message-detail.js';
import { wordsOf } from './words.js';

/** `messages/ID`, with `?status=` and `?q=`; `messages/codes/ID`. */
export function Messages({ route }: { route: Route }) {
  return <Views label="Messages and codes" route={route} views={views} />;
}

const views = [
  { title: 'Messages', path: [], list: MessageList, item: MessageDetail },
  {
    title: 'Codes',
    path: ['codes'],
    list: CodeList,
    item: CodeDetail,
    actions: SendCode,
  },
] as const;

const columns: readonly Column<HandsetMessage>[] = [
  { title: 'State', class: 'status', width: 116, cell: ({ status }) => <State status={status} /> },
  {
    title: 'Customer',
    width: 176,
    cell: ({ direction, from, to }) => (direction === 'inbound' ? `from ${from}` : to),
    sub: (message) => message.error?.code ?? wordsOf(message),
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

const waiting = 'accepted,sent';

function MessageList({ current, query }: ListProps) {
  const { api, site, key } = model.value;
  const { q = '' } = query;
  const both = { direction: 'inbound,outbound' };
  const counts = useRead(
    `counts ${q}`,
    () => api.get('/_sandbox/messages/count', { query: { ...both, ...(q !== '' && { search: q }) } }),
    ['message'],
  ).value;
  const of = counts?.by_status;
  return (
    <Records
      one="message"
      label="Messages"
      path={['messages']}
      query={query}
      current={current}
      list={useRecords(query, ['status'], ['message'], (page) =>
        api.get('/_sandbox/messages', { query: { ...both, ...page } }),
      )}
      idOf={(message) => message.message_id}
      columns={columns}
      filters={[
        {
          name: 'status',
          label: 'State',
          chips: true,
          options: [
            ['', 'All', counts?.count],
            ['failed', 'Failed', of?.failed, true],
            [waiting, 'Waiting', of && of.accepted + of.sent],
            ['read', 'Read', of?.read],
          ],
        },
      ]}
      search="Number, id or text"
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
