import { useState } from 'preact/hooks';
import { type Attempt, type Delivery, here, route, shortUrl } from '../../core/index.js';
import { Button, Card, Http, State, Time } from '../../parts/index.js';

const fewAttempts = 3;

export function Attempts({ delivery: { id, attempts }, chosen }: { delivery: Delivery; chosen: Attempt | undefined }) {
  const [all, setAll] = useState(false);
  const latest = attempts.toReversed();
  const shown = all ? latest : latest.filter((each, at) => at < fewAttempts || each === chosen);
  return (
    <Card title="Attempts">
      <nav aria-label="Attempts, latest first">
        <ul class="rows">
          {shown.map(({ number, status, at, trigger, error, duration_ms: ms }) => (
            <li key={number} aria-current={number === chosen?.number ? 'true' : undefined}>
              <a
                class="figures"
                href={here('webhooks', ['deliveries', id, String(number)], route.value.query)}
                aria-current={number === chosen?.number ? 'true' : undefined}
              >
                <span class="if-wide">Attempt</span> {number}
              </a>
              <Http status={status} />
              <span class="soft cut grow">
                {[trigger === 'redelivery' && 'redelivered', status === null && error?.replaceAll('_', ' ')]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <span class="soft figures if-wide">{Math.round(ms)} ms</span>
              <span class="soft figures">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      </nav>
      {attempts.length > fewAttempts && (
        <p class="row small">
          <span class="soft">
            {shown.length} of {attempts.length}
          </span>
          <Button kind="quiet low" onClick={() => setAll(!all)} words={all ? 'Show the latest' : 'Show all'} />
        </p>
      )}
    </Card>
  );
}

/** The last response of a delivery that has succeeded, otherwise its state. */
export function Result({ of: { state, attempts } }: { of: Delivery }) {
  const last = attempts.at(-1);
  return state === 'delivered' && last ? <Http status={last.status} /> : <State status={state} />;
}

export function Siblings({ of, current }: { of: readonly Delivery[]; current: string }) {
  return (
    <Card title="Deliveries of this event">
      <ul class="rows">
        {of.map((each) => (
          <li key={each.id}>
            <a
              class="cut grow"
              href={here('webhooks', ['deliveries', each.id])}
              aria-current={each.id === current ? 'true' : undefined}
            >
              {shortUrl(each.url)}
            </a>
            {each.next_attempt_at !== null && (
              <span class="soft">
                next <Time at={each.next_attempt_at} />
              </span>
            )}
            <Result of={each} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
