/** The history of a template, its events, and what is planned. */
import { useEffect, useState } from 'preact/hooks';
import { dayWords, type Event, here, type Message, model, type Template, useOlder } from '../../core/index.js';
import { Card, RelativeTime, StatusBadge, Ticks, VirtualList } from '../../parts/index.js';

/** Number of events searched for those of one template. */
const mostRead = 1000;

export function History({ template }: { template: Template }) {
  const events = useEvents(template.id);
  const { history, planned } = template;
  return (
    <Card title="History">
      <ol class="steps grid gap-40 small-text">
        {history.map(({ status, at }, index) => (
          <li key={index}>
            <StatusBadge status={status} />
            <span>
              <RelativeTime at={at} as="time" /> <span class="faint">{dayWords(Date.parse(at))}</span>
            </span>
          </li>
        ))}
        {planned.map(({ status, at }, index) => (
          <li key={`planned-${index}`} class="ahead">
            <StatusBadge status={status} tone="off" />
            <span>
              automatically <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ol>
      {events.length > 0 && (
        <ul class="steps grid gap-40 small-text" aria-label="Events">
          {events.map(({ id, created_at: at, data }) => (
            <li key={id}>
              <span class="badge tiny-text wait">template.status</span>
              <span>
                <a href={here('webhooks', ['deliveries'], { q: id })}>{String(data['status'])}</a>, reported at{' '}
                <RelativeTime at={at} as="time" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Returns the `template.status` events of one template, oldest first, updated live. */
function useEvents(id: string): readonly Event[] {
  const [events, setEvents] = useState<readonly Event[]>([]);
  const account = model.value;
  useEffect(() => {
    let wanted = true;
    const own = (event: Event) => event.data['template_id'] === id;
    const add = (more: readonly Event[]) => {
      if (!wanted) return;
      setEvents((known) =>
        [...new Map([...known, ...more].map((event) => [event.id, event])).values()].sort((a, b) => a.seq - b.seq),
      );
    };
    setEvents([]);
    const query = { type: 'template.status', order: 'desc', limit: mostRead } as const;
    // The history is complete without them; the connection indicator shows that the sandbox is unreachable.
    void account.api.get('/_sandbox/events', { query }).then(
      ({ items }) => add(items.filter(own)),
      () => undefined,
    );
    const stop = account.onFrame(({ kind, data }) => {
      if (kind === 'event.created' && data['type'] === 'template.status') add([data as unknown as Event].filter(own));
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [account, id]);
  return events;
}

export function PlannedWords({ template: { planned, status } }: { template: Template }) {
  const [next] = planned;
  if (!next) return status === 'pending' ? <> · pending your review</> : null;
  return (
    <>
      {next.status} automatically <RelativeTime at={next.at} />
    </>
  );
}

export function SentMessages({ template: { name, category } }: { template: Template }) {
  const { messages } = model.value;
  const state = messages.state.value;
  useEffect(() => messages.ensure(), [messages]);
  const rows = messages.rows.filter((message) => message.template?.name === name).reverse();
  const few = rows.length < 20 && messages.more.value;
  // The template's messages may be old, so older pages are read until some are found.
  useOlder(messages, few);
  return (
    <section class="card sent" aria-label="Messages">
      <h3>
        Sent with it{' '}
        {rows.length > 0 && (
          <span class="tab-count tiny-text">{messages.more.value ? `${rows.length}+` : rows.length}</span>
        )}
      </h3>
      {category === 'authentication' && (
        <p>
          <a href={here('codes', [], { q: name })}>One-time codes</a>
        </p>
      )}
      {rows.length === 0 ? (
        <p class="faint">{state === 'ready' && !few ? 'Messages sent with this template appear here.' : 'Loading …'}</p>
      ) : (
        <div class="sent-list" style={{ height: `${Math.min(rows.length, 6) * 44}px` }}>
          <VirtualList
            label="Messages sent with this template"
            rows={rows}
            keyOf={({ message_id }) => message_id}
            estimate={44}
            onNearEnd={() => void messages.older()}
            row={(message) => <Sent message={message} />}
          />
        </div>
      )}
    </section>
  );
}

function Sent({ message: { message_id: id, to, status, text, created_at: at } }: { message: Message }) {
  return (
    <div class="sent-row ruled-top grid gap-60 relative small-text">
      <a class="row-link mono" href={here('handset', [to, id])}>
        {to}
      </a>
      <Ticks status={status} />
      <span class="sent-text cut" dir="auto">
        {text}
      </span>
      <RelativeTime at={at} as="time" />
    </div>
  );
}
