/** One endpoint: state, secret, events, failure streak and actions. */
import { useState } from 'preact/hooks';
import { act, clockWords, dayWords, type Endpoint, go, here, model } from '../../core/index.js';
import {
  BackLink,
  Button,
  CopiedPair,
  EmptyState,
  FormDialog,
  Loading,
  Notice,
  Pair,
  RelativeTime,
  StatusBadge,
} from '../../parts/index.js';
import { FailureRun } from './endpoint-list.js';
import { HealthCard, Held } from './health-card.js';
import { deliveriesHref } from './place.js';
import { Secret } from './signature-check.js';

export function EndpointDetail({ id }: { id: string }) {
  const { webhooks } = model.value;
  const endpoint = webhooks.get(id);
  if (!endpoint) {
    if (webhooks.state.value !== 'ready' || webhooks.more.value) return <Loading />;
    return (
      <EmptyState icon="webhook" title="This endpoint does not exist">
        <p>The account has none with the id {id}. It may have been removed; its deliveries are still there.</p>
        <a href={deliveriesHref({ endpoint: id })}>Deliveries</a>
        <a href={here('webhooks', ['endpoints'])}>All endpoints</a>
      </EmptyState>
    );
  }
  return <Shown endpoint={endpoint} />;
}

function Shown({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, alias, events, status, created_at: created, secret } = endpoint;
  return (
    <article class="detail" aria-label={`Endpoint ${url}`}>
      <header class="detail-head row">
        <BackLink href={here('webhooks', ['endpoints'])} label="All endpoints" />
        <div class="detail-title">
          <h2>
            {url} <StatusBadge status={status} />
          </h2>
        </div>
        <Actions endpoint={endpoint} />
      </header>
      <Condition endpoint={endpoint} />
      <section class="card" aria-label="Registration">
        <dl class="pairs">
          {alias !== undefined && (
            <Pair name="Alias" class="mono">
              {alias}
            </Pair>
          )}
          <Pair name="Events" class="mono">
            {events.join(', ')}
          </Pair>
          <Pair name="Secret">
            <Secret secret={secret} />
          </Pair>
          <CopiedPair name="Id" text={id} label="webhook id" />
          <Pair name="Registered">
            <RelativeTime at={created} />
          </Pair>
          <Pair name="Links">
            <a href={deliveriesHref({ endpoint: id })}>Deliveries to this endpoint</a>
          </Pair>
        </dl>
      </section>
      <HealthCard endpoint={endpoint} />
      <Held endpoint={endpoint} />
    </article>
  );
}

/** Shows why and since when it is paused, or when its failure streak will pause it. */
function Condition({ endpoint }: { endpoint: Endpoint }) {
  const { status, pause_reason: reason, updated_at: updated, failing_since: failing } = endpoint;
  if (status === 'paused') {
    const ms = Date.parse(updated);
    return (
      <Notice tone="warn" icon="pause">
        <p class="strong">
          Paused since {dayWords(ms)} {clockWords(ms, true)} (<RelativeTime at={updated} />)
        </p>
        <p>{reason}</p>
        <p>
          Deliveries are held. An application reactivates the endpoint by registering the URL again. Here, use the
          button.
        </p>
      </Notice>
    );
  }
  if (failing === null) return null;
  return (
    <Notice tone="bad" icon="alert">
      <div class="failure-notice">
        <p class="strong">Failure streak. One successful delivery ends it.</p>
        <FailureRun endpoint={endpoint} />
      </div>
    </Notice>
  );
}

function Actions({ endpoint }: { endpoint: Endpoint }) {
  const { api } = model.value;
  const { id, url, events, status } = endpoint;
  const [removing, setRemoving] = useState(false);
  const [rotating, setRotating] = useState(false);
  const set = (next: Endpoint['status'], good: string) =>
    void act(api.put('/_sandbox/webhooks/{id}', { path: { id }, body: { status: next } }), good);
  const rotate = () => {
    setRotating(false);
    void act(
      api.post('/_sandbox/webhooks', { body: { url, events } }),
      'Registered again. The receiver needs the new secret.',
    );
  };
  const remove = async () => {
    setRemoving(false);
    const removed = api.delete('/_sandbox/webhooks/{id}', { path: { id } });
    if ((await act(removed, 'The endpoint is removed.')) !== null) go(here('webhooks', ['endpoints']));
  };
  return (
    <div class="detail-actions">
      {status === 'paused' ? (
        <Button kind="primary" icon="play" onClick={() => set('active', 'The endpoint is active.')}>
          Set active
        </Button>
      ) : (
        <Button icon="pause" onClick={() => set('paused', 'Paused.')}>
          Pause
        </Button>
      )}
      <Button
        icon="key"
        title="Registers the URL again, as an application does"
        onClick={() => (status === 'paused' ? setRotating(true) : rotate())}
      >
        New secret
      </Button>
      <Button kind="danger" onClick={() => setRemoving(true)}>
        Remove
      </Button>
      {rotating && (
        <FormDialog
          title="New secret and activation"
          onClose={() => setRotating(false)}
          does="Generate secret and activate"
          onSubmit={rotate}
        >
          <p class="breaks">
            Registering the URL again generates a new secret. It also activates the paused endpoint, so the next events
            are delivered to it again.
          </p>
        </FormDialog>
      )}
      {removing && (
        <FormDialog
          title="Remove endpoint"
          onClose={() => setRemoving(false)}
          does="Remove endpoint"
          keeps="Keep endpoint"
          danger
          onSubmit={remove}
        >
          <p class="breaks">
            No more events are delivered to {url}, and its pending deliveries are dropped. Past deliveries stay.
          </p>
        </FormDialog>
      )}
    </div>
  );
}
