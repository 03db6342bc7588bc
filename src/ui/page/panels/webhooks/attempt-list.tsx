/** The attempts of a delivery, latest first: time, response and duration. */
import type { Delivery } from '../../core/index.js';
import { HttpBadge, RelativeTime } from '../../parts/index.js';
import { deliveryHref } from './place.js';

interface Props {
  readonly delivery: Delivery;
  readonly chosen: number | undefined;
}

export function AttemptList({ delivery, chosen }: Props) {
  const { id, attempts } = delivery;
  if (attempts.length === 0) {
    return (
      <section class="card" aria-label="Attempts">
        <h3>Attempts</h3>
        <p class="faint">Attempts appear here once the delivery is due.</p>
      </section>
    );
  }
  return (
    <section class="card" aria-label="Attempts">
      <h3>
        Attempts <span class="tab-count tiny-text">{attempts.length}</span>
      </h3>
      <ol class="attempt-list" tabIndex={0} aria-label="Attempts, latest first">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number}>
            <a
              class="attempt-entry line small-text figures"
              href={deliveryHref(id, attempt.number)}
              aria-current={attempt.number === chosen ? 'true' : undefined}
            >
              <span class="attempt-number">#{attempt.number}</span>
              <HttpBadge status={attempt.status} />
              <RelativeTime at={attempt.at} as="time" />
              <span class="faint attempt-words cut">
                {attempt.error ?? ''}
                {attempt.trigger === 'redelivery' && ' redelivery'}
              </span>
              <span class="faint attempt-took">{Math.round(attempt.duration_ms)} ms</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
