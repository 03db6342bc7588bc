import { useState } from 'preact/hooks';
import { act, type Api, type Attempt, type Explain, here, model } from '../../core/index.js';
import { replace, route, shortUrl } from '../../core/index.js';
import { Body, Button, Card, Detail, Headers, Http, idPair, Item, type ItemProps } from '../../parts/index.js';
import { Notice, Opener, Time, toneOf } from '../../parts/index.js';
import { Attempts, Siblings } from './attempts.js';
import { FaultDialog } from './emit-dialog.js';
import { resume } from './endpoint-detail.js';
import { currentRun, mostAttempts, retryWords, subjectOf } from './groups.js';
import { SignatureCheck, signatureWords, useVerdict } from './signature-check.js';

/** The number of an attempt may follow in the address. Default: the latest. */
export function DeliveryDetail({ id, back, rest }: ItemProps) {
  const read = () => readDelivery(model.value.api, id);
  return (
    <Item one="delivery" id={id} back={back} read={read} nouns={['delivery', 'attempt', 'webhook']}>
      {(found) => <Shown {...found} wanted={rest[0]} back={back} />}
    </Item>
  );
}

async function readDelivery(api: Api, id: string) {
  const [known] = (await api.get('/_sandbox/deliveries', { query: { id } })).items;
  if (!known) return null;
  const [delivery, siblings, endpoints] = await Promise.all([
    api.get('/_sandbox/deliveries/{id}', { path: { id } }),
    api.get('/_sandbox/deliveries', { query: { event_id: known.event_id } }),
    api.get('/_sandbox/webhooks', { query: { id: known.webhook_id } }),
  ]);
  return { delivery, siblings: siblings.items, endpoint: endpoints.items[0] };
}

type Read = NonNullable<Awaited<ReturnType<typeof readDelivery>>>;
type ShownProps = Read & { readonly wanted: string | undefined; readonly back: string };

function Shown({ delivery, siblings, endpoint, wanted, back }: ShownProps) {
  const { id, attempts, event_type: type, state, payload, next_attempt_at: next } = delivery;
  const latest = attempts.at(-1);
  const attempt = attempts.find(({ number }) => String(number) === wanted) ?? latest;
  const { words, status, messageId } = subjectOf(delivery);
  const verdict = useVerdict(latest, endpoint);
  const schedule = retryWords(delivery, endpoint, model.value.clock.second.value ?? 0);
  const number = latest?.number ?? 0;
  // After a redelivery the schedule starts again.
  const run = currentRun(attempts).length;
  return (
    <Detail
      title={`${type} ${status ?? ''}`.trim()}
      label={`Delivery of ${type}`}
      back={back}
      tone={state === 'delivered' ? 'good' : toneOf(state)}
      words={[
        // It needs a hand; otherwise the result says enough.
        (!latest || /held|failed|dropped/.test(state)) && state,
        latest && (latest.status ?? 'no response'),
        latest && `attempt ${number}${state === 'retrying' && run === number ? ` of ${mostAttempts}` : ''}`,
        latest && `${Math.round(latest.duration_ms)} ms`,
        next !== null && (
          <>
            next <Time at={next} />
          </>
        ),
        verdict && `signature ${signatureWords[verdict]}`,
      ]}
      actions={<Actions delivery={delivery} endpoint={endpoint} />}
      lead={schedule !== null && <p class="soft">{schedule}</p>}
      explain={
        attempt?.trigger === 'redelivery' && attempt.explain?.by === 'header'
          ? byHand(attempt)
          : (attempt?.explain ?? delivery.explain)
      }
      ids={[
        ['Endpoint', <a href={here('webhooks', ['endpoints', delivery.webhook_id])}>{shortUrl(delivery.url)}</a>],
        words !== '' && ['About', words],
        messageId !== null && ['Message', <a href={here('messages', [messageId])}>What happened to it</a>],
        ['Created', <Time at={delivery.created_at} />],
        idPair('Event id', delivery.event_id),
        idPair('Delivery id', id),
      ]}
    >
      {attempts.length > 1 && <Attempts key={id} delivery={delivery} chosen={attempt} />}
      {attempt ? (
        <>
          <Exchange attempt={attempt} payload={payload} />
          <SignatureCheck key={attempt.number} attempt={attempt} payload={payload} endpoint={endpoint} />
        </>
      ) : (
        <Card title="Event">
          <Body text={payload} label="event" />
        </Card>
      )}
      {siblings.length > 1 && <Siblings of={siblings} current={id} />}
    </Detail>
  );
}

/** Redelivers, and says the result at once: beside the buttons, and as words for readers. */
function Actions({ delivery: { id }, endpoint }: Pick<Read, 'delivery' | 'endpoint'>) {
  const { api } = model.value;
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Attempt | null>(null);
  if (endpoint?.status === 'paused') {
    return <Button kind="low primary" icon="play" onClick={() => void resume(endpoint)} words="Resume endpoint" />;
  }
  const redeliver = async (body: object) => {
    setBusy(true);
    const call = api.post('/_sandbox/deliveries/{id}/redeliver', { path: { id }, body });
    const made = await call.finally(() => setBusy(false));
    setResult(made.attempts.at(-1) ?? null);
    // The address may name an earlier attempt.
    replace(here('webhooks', ['deliveries', id], route.value.query));
  };
  const gone = endpoint === undefined;
  return (
    <>
      {result && (
        <span class="row small" role="status">
          <Http status={result.status} /> Attempt {result.number}
        </span>
      )}
      <Button
        kind="low primary"
        icon="send"
        aria-disabled={gone || busy}
        title={gone ? 'The endpoint was removed' : 'Sends the same id and bytes now'}
        onClick={() => void (gone || busy || act(redeliver({})))}
        words="Redeliver"
      />
      <Opener words="With a fault …" disabled={gone}>
        {(close) => <FaultDialog onClose={close} onSend={redeliver} />}
      </Opener>
    </>
  );
}

function byHand({ faults = [] }: Attempt): Explain {
  const how = faults.length === 0 ? '' : ` with a fault: ${faults.join(', ').replaceAll('_', ' ')}`;
  return { by: 'default', text: `Redelivered on request${how}.` };
}

function Exchange({ attempt, payload }: { attempt: Attempt; payload: string | null }) {
  const { number, status, error, reason, hint, request, response, sent_to: sentTo } = attempt;
  return (
    <div class="sides">
      <Card title={`Request of attempt ${number}`}>
        <p class="mono breaks small">
          POST {request.url}
          {sentTo !== request.url && <span class="soft"> → {sentTo}</span>}
        </p>
        {payload !== null && request.body !== payload && <p class="hint">A fault changed the bytes of the event.</p>}
        <Body text={request.body ?? ''} label="request body" cut={request.truncated === true} />
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
            <Body text={response.body ?? ''} label="response body" cut={response.truncated === true} />
            <Headers of={response.headers} label="response headers" />
          </>
        )}
      </Card>
    </div>
  );
}
