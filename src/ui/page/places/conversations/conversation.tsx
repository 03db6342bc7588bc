import { useEffect, useRef, useState } from 'preact/hooks';
import { act, type Customer, dayPill, type HandsetMessage, here, type List } from '../../core/index.js';
import { model, route, spanWords, useList, useRead, wide } from '../../core/index.js';
import { BackLink, Button, Icon, Loading, Menu, MenuLink, ReadFailed, useArrival } from '../../parts/index.js';
import { Avatar } from './avatar.js';
import { Bubble, type BubbleProps } from './bubble.js';
import { Composer } from './composer.js';
import { magicOf } from './phone.js';

export function Conversation({ phone, reveal }: { phone: string; reveal: string | undefined }) {
  const { api } = model.value;
  const path = { phone };
  const customer =
    useRead(`customer ${phone}`, async () => (await api.get('/_sandbox/customers', { query: { phone } })).items[0], [
      'customer',
      'message',
    ]).value ?? unknownCustomer(phone);
  const list = useList(
    `conversation ${phone}`,
    (query) => api.get('/_sandbox/customers/{phone}/messages', { path, query }),
    ['message'],
  );
  return (
    <section class="conversation" aria-label={`Conversation with ${customer.profile_name ?? phone}`}>
      <Head customer={customer} />
      <Wall key={phone} list={list} reveal={reveal} />
      <Composer phone={phone} windowOpen={leftMs(customer) > 0} onOpenWindow={() => void setWindow(phone, true)} />
    </section>
  );
}

function Head({ customer }: { customer: Customer }) {
  const { phone, profile_name: name } = customer;
  const magic = magicOf(phone, model.value.info.value);
  const heading = useArrival();
  return (
    <header class="conversation-head">
      {!wide.value && <BackLink href={here('conversations', [], route.value.query)} label="All conversations" />}
      <Avatar customer={customer} />
      <div class="grow">
        <h2 class="cut" ref={heading} tabIndex={-1}>
          <bdi>{name ?? phone}</bdi>
        </h2>
        <p class="small soft breaks">
          {name !== null && <span class="figures">{phone} </span>}
          {magic && (
            <span class="warn" title={magic.description}>
              Magic number: {magic.description}
            </span>
          )}
        </p>
      </div>
      <WindowControl customer={customer} />
      <Menu label="More about this customer" menu="from-end" button={<Icon name="more" />}>
        {() => (
          <>
            <MenuLink href={here('messages', [], { q: phone })} icon="mail" words="Messages" />
            <MenuLink href={here('messages', ['codes'], { q: phone })} icon="key" words="Codes" />
            <MenuLink href={here('requests', [], { q: phone })} icon="requests" words="Requests" />
            <MenuLink href={here('webhooks', ['deliveries'], { q: phone })} icon="webhook" words="Deliveries" />
          </>
        )}
      </Menu>
    </header>
  );
}

/** Time for which the window stays open; 0 if it is closed. The record may be out of date: it may have closed since. */
function leftMs({ window: { closes_at: at } }: Customer): number {
  const nowMs = model.value.clock.now.value;
  return nowMs === null || at === null ? 0 : Math.max(0, Date.parse(at) - nowMs);
}

function setWindow(phone: string, open: boolean) {
  const { api } = model.value;
  return act(
    api.put('/_sandbox/customers/{phone}/window', { path: { phone }, body: { open } }),
    open ? 'The window is open for 24 hours.' : 'The window is closed.',
  );
}

function WindowControl({ customer }: { customer: Customer }) {
  const { phone, window: own } = customer;
  const left = leftMs(customer);
  const open = left > 0;
  return (
    <div class="row window" title={own.closes_at ?? 'Never open'}>
      <p class={`small figures ${open ? 'soft' : 'warn'}`}>
        {open ? (
          <>
            <span class="if-wide">Window open, </span>
            {spanWords(left)} left
          </>
        ) : (
          'Window closed'
        )}
      </p>
      <Button kind="low" onClick={() => void setWindow(phone, !open)} words={open ? 'Close window' : 'Open window'} />
    </div>
  );
}

/** At this place, the newest message is out of sight. */
const upPx = -60;

/** The messages; the view stays at its end, and reads older ones when one scrolls up. Screen readers hear new ones. */
function Wall({ list, reveal }: { list: List<HandsetMessage>; reveal: string | undefined }) {
  const { rows, error, retry, onNearEnd } = list;
  const wall = useRef<HTMLDivElement>(null);
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (reveal === undefined || shown.current === reveal || !rows) return;
    const line = wall.current?.querySelector('[data-marked]');
    if (line) {
      shown.current = reveal;
      line.scrollIntoView({ block: 'center' });
    } else {
      onNearEnd?.();
    }
  }, [reveal, rows?.length]);
  const [isUp, setIsUp] = useState(false);
  const newest = rows?.[0]?.message_id;
  const seen = useRef(newest);
  // As it is now: the event of a scroll may be still to come.
  if ((wall.current?.scrollTop ?? 0) >= upPx) seen.current = newest;
  const look = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = wall.current ?? {};
    // The wall is upside down, so that it stays at its end: the distance from there is negative.
    if (scrollHeight - clientHeight + scrollTop < 600) onNearEnd?.();
    setIsUp(scrollTop < upPx);
  };
  if (!rows) return error ? <ReadFailed what="This conversation" {...{ error, retry }} /> : <Loading />;
  return (
    <div class="wall" ref={wall} onScroll={look} tabIndex={0} role="log" aria-label="Messages">
      {isUp && newest !== seen.current && (
        <Button kind="low newer" icon="down" onClick={() => wall.current?.scrollTo(0, 0)} words="New message" />
      )}
      <ol>
        {rows.length === 0 && <li class="day">No messages yet. Write below; a customer’s message opens the window.</li>}
        {rows.toReversed().map((message, at, all) => (
          <Line
            key={message.message_id}
            message={message}
            before={all[at - 1]}
            marked={message.message_id === reveal}
          />
        ))}
      </ol>
    </div>
  );
}

function Line({ message, before, marked }: Omit<BubbleProps, 'follows'> & { before: HandsetMessage | undefined }) {
  const atMs = Date.parse(message.created_at);
  const nowMs = model.value.clock.day.value ?? atMs;
  const day = dayPill(atMs, nowMs);
  const isNewDay = !before || dayPill(Date.parse(before.created_at), nowMs) !== day;
  return (
    <>
      {isNewDay && <li class="day">{day}</li>}
      <li>
        <Bubble message={message} follows={!isNewDay && before.direction === message.direction} marked={marked} />
      </li>
    </>
  );
}

/** Returns a customer that the account does not have yet; a link may contain one. */
function unknownCustomer(phone: string): Customer {
  const window = { open: false, closes_at: null };
  return { seq: 0, phone, profile_name: null, window, last_inbound_at: null, last_message: null };
}
