/** One customer's conversation: name and window, messages, and the composer. */
import { useEffect, useRef } from 'preact/hooks';
import {
  announce,
  type Customer,
  dayPill,
  type HandsetMessage,
  here,
  model,
  route,
  useOlder,
} from '../../core/index.js';
import { BackLink, EmptyState, ExportMenu, VirtualList } from '../../parts/index.js';
import { Bubble } from './bubble.js';
import { Composer } from './composer.js';
import { Avatar, CustomerCard, WindowControl } from './customer-card.js';
import { markRead, unread } from './unread.js';

interface Props {
  readonly phone: string;
  /** The message in the address. */
  readonly reveal: string | undefined;
}

export function Conversation({ phone, reveal }: Props) {
  const { customers } = model.value;
  const list = model.value.conversation(phone);
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    customers.ensure();
    list.ensure();
  }, [list]);
  const waiting = unread(model.value).value[phone];
  useEffect(() => {
    markRead(model.value, phone);
  }, [phone, waiting]);
  useNews(phone);
  const customer = customers.get(phone) ?? unknownCustomer(phone);
  const rows = list.rows;
  useOlder(list, reveal !== undefined && list.get(reveal) === undefined);
  return (
    <>
      <section class="conversation low grid shrinks" aria-label={`Conversation with ${customer.profile_name ?? phone}`}>
        <header class="conversation-head gap-75 surface ruled line">
          <BackLink href={here('handset', [], route.value.query)} label="All conversations" />
          <Avatar customer={customer} />
          <div class="conversation-who fills">
            <h2 dir="auto">{customer.profile_name ?? phone}</h2>
            {customer.profile_name !== null && <p class="faint mono">{phone}</p>}
          </div>
          <WindowControl customer={customer} />
          <ExportMenu
            small
            lists={[
              {
                title: 'Messages',
                file: `messages-${phone}`,
                page: (page) =>
                  model.value.api.get('/_sandbox/customers/{phone}/messages', { path: { phone }, ...page }),
              },
            ]}
          />
        </header>
        {list.state.value === 'ready' && rows.length === 0 ? (
          <EmptyState icon="chat" title="No messages yet">
            <p>Messages appear here. Write below as the customer, which also opens the 24-hour window.</p>
          </EmptyState>
        ) : (
          <VirtualList
            label="Messages"
            class="bubbles"
            rows={rows}
            keyOf={({ message_id }) => message_id}
            estimate={64}
            grows="bottom"
            reveal={reveal}
            onNearEnd={() => void list.older()}
            row={(message, before) => (
              <Line
                message={message}
                before={before}
                marked={message.message_id === reveal}
                onReply={() => input.current?.focus()}
              />
            )}
          />
        )}
        <Composer phone={phone} input={input} />
      </section>
      <CustomerCard customer={customer} />
    </>
  );
}

interface LineProps {
  readonly message: HandsetMessage;
  readonly before: HandsetMessage | undefined;
  readonly marked: boolean;
  readonly onReply: () => void;
}

function Line({ message, before, marked, onReply }: LineProps) {
  const atMs = Date.parse(message.created_at);
  const nowMs = model.value.clock.second.value ?? atMs;
  const day = dayPill(atMs, nowMs);
  const newDay = !before || dayPill(Date.parse(before.created_at), nowMs) !== day;
  return (
    <>
      {newDay && (
        <p class="day-pill flex">
          <span>{day}</span>
        </p>
      )}
      <Bubble
        message={message}
        follows={!newDay && before.direction === message.direction}
        marked={marked}
        onReply={onReply}
      />
    </>
  );
}

/** Returns a customer that the account does not have yet; a link may contain one. */
function unknownCustomer(phone: string): Customer {
  return {
    seq: 0,
    phone,
    profile_name: null,
    window: { open: false, closes_at: null },
    last_inbound_at: null,
    last_message: null,
  };
}

/** Announces messages that arrive in the open conversation. */
function useNews(phone: string): void {
  useEffect(
    () =>
      model.value.onFrame(({ kind, data }) => {
        const message = data as unknown as HandsetMessage;
        if (kind === 'message.created' && message.direction === 'outbound' && message.to === phone) {
          announce(`The account writes: ${message.text ?? message.type}`);
        }
      }),
    [phone, model.value],
  );
}
