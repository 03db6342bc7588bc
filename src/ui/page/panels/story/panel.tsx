/** The story of a message, a code or an event: one timeline from the API call to the reply. */
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
import { EmptyState, Icon, type IconName, Loading, StatusBadge, WhyCard } from '../../parts/index.js';
import { readStory } from './read-story.js';
import { entriesOf, traceOf, type Entry, type StoryParts } from './story.js';
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
