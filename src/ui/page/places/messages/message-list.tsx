/** Every message in both directions, newest first. */
import {
  done,
  exampleOf,
  filtered,
  type HandsetMessage,
  here,
  model,
  replace,
  useList,
  useRead,
} from '../../core/index.js';
import { Chips, type Column, Empty, RowLink, SearchBox, State, Table, Time } from '../../parts/index.js';
import { fileName } from '../conversations/actions.js';

interface Props {
  readonly current: string | undefined;
  readonly search: string;
  readonly status: string;
}

const columns = (current: string | undefined, query: Readonly<Record<string, string>>): Column<HandsetMessage>[] => [
  { title: 'State', width: '104px', cell: ({ status }) => <State status={status} /> },
  {
    title: 'Customer',
    width: '176px',
    class: 'main',
    cell: (message) => (
      <>
        <RowLink href={here('messages', [message.message_id], query)} current={message.message_id === current}>
          {message.direction === 'inbound' ? `from ${message.from}` : message.to}
        </RowLink>
        <span class="sub" dir="auto">
          {message.error?.code ?? wordsOf(message)}
        </span>
      </>
    ),
  },
  {
    title: 'Text',
    class: 'wide',
    cell: (message) => <span dir="auto">{wordsOf(message)}</span>,
  },
  { title: 'Error', width: '200px', class: 'wide bad', cell: ({ error }) => error?.code },
  { title: 'Time', width: '132px', class: 'end soft figures time', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The text of a message, or what it is. */
export function wordsOf({ text, type, ...message }: HandsetMessage): string {
  const interactive = message.interactive;
  const question = interactive && 'body' in interactive ? interactive.body : null;
  const file = message.media_url === undefined ? '' : `: ${fileName(message.media_url)}`;
  return question ?? text ?? `${type.charAt(0).toUpperCase()}${type.slice(1)}${file}`;
}

export function MessageList({ current, search, status }: Props) {
  const { api, site } = model.value;
  const filter = { direction: 'inbound,outbound', ...(search !== '' && { search }) };
  const counts = useRead(
    `counts ${search}`,
    () => done(api.GET('/_sandbox/messages/count', { params: { query: filter } })),
    ['message'],
  ).value;
  const wanted = status === 'waiting' ? 'accepted,sent' : status;
  const list = useList(
    `messages ${status} ${search}`,
    (page) =>
      done(
        api.GET('/_sandbox/messages', {
          params: { query: { ...filter, ...page, ...(wanted !== '' && { status: wanted }) } },
        }),
      ),
    ['message'],
  );
  const of = counts?.by_status;
  const chip = (id: string, title: string, count: number | undefined) => ({
    id,
    title,
    count,
    href: filtered({ status: id }),
  });
  return (
    <>
      <div class="toolbar">
        <Chips
          label="State"
          current={status}
          chips={[
            chip('', 'All', counts?.count),
            { ...chip('failed', 'Failed', of?.failed), bad: true },
            chip('waiting', 'Waiting', of && of.accepted + of.sent),
            chip('read', 'Read', of?.read),
          ]}
        />
        <SearchBox
          label="Search messages"
          placeholder="Number, id or text"
          value={search}
          onText={(q) => replace(filtered({ q }))}
        />
      </div>
      <Table
        label="Messages"
        columns={columns(current, { ...(status !== '' && { status }), ...(search !== '' && { q: search }) })}
        list={list}
        keyOf={({ message_id }) => message_id}
        empty={
          status !== '' || search !== '' ? (
            <Empty title="No message matches">
              <p>
                New messages that match appear here. <a href={here('messages')}>Show all messages</a>
              </p>
            </Empty>
          ) : (
            <Empty
              title="No messages yet"
              command={exampleOf(site, 'POST', '/_sandbox/inbound', { from: '+12025550110', text: 'Hello?' })}
            >
              <p>
                Every message that your application sends or receives appears here. Point it at {location.origin} with
                the key <span class="mono">{model.value.key}</span>, write as a customer under{' '}
                <a href={here('conversations')}>Conversations</a>, or run:
              </p>
            </Empty>
          )
        }
      />
    </>
  );
}
