/** One delivery: its state, retry schedule, attempts and event. */
import { useState } from 'preact/hooks';
import { act, type Delivery, here, model, useRecord } from '../../core/index.js';
import {
  BackLink,
  Button,
  BytesView,
  Card,
  CopiedPair,
  CopyButton,
  EmptyState,
  Explanation,
  JsonView,
  Loading,
  Pair,
  RelativeTime,
  StatusBadge,
} from '../../parts/index.js';
import { AttemptList, AttemptView } from './attempt-view.js';
import { RedeliverDialog } from './emit-dialog.js';
import { faultWords } from './filter.js';
import { LadderView } from './ladder-view.js';
import { laddersOf } from './ladder.js';
import { deliveriesHref, deliveryHref, endpointHref } from './place.js';
import { subjectOf } from './subject.js';

interface Props {
  readonly id: string;
  /** Number of the attempt in the address. Default: the latest. */
  readonly attempt: string | undefined;
}

export function DeliveryDetail({ id, attempt }: Props) {
  const { deliveries } = model.value;
  const delivery = useRecord(deliveries, id);
  if (delivery === undefined) return <Loading />;
  if (delivery === null) {
    return (
      <EmptyState icon="webhook" title="This delivery does not exist">
        <p>The account has no delivery {id}. It may have been reset.</p>
        <a href={deliveriesHref({})}>All deliveries</a>
      </EmptyState>
    );
  }
  return <Shown delivery={delivery} attempt={attempt} />;
}

/** Number of runs through the retry schedule that are shown. */
const mostRuns = 3;

function Shown({ delivery, attempt }: { delivery: Delivery; attempt: string | undefined }) {
  const { attempts, event_type: type, explain, payload, state } = delivery;
  const endpoint = model.value.webhooks.get(delivery.webhook_id);
  const chosen = attempts.find(({ number }) => String(number) === attempt) ?? attempts.at(-1);
  const { words, status } = subjectOf(delivery);
  // If the first attempt succeeded, there is no schedule to draw.
  const plain = state === 'delivered' && attempts.length === 1;
  return (
    <article class="detail delivery" aria-label={`Delivery of ${type}`}>
      <header class="detail-head row">
        <BackLink href={deliveriesHref()} label="All deliveries" />
        <div class="detail-title">
          <h2>
            {type} <StatusBadge status={state} />
          </h2>
          <p class="faint">
            {status !== null && `${status} · `}
            {words}
          </p>
        </div>
        <Actions delivery={delivery} paused={endpoint?.status === 'paused'} />
      </header>
      <div class="delivery-top grid gap-100">
        <Card title="Event">
          {payload !== null && <JsonView value={JSON.parse(payload) as unknown} open={4} />}
          <details class="raw">
            <summary>Bytes as sent</summary>
            <BytesView text={payload} label="event" />
          </details>
        </Card>
        <Facts delivery={delivery} />
      </div>
      {explain && (
        <Card title="Why">
          <Explanation explain={explain} />
        </Card>
      )}
      {!plain && (
        <>
          <Card title="Retry schedule">
            {laddersOf(delivery, endpoint)
              .slice(-mostRuns)
              .map((ladder, at) => (
                <LadderView key={at} ladder={ladder} delivery={delivery} chosen={chosen?.number} />
              ))}
            <ul class="ladder-legend wraps tiny-text faint" aria-label="Legend">
              <li class="delivered">delivered</li>
              <li class="refused">rejected</li>
              <li class="unanswered">no response</li>
              <li class="ahead">to come, if attempts keep failing</li>
            </ul>
          </Card>
          <AttemptList delivery={delivery} chosen={chosen?.number} />
        </>
      )}
      {chosen && <AttemptView key={chosen.number} attempt={chosen} delivery={delivery} endpoint={endpoint} />}
    </article>
  );
}

/** Other deliveries of the same event to the same endpoint. */
function Copies({ delivery: { id, event_id: event, webhook_id: webhook } }: { delivery: Delivery }) {
  const { deliveries } = model.value;
  const copies = deliveries.rows.filter((row) => row.event_id === event && row.webhook_id === webhook);
  if (copies.length < 2) return null;
  return (
    <Pair name="Copies" class="copies">
      {copies.map((copy, at) => (
        <a key={copy.id} href={deliveryHref(copy.id)} aria-current={copy.id === id ? 'true' : undefined}>
          {at + 1} <StatusBadge status={copy.state} />
        </a>
      ))}
      {copies[0] && copies[0].id !== id && (
        <a href={here('compare', [`delivery:${copies[0].id}`, `delivery:${id}`])}>Compare with the original</a>
      )}
    </Pair>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  const {
    id,
    event_id: event,
    webhook_id: webhook,
    url,
    next_attempt_at: next,
    created_at: created,
    faults = [],
  } = delivery;
  const { phone, messageId } = subjectOf(delivery);
  return (
    <section class="card" aria-label="Facts">
      <dl class="pairs">
        <Pair name="Endpoint">
          <a href={endpointHref(webhook)}>{url}</a>
        </Pair>
        {next !== null && (
          <Pair name="Next attempt">
            <RelativeTime at={next} />
          </Pair>
        )}
        <Pair name="Created">
          <RelativeTime at={created} as="time" /> UTC
        </Pair>
        {faults.length > 0 && <Pair name="Faults">{faults.map((fault) => faultWords[fault]).join(', ')}</Pair>}
        <Copies delivery={delivery} />
        <Pair name="Event id">
          <a class="mono" href={deliveriesHref({ q: event })}>
            {event}
          </a>{' '}
          <CopyButton text={event} label="event id" />
        </Pair>
        <CopiedPair name="Delivery id" text={id} label="delivery id" />
        <Pair name="Links" class="fact-links">
          <a href={here('story', ['event', event])}>Story</a>
          {phone !== null && (
            <a href={here('handset', messageId === null ? [phone] : [phone, messageId])}>Conversation</a>
          )}
        </Pair>
      </dl>
    </section>
  );
}

function Actions({ delivery, paused }: { delivery: Delivery; paused: boolean }) {
  const { api, webhooks } = model.value;
  const [faulting, setFaulting] = useState(false);
  const gone = webhooks.state.value === 'ready' && !webhooks.get(delivery.webhook_id);
  const path = { id: delivery.webhook_id };
  if (paused) {
    return (
      <div class="detail-actions">
        <Button
          kind="primary"
          icon="play"
          title="Deliveries of a paused endpoint are held"
          onClick={() =>
            void act(
              api.put('/_sandbox/webhooks/{id}', { path, body: { status: 'active' } }),
              'The endpoint is active.',
            )
          }
        >
          Activate endpoint
        </Button>
      </div>
    );
  }
  return (
    <div class="detail-actions">
      <Button
        kind="primary"
        icon="reply"
        disabled={gone}
        title={gone ? 'The endpoint was removed' : 'Sends the same id and bytes now'}
        onClick={() => void act(api.post('/_sandbox/deliveries/{id}/redeliver', { path: { id: delivery.id } }))}
      >
        Redeliver
      </Button>
      <Button icon="bolt" disabled={gone} onClick={() => setFaulting(true)}>
        With a fault …
      </Button>
      {faulting && <RedeliverDialog delivery={delivery} onClose={() => setFaulting(false)} />}
    </div>
  );
}
