/** One endpoint: state, secret, events, failure streak and actions. */
import { useState } from 'preact/hooks';
import { act } from '../../core/api.js';
import { model } from '../../core/current.js';
import { go, here } from '../../core/location.js';
import { wide } from '../../core/media.js';
import type { Endpoint } from '../../core/records.js';
import { clockWords, dayWords } from '../../core/time-words.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog } from '../../parts/dialog.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Icon } from '../../parts/icon.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { StatusBadge } from '../../parts/status-badge.js';
import { FailureRun } from './failure-run.js';
import { HealthCard } from './health-card.js';
import { Held } from './held.js';
import { deliveriesHref } from './place.js';
import { Secret } from './secret.js';

export function EndpointDetail({ id }: { readonly id: string }) {
  const { webhooks } = model.value;
  const endpoint = webhooks.get(id);
  if (!endpoint) {
    if (webhooks.state.value !== 'ready' || webhooks.more.value) return <p class="starting">Loading …</p>;
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

function Shown({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, alias, events, status, created_at: created, secret } = endpoint;
  return (
    <article class="detail" aria-label={`Endpoint ${url}`}>
      <header class="detail-head">
        {!wide.value && (
          <a class="icon-button" href={here('webhooks', ['endpoints'])} aria-label="All endpoints">
            <Icon name="back" />
          </a>
        )}
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
            <>
              <dt>Alias</dt>
              <dd class="mono">{alias}</dd>
            </>
          )}
          <dt>Events</dt>
          <dd class="mono">{events.join(', ')}</dd>
          <dt>Secret</dt>
          <dd>
            <Secret secret={secret} />
          </dd>
          <dt>Id</dt>
          <dd>
            <span class="mono">{id}</span> <CopyButton text={id} label="webhook id" />
          </dd>
          <dt>Registered</dt>
          <dd>
            <RelativeTime at={created} />
          </dd>
          <dt>Links</dt>
          <dd>
            <a href={deliveriesHref({ endpoint: id })}>Deliveries to this endpoint</a>
          </dd>
        </dl>
      </section>
      <HealthCard endpoint={endpoint} />
      <Held endpoint={endpoint} />
    </article>
  );
}

/** Shows why and since when it is paused, or when its failure streak will pause it. */
function Condition({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, pause_reason: reason, updated_at: updated, failing_since: failing } = endpoint;
  if (status === 'paused') {
    const ms = Date.parse(updated);
    return (
      <div class="notice warn">
        <Icon name="pause" size={16} />
        <div>
          <p class="strong">
            Paused since {dayWords(ms)} {clockWords(ms, true)} (<RelativeTime at={updated} />)
          </p>
          <p>{reason}</p>
          <p>
            Deliveries are held. An application reactivates the endpoint by registering the URL again. Here, use the
            button.
          </p>
        </div>
      </div>
    );
  }
  if (failing === null) return null;
  return (
    <div class="notice bad">
      <Icon name="alert" size={16} />
      <div class="failure-notice">
        <p class="strong">Failure streak. One successful delivery ends it.</p>
        <FailureRun endpoint={endpoint} />
      </div>
    </div>
  );
}

function Actions({ endpoint }: { readonly endpoint: Endpoint }) {
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
    const done = await act(
      api.delete('/_sandbox/webhooks/{id}', { path: { id } }).then(() => true),
      'The endpoint is removed.',
    );
    if (done) go(here('webhooks', ['endpoints']));
  };
  return (
    <div class="detail-actions">
      {status === 'paused' ? (
        <button type="button" class="button primary" onClick={() => set('active', 'The endpoint is active.')}>
          <Icon name="play" size={16} /> Set active
        </button>
      ) : (
        <button type="button" class="button" onClick={() => set('paused', 'Paused.')}>
          <Icon name="pause" size={16} /> Pause
        </button>
      )}
      <button
        type="button"
        class="button"
        title="Registers the URL again, as an application does"
        onClick={() => (status === 'paused' ? setRotating(true) : rotate())}
      >
        <Icon name="key" size={16} /> New secret
      </button>
      <button type="button" class="button danger" onClick={() => setRemoving(true)}>
        Remove
      </button>
      {rotating && (
        <Dialog title="New secret and activation" onClose={() => setRotating(false)}>
          <p class="dialog-words">
            Registering the URL again generates a new secret. It also activates the paused endpoint, so the next events
            are delivered to it again.
          </p>
          <footer>
            <button type="button" class="button" onClick={() => setRotating(false)}>
              Cancel
            </button>
            <button type="button" class="button primary" onClick={rotate}>
              Generate secret and activate
            </button>
          </footer>
        </Dialog>
      )}
      {removing && (
        <Dialog title="Remove endpoint" onClose={() => setRemoving(false)}>
          <p class="dialog-words">
            No more events are delivered to {url}, and its pending deliveries are dropped. Past deliveries stay.
          </p>
          <footer>
            <button type="button" class="button" onClick={() => setRemoving(false)}>
              Keep endpoint
            </button>
            <button type="button" class="button danger" onClick={() => void remove()}>
              Remove endpoint
            </button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}
