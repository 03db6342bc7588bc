/** One attempt: its HTTP request and the response, byte by byte. */
import { type Attempt, type Delivery, type Endpoint, here } from '../../core/index.js';
import { ExchangeSide } from '../../parts/exchange-side.js';
import { Card, Explanation, HttpBadge, Notice, RelativeTime } from '../../parts/index.js';
import { CompareButton } from '../compare/compare-button.js';
import { deliveryHref } from './place.js';
import { SignatureCheck } from './signature-check.js';

interface Props {
  readonly attempt: Attempt;
  readonly delivery: Delivery;
  readonly endpoint: Endpoint | undefined;
}

export function AttemptView({ attempt, delivery, endpoint }: Props) {
  const { number, status, duration_ms: took, reason, error, hint, request, response, sent_to: sentTo, plain } = attempt;
  const [first] = delivery.attempts;
  const item = (each: Attempt) => `delivery:${delivery.id}:${each.number}`;
  return (
    <section class="attempt grid gap-75" aria-label={`Attempt ${number}`}>
      <h3 class="attempt-title gap-50 row">
        Attempt {number} <HttpBadge status={status} />
        <span class="faint">
          <RelativeTime at={attempt.at} as="time" /> UTC · {Math.round(took)} ms
        </span>
        {first && first.number !== number && (
          <a class="button quiet small" href={here('compare', [item(first), item(attempt)])}>
            Compare with attempt {first.number}
          </a>
        )}
        <CompareButton item={item(attempt)} title={`${delivery.event_type}, attempt ${number}`} />
      </h3>
      {error !== undefined && (
        <Notice tone="bad" icon="alert">
          <p>
            <span class="mono">{error}</span>
            {reason !== undefined && `: ${reason}`}
          </p>
          {hint !== undefined && <p class="hint">{hint}</p>}
        </Notice>
      )}
      {attempt.explain && attempt.explain.text !== delivery.explain?.text && (
        <div class="card">
          <Explanation explain={attempt.explain} />
        </div>
      )}
      <div class="attempt-exchange grid gap-75">
        <ExchangeSide
          title="Request"
          headers={request.headers}
          text={request.body === delivery.payload ? null : request.body}
          missing="The body is exactly the event above."
          cut={request.truncated === true}
        >
          <p class="mono exchange-line breaks">POST {request.url}</p>
          {sentTo !== request.url && (
            <p class="faint exchange-line breaks">
              sent to <span class="mono">{sentTo}</span>
            </p>
          )}
          {plain && <p class="faint">in plain HTTP: the receiver is local and does not support TLS</p>}
        </ExchangeSide>
        {response ? (
          <ExchangeSide
            title="Response"
            headers={response.headers}
            text={response.body === '' ? null : response.body}
            cut={response.truncated === true}
          >
            <p class="mono exchange-line breaks">{status}</p>
          </ExchangeSide>
        ) : (
          <Card title="Response">
            <p class="faint">No response.</p>
          </Card>
        )}
      </div>
      <SignatureCheck attempt={attempt} payload={delivery.payload ?? null} endpoint={endpoint} />
    </section>
  );
}

export function AttemptList({ delivery, chosen }: { delivery: Delivery; chosen: number | undefined }) {
  const { id, attempts } = delivery;
  if (attempts.length === 0) {
    return (
      <Card title="Attempts">
        <p class="faint">Attempts appear here once the delivery is due.</p>
      </Card>
    );
  }
  return (
    <section class="card" aria-label="Attempts">
      <h3>
        Attempts <span class="tab-count tiny-text">{attempts.length}</span>
      </h3>
      <ol class="attempt-list scrolls" tabIndex={0} aria-label="Attempts, latest first">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number}>
            <a
              class="attempt-entry curved gap-60 line small-text figures"
              href={deliveryHref(id, attempt.number)}
              aria-current={attempt.number === chosen ? 'true' : undefined}
            >
              <span class="attempt-number strong">#{attempt.number}</span>
              <HttpBadge status={attempt.status} />
              <RelativeTime at={attempt.at} as="time" />
              <span class="faint attempt-words shrinks cut">
                {attempt.error ?? ''}
                {attempt.trigger === 'redelivery' && ' redelivery'}
              </span>
              <span class="faint attempt-took nowrap">{Math.round(attempt.duration_ms)} ms</span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
