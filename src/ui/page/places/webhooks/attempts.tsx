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
          <Button kind="quiet low" onClick={() => setAll(!all)}>
            {all ? 'Show the latest' : 'Show all'}
          </Button>
        </p>
      )}
    </Card>
  );
}

interface SiblingsProps {
  readonly of: readonly Delivery[];
  readonly current: string;
}

export function Siblings({ of, current }: SiblingsProps) {
  return (
    <Card title="Deliveries of this event">
      <ul class="rows">
        {of.map(({ id, url, state, attempts, next_attempt_at: next }) => {
          const last = attempts.at(-1);
          return (
            <li key={id}>
              <a
                class="cut grow"
                href={here('webhooks', ['deliveries', id])}
                aria-current={id === current ? 'true' : undefined}
              >
                {shortUrl(url)}
              </a>
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
    </Card>
  );
}
