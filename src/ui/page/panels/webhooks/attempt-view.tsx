/** One HTTP request of a delivery and what came back, exactly. */
import type { Attempt, Delivery, Endpoint } from '../../core/records.js';
import { BytesView } from '../../parts/bytes-view.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Explanation } from '../../parts/explanation.js';
import { Icon } from '../../parts/icon.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { HttpBadge } from '../../parts/status-badge.js';
import { SignatureCheck } from './signature-check.js';

interface Props {
  readonly attempt: Attempt;
  readonly delivery: Delivery;
  readonly endpoint: Endpoint | undefined;
}

/** Characters of a body that are drawn; the rest is copied only. A fault makes bodies of two megabytes. */
const mostShown = 64 * 1024;

export function AttemptView({ attempt, delivery, endpoint }: Props) {
  const { number, status, duration_ms: took, reason, error, hint, request, response, sent_to: sentTo, plain } = attempt;
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <h3 class="attempt-title">
        Attempt {number} <HttpBadge status={status} />
        <span class="faint">
          <RelativeTime at={attempt.at} as="time" /> UTC · {Math.round(took)} ms
        </span>
      </h3>
      {error !== undefined && (
        <div class="notice bad">
          <Icon name="alert" size={16} />
          <div>
            <p>
              <span class="mono">{error}</span>
              {reason !== undefined && `: ${reason}`}
            </p>
            {hint !== undefined && <p class="hint">{hint}</p>}
          </div>
        </div>
      )}
      {attempt.explain && attempt.explain.text !== delivery.explain?.text && (
        <div class="card">
          <Explanation explain={attempt.explain} />
        </div>
      )}
      <div class="attempt-exchange">
        <section class="card" aria-label="Request">
          <h3>Request</h3>
          <p class="mono exchange-line">POST {request.url}</p>
          {sentTo !== request.url && (
            <p class="faint exchange-line">
              went to <span class="mono">{sentTo}</span>
            </p>
          )}
          {plain && <p class="faint">in plain HTTP: the receiver is local and speaks no TLS</p>}
          <Headers headers={request.headers} of="request" />
          {request.body === delivery.payload ? (
            <p class="faint">Body: the event above, byte for byte.</p>
          ) : (
            <Body text={request.body} label="request body" />
          )}
          {request.truncated === true && <p class="faint">There was more; the account kept this beginning.</p>}
        </section>
        <section class="card" aria-label="Response">
          <h3>Response</h3>
          {response ? (
            <>
              <p class="mono exchange-line">{status}</p>
              <Headers headers={response.headers} of="response" />
              <Body text={response.body} label="response body" />
              {response.truncated === true && <p class="faint">There was more; this beginning is kept.</p>}
            </>
          ) : (
            <p class="faint">No response.</p>
          )}
        </section>
      </div>
      <SignatureCheck attempt={attempt} payload={delivery.payload ?? null} endpoint={endpoint} />
    </section>
  );
}

function Headers({ headers, of }: { readonly headers: Attempt['request']['headers']; readonly of: string }) {
  const lines = Object.entries(headers).map(([name, value]): [string, string] => [name, [value].flat().join(', ')]);
  if (lines.length === 0) return <p class="faint">No headers.</p>;
  return (
    <div class="headers-block">
      <details class="raw">
        <summary>{lines.length} headers</summary>
        <dl class="attempt-headers">
          {lines.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <CopyButton text={lines.map(([name, value]) => `${name}: ${value}`).join('\n')} label={`${of} headers`} />
    </div>
  );
}

function Body({ text, label }: { readonly text: string; readonly label: string }) {
  if (text.length <= mostShown) return <BytesView text={text} label={label} />;
  return (
    <>
      <BytesView text={text.slice(0, mostShown)} label={`beginning of the ${label}`} />
      <p class="faint">
        {text.length.toLocaleString('en')} characters in all. <CopyButton text={text} label={`whole ${label}`} words />
      </p>
    </>
  );
}
