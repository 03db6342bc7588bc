/** A few deliveries in a detail: event, endpoint, result. */
import { type Delivery, here } from '../../core/index.js';
import { Http, State, Time } from '../../parts/index.js';

export function DeliveryRows({ of, current }: { of: readonly Delivery[]; current?: string }) {
  return (
    <ul class="rows">
      {of.map(({ id, event_type: type, url, state, attempts, payload, next_attempt_at: next }) => {
        const last = attempts.at(-1);
        return (
          <li key={id}>
            <a href={here('webhooks', ['deliveries', id])} aria-current={id === current ? 'true' : undefined}>
              {type} {statusIn(payload)}
            </a>
            <span class="soft cut grow">{url.replace(/^https:\/\//, '')}</span>
            {next !== null && (
              <span class="soft">
                next <Time at={next} />
              </span>
            )}
            {state === 'delivered' && last ? <Http status={last.status} /> : <State status={state} />}
          </li>
        );
      })}
    </ul>
  );
}

/** The status in an event about a message or template. */
export function statusIn(payload: string | null): string {
  const found = /"status":"(\w+)"/.exec(payload ?? '');
  return found?.[1] ?? '';
}
