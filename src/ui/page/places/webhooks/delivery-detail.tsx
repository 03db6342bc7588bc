/** One delivery: what became of it, its attempts, the event beside the response, and the signature. */
import { useState } from 'preact/hooks';
import {
  act,
  type Attempt,
  type Delivery,
  done,
  type Endpoint,
  go,
  here,
  model,
  replace,
  route,
  useRead,
} from '../../core/index.js';
import {
  Answer,
  Body,
  Button,
  Card,
  Copied,
  Detail,
  Empty,
  Http,
  httpTone,
  Loading,
  More,
  Pairs,
  parsed,
  Time,
  toneOf,
  Why,
} from '../../parts/index.js';
import { DeliveryRows } from '../messages/delivery-rows.js';
import { Attempts, Exchange } from './attempts.js';
import { shortUrl } from './delivery-list.js';
import { FaultDialog } from './emit-dialog.js';
import { resume } from './endpoint-detail.js';
import { currentRun, mostAttempts, retryWords } from './retry-words.js';
import { SignatureCheck, useVerdict } from './signature-check.js';
import { subjectOf } from './subject.js';

interface Props {
  readonly id: string;
  /** Number of the attempt in the address. Default: the latest. */
  readonly attempt: string | undefined;
  readonly back: string;
}

export function DeliveryDetail({ id, attempt, back }: Props) {
  const { api } = model.value;
  const read = useRead(
    `delivery ${id}`,
    async () => {
      const [known] = (await done(api.GET('/_sandbox/deliveries', { params: { query: { id } } }))).items;
      if (!known) return null;
      const [delivery, siblings, endpoints] = await Promise.all([
        done(api.GET('/_sandbox/deliveries/{id}', { params: { path: { id } } })),
        done(api.GET('/_sandbox/deliveries', { params: { query: { event_id: known.event_id } } })),
        done(api.GET('/_sandbox/webhooks', { params: { query: { id: known.webhook_id } } })),
      ]);
      return { delivery, siblings: siblings.items, endpoint: endpoints.items[0] };
    },
    ['delivery', 'attempt', 'webhook'],
  ).value;
  if (read === undefined) return <Loading />;
  if (read === null) {
    return (
      <Empty title="This delivery does not exist">
        <p>
          The account has no delivery {id}. It may have been reset. <a href={back}>All deliveries</a>
        </p>
      </Empty>
    );
  }
  return <Shown {...read} attempt={attempt} back={back} />;
}

interface ShownProps {
  readonly delivery: Delivery;
  readonly siblings: readonly Delivery[];
  readonly endpoint: Endpoint | undefined;
  readonly attempt: string | undefined;
  readonly back: string;
}

function Shown({ delivery, siblings, endpoint, attempt: wanted, back }: ShownProps) {
  const { id, attempts, event_type: type, event_id: event, state, url, payload, next_attempt_at: next } = delivery;
  const latest = attempts.at(-1);
  const attempt = attempts.find(({ number }) => String(number) === wanted) ?? latest;
  const { words, status, phone, messageId } = subjectOf(delivery);
  const verdict = useVerdict(latest, endpoint);
  const nowMs = model.value.clock.second.value ?? 0;
  const schedule = retryWords(delivery, endpoint, nowMs);
  const run = currentRun(attempts).length;
  const tone =
    state === 'delivered' ? 'good' : latest && latest.error !== undefined ? httpTone(latest.status) : toneOf(state);
  return (
    <Detail
      title={`${type}${status === null ? '' : ` ${status}`}`}
      label={`Delivery of ${type}`}
      back={back}
      answer={
        <Answer
          tone={tone}
          words={[
            latest ? (latest.status ?? 'no response') : state,
            latest && state === 'retrying' ? `attempt ${run} of ${mostAttempts}` : latest && `attempt ${latest.number}`,
            latest && `${Math.round(latest.duration_ms)} ms`,
            next === null ? (
              state === 'delivered' ? null : (
                state
              )
            ) : (
              <>
                next <Time at={next} />
              </>
            ),
            verdict === 'matches' ? 'signature valid' : verdict && `signature ${verdict}`,
          ]}
        >
          <Actions delivery={delivery} endpoint={endpoint} />
        </Answer>
      }
    >
      {schedule !== null && <p class="soft">{schedule}</p>}
      <Why explain={attempt?.explain ?? delivery.explain} />
      {attempts.length > 1 && <Attempts delivery={delivery} chosen={attempt} />}
      {attempt ? (
        <Exchange attempt={attempt} payload={payload} />
      ) : (
        <Card title="Event">
          <Body text={payload} value={parsed(payload)} label="event" />
        </Card>
      )}
      {attempt && <SignatureCheck key={attempt.number} attempt={attempt} payload={payload} endpoint={endpoint} />}
      {siblings.length > 1 && (
        <Card title="Deliveries of this event">
          <DeliveryRows of={siblings} current={id} />
        </Card>
      )}
      <More title="Ids and links">
        <Pairs
          of={[
            [
              'Endpoint',
              <a key="e" href={here('webhooks', ['endpoints', delivery.webhook_id])}>
                {shortUrl(url)}
              </a>,
            ],
            phone === null ? ['About', words === '' ? null : words] : ['Customer', phone],
            messageId === null
              ? null
              : [
                  'Message',
                  <a key="m" href={here('messages', [messageId])}>
                    What happened to it
                  </a>,
                ],
            ['Created', <Time key="t" at={delivery.created_at} />],
            ['Event id', <Copied key="event" text={event} label="event id" />],
            ['Delivery id', <Copied key="id" text={id} label="delivery id" />],
          ]}
        />
      </More>
    </Detail>
  );
}

/** Redelivers, and says the result at once: in the line above, and as words for readers. */
function Actions({ delivery: { id }, endpoint }: Pick<ShownProps, 'delivery' | 'endpoint'>) {
  const { api } = model.value;
  const [faulting, setFaulting] = useState(false);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Attempt | null>(null);
  if (endpoint?.status === 'paused') {
    return (
      <Button kind="low primary" icon="play" onClick={() => void resume(endpoint)}>
        Resume endpoint
      </Button>
    );
  }
  const redeliver = async (body: object) => {
    if (busy) return false;
    setBusy(true);
    const made = await act(done(api.POST('/_sandbox/deliveries/{id}/redeliver', { params: { path: { id } }, body })));
    setBusy(false);
    if (!made) return false;
    setResult(made.attempts.at(-1) ?? null);
    // The address may name an earlier attempt.
    replace(here('webhooks', ['deliveries', id], route.value.query));
    return true;
  };
  const gone = endpoint === undefined;
  return (
    <>
      {result && (
        <span class="pill-line" role="status">
          <Http status={result.status} /> Attempt {result.number}
        </span>
      )}
      <Button
        kind="low primary"
        icon="reply"
        aria-disabled={gone || busy}
        title={gone ? 'The endpoint was removed' : 'Sends the same id and bytes now'}
        onClick={() => void (gone || redeliver({}))}
      >
        Redeliver
      </Button>
      <Button kind="low" disabled={gone} onClick={() => setFaulting(true)}>
        With a fault …
      </Button>
      {faulting && <FaultDialog onClose={() => setFaulting(false)} onSend={redeliver} />}
    </>
  );
}

/** Opens a delivery. */
export function openDelivery(id: string): void {
  go(here('webhooks', ['deliveries', id]));
}
