/** The attempts of a delivery, and what one of them sent and received. */
import { type Attempt, type Delivery, here, route } from '../../core/index.js';
import { Body, Card, Headers, Http, Notice, parsed, Time } from '../../parts/index.js';

export function Attempts({ delivery: { id, attempts }, chosen }: { delivery: Delivery; chosen: Attempt | undefined }) {
  return (
    <nav class="chips attempts" aria-label="Attempts, latest first">
      {attempts.toReversed().map(({ number, status, at, trigger }) => (
        <a
          key={number}
          href={here('webhooks', ['deliveries', id, String(number)], route.value.query)}
          aria-current={number === chosen?.number ? 'true' : undefined}
          title={trigger === 'redelivery' ? 'Redelivered' : 'By the schedule'}
        >
          #{number} <Http status={status} />
          <span class="count">
            <Time at={at} />
          </span>
        </a>
      ))}
    </nav>
  );
}

export function Exchange({ attempt, payload }: { attempt: Attempt; payload: string | null }) {
  const { number, status, error, reason, hint, request, response, sent_to: sentTo, plain } = attempt;
  const other = payload !== null && request.body !== payload;
  return (
    <div class="sides">
      <Card title={`Request of attempt ${number}`}>
        <p class="mono breaks small">
          POST {request.url}
          {sentTo !== request.url && <span class="soft"> → {sentTo}</span>}
        </p>
        {plain && <p class="hint">In plain HTTP: the receiver is local and does not support TLS.</p>}
        {other && <p class="hint">A fault changed the bytes of the event.</p>}
        <Body text={request.body} value={parsed(request.body)} label="request body" cut={request.truncated === true} />
        <Headers of={request.headers} label="request headers" />
      </Card>
      <Card title="Response">
        <p class="row small">
          <Http status={status} />
          <span class="soft">{Math.round(attempt.duration_ms)} ms</span>
        </p>
        {error !== undefined && (
          <Notice tone="bad">
            <p>
              <span class="mono">{error}</span>
              {reason !== undefined && `: ${reason}`}
            </p>
            {hint !== undefined && <p>{hint}</p>}
          </Notice>
        )}
        {response && (
          <>
            <Body
              text={response.body}
              value={parsed(response.body)}
              label="response body"
              cut={response.truncated === true}
            />
            <Headers of={response.headers} label="response headers" />
          </>
        )}
      </Card>
    </div>
  );
}
