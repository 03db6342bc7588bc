/** The history of a template, its events, and what is planned. */
import { useEffect, useState } from 'preact/hooks';
import { dayWords, type Event, here, model, type Template } from '../../core/index.js';
import { RelativeTime, StatusBadge } from '../../parts/index.js';

/** Number of events searched for those of one template. */
const mostRead = 1000;

export function History({ template }: { readonly template: Template }) {
  const events = useEvents(template.id);
  const { history, planned } = template;
  return (
    <section class="card" aria-label="History">
      <h3>History</h3>
      <ol class="steps small-text">
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
        <ul class="steps small-text" aria-label="Events">
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
    </section>
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
