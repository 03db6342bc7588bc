/** The story of a message, a code or an event: one timeline from the API call to the reply. */
import type { Api } from '../../core/api.js';
import {
  clockWords,
  dayWords,
  exactWords,
  here,
  model,
  relativeWords,
  type Route,
  spanWords,
  useFollowed,
} from '../../core/index.js';
import type { Event, HandsetMessage, Otp } from '../../core/records.js';
import { EmptyState, Icon, type IconName, Loading, StatusBadge, WhyCard } from '../../parts/index.js';
import { callsOf, entriesOf, type Entry, type StoryParts, traceOf } from './story.js';
import './story.css';

/** `story/message/ID`, `story/code/ID`, `story/event/ID`. */
export function Story({ route }: { route: Route }) {
  const [noun = 'message', id = ''] = route.path;
  return <OneStory key={`${noun}/${id}`} noun={noun} id={id} />;
}

function OneStory({ noun, id }: { noun: string; id: string }) {
  const { api } = model.value;
  const parts = useFollowed<StoryParts | 'none'>(async () => (await readStory(api, noun, id)) ?? 'none', 'none').value;
  if (parts === null) return <Loading />;
  if (parts === 'none') {
    return (
      <EmptyState icon="search" title={`No ${noun} with this id`}>
        <p>The account has none with the id {id}. It may have been reset.</p>
        <a href={here('requests')}>All requests</a>
      </EmptyState>
    );
  }
  return <Shown parts={parts} />;
}

function Shown({ parts }: { parts: StoryParts }) {
  const { message, otp, events } = parts;
  const entries = entriesOf(parts);
  const title = titleOf(parts);
  const trace = traceOf(parts);
  const phone = message === null ? null : message.direction === 'inbound' ? message.from : message.to;
  return (
    <article class="story stack gap-100 full scrolls" aria-label={`Story of ${title}`}>
      <header class="story-head row breaks">
        <div class="detail-title">
          <h2>
            {title} {message && <StatusBadge status={otp?.state ?? message.status} />}
          </h2>
          {message && message.text !== null && (
            <p class="faint" dir="auto">
              {message.text}
            </p>
          )}
          {trace !== null && (
            <p class="faint">
              Trace <code>{trace}</code>
            </p>
          )}
        </div>
        <p class="story-links wraps small-text">
          {message && phone !== null && <a href={here('handset', [phone, message.message_id])}>Conversation</a>}
          {otp && <a href={here('codes', [otp.otp_id])}>Code</a>}
          {message && <a href={here('requests', [], { q: message.message_id })}>Requests</a>}
          <a href={here('webhooks', ['deliveries'], { q: message?.message_id ?? events[0]?.id ?? '' })}>Deliveries</a>
        </p>
      </header>
      {message && message.direction === 'outbound' && <WhyCard explain={message.explain} />}
      <section class="card" aria-label="Time axis">
        <p class="story-legend tiny-text faint">
          Times are account times in UTC. On the right is the real duration of a call or an attempt.
        </p>
        <ol class="story-axis">
          {entries.map((entry, at) => (
            <Line key={entry.key} entry={entry} before={entries[at - 1]} />
          ))}
        </ol>
      </section>
    </article>
  );
}

function titleOf({ message, otp, events }: StoryParts): string {
  if (otp) return `code to ${otp.to}`;
  if (!message) return events[0]?.type ?? 'event';
  if (message.direction === 'inbound') return `${message.type} from ${message.profile_name ?? message.from}`;
  return `${message.template?.name ?? message.type} to ${message.to}`;
}

const drawings: Readonly<Record<Entry['kind'], IconName>> = {
  request: 'requests',
  message: 'chat',
  event: 'bolt',
  attempt: 'webhook',
  reply: 'reply',
  code: 'key',
};

function Line({ entry, before }: { entry: Entry; before: Entry | undefined }) {
  const { atMs, kind, title, detail, tone, place, realMs, ahead } = entry;
  const nowMs = model.value.clock.second.value ?? atMs;
  const day = dayWords(atMs);
  const gapMs = before ? atMs - before.atMs : 0;
  const [panel, ...path] = place ?? [];
  return (
    <>
      {(!before || dayWords(before.atMs) !== day) && <li class="story-day small-text">{day}</li>}
      <li class={`story-entry ink grid gap-60 relative small-text ${tone}${ahead ? ' ahead' : ''}`}>
        <time dateTime={new Date(atMs).toISOString()} title={`${exactWords(atMs)}, ${relativeWords(atMs, nowMs)}`}>
          {clockWords(atMs, true)}
          <span class="faint">.{new Date(atMs).toISOString().slice(20, 23)}</span>
          {gapMs >= 1000 && <span class="story-gap faint tiny-text">+{spanWords(gapMs)}</span>}
        </time>
        <span class={`story-mark toned middle relative ${tone === 'plain' ? 'off' : tone}`}>
          <Icon name={drawings[kind]} size={14} />
        </span>
        <div>
          <p class="strong">
            {panel === undefined ? title : <a href={here(panel, path)}>{title}</a>}
            {ahead && <span class="badge tiny-text wait">{relativeWords(atMs, nowMs)}</span>}
          </p>
          {detail !== null && <p class="story-detail">{detail}</p>}
        </div>
        <span class="story-real nowrap faint tiny-text">
          {realMs === null ? '' : `${realMs < 10 ? realMs.toFixed(1) : Math.round(realMs)} ms`}
        </span>
      </li>
    </>
  );
}

const most = 1000;

/** @returns null if the account has no record with that id */
async function readStory(api: Api, noun: string, id: string): Promise<StoryParts | null> {
  if (noun === 'event') return ofEvent(api, id);
  if (noun === 'code') {
    const { items } = await api.get('/_sandbox/otps', { query: { limit: most, order: 'desc' } });
    const otp = items.find((each) => each.otp_id === id);
    return otp ? ofMessage(api, await sentWith(api, otp), otp) : null;
  }
  const message = await messageOf(api, id);
  if (message) return ofMessage(api, message, null);
  const { items } = await api.get('/_sandbox/otps', { query: { limit: most, order: 'desc' } });
  const otp = items.find((each) => each.message_id === id);
  return otp ? ofMessage(api, await sentWith(api, otp), otp) : null;
}

function sentWith(api: Api, { message_id: id }: Otp): Promise<HandsetMessage> {
  return api.get('/_sandbox/messages/{id}', { path: { id } });
}

/** Uses a list, which may be empty: the browser would log a failed lookup as an error. */
async function messageOf(api: Api, id: string): Promise<HandsetMessage | null> {
  for (const direction of ['outbound', 'inbound'] as const) {
    const { items } = await api.get('/_sandbox/messages', { query: { message_id: id, direction } });
    if (items[0]) return items[0];
  }
  return null;
}

async function ofEvent(api: Api, id: string): Promise<StoryParts | null> {
  const { items } = await api.get('/_sandbox/events', { query: { id } });
  const [event] = items;
  if (!event) return null;
  const { message_id: message, otp_id: otp } = event.data as { message_id?: string; otp_id?: string };
  const whole =
    otp !== undefined
      ? await readStory(api, 'code', otp)
      : message !== undefined
        ? await readStory(api, 'message', message)
        : null;
  return whole ?? ofEventAlone(api, event);
}

async function ofEventAlone(api: Api, event: Event): Promise<StoryParts> {
  const { items: deliveries } = await api.get('/_sandbox/deliveries', { query: { event_id: event.id } });
  return { message: null, otp: null, requests: [], events: [event], deliveries, replies: [], jobs: [] };
}

async function ofMessage(api: Api, message: HandsetMessage, otp: Otp | null): Promise<StoryParts> {
  const phone = message.direction === 'inbound' ? message.from : message.to;
  const id = message.message_id;
  const [sends, verifies, lookups, own, verified, conversation, jobs] = await Promise.all([
    api.get('/_sandbox/requests', { query: { to: phone, limit: most, order: 'desc' } }),
    otp ? api.get('/_sandbox/requests', { query: { operation: 'otp.verify', limit: most, order: 'desc' } }) : null,
    api.get('/_sandbox/requests', { query: { path: `/v1/messages/${id}`, limit: most } }),
    api.get('/_sandbox/events', { query: { message_id: id } }),
    otp ? api.get('/_sandbox/events', { query: { otp_id: otp.otp_id } }) : null,
    api.get('/_sandbox/customers/{phone}/messages', { path: { phone }, query: { after: message.seq, limit: 50 } }),
    api.get('/_sandbox/clock/jobs', { query: { subject: id } }),
  ]);
  const events = [...own.items, ...(verified?.items ?? [])];
  const deliveries = await Promise.all(
    events.map((event) => api.get('/_sandbox/deliveries', { query: { event_id: event.id } })),
  );
  const calls = [...sends.items, ...(verifies?.items ?? []), ...lookups.items];
  // The replies end when this side sends again.
  const end = conversation.items.findIndex(({ direction }) => direction === message.direction);
  return {
    message,
    otp,
    requests: callsOf([...new Map(calls.map((call) => [call.id, call])).values()], { message, otp }),
    events,
    deliveries: deliveries.flatMap(({ items }) => items),
    replies: conversation.items.slice(0, end === -1 ? undefined : end),
    jobs: jobs.items,
  };
}
