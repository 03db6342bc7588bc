/** Registered endpoints, newest first, with their problems. */
import { useState } from 'preact/hooks';
import { type Endpoint, exampleOf, model } from '../../core/index.js';
import { Button, EmptyState, StatusBadge, VirtualList } from '../../parts/index.js';
import { FailureRun } from './failure-run.js';
import { endpointHref, shortUrl } from './place.js';
import { RegisterDialog } from './register-dialog.js';

export function EndpointList({ current }: { readonly current: string | undefined }) {
  const { webhooks, site } = model.value;
  const [registering, setRegistering] = useState(false);
  const rows = webhooks.rows.toReversed();
  return (
    <>
      <header class="list-head row">
        <p class="faint list-head-words small-text">Receivers of events</p>
        <Button kind="primary" icon="plus" onClick={() => setRegistering(true)}>
          Register endpoint
        </Button>
      </header>
      {webhooks.state.value === 'ready' && rows.length === 0 ? (
        <EmptyState
          icon="webhook"
          title="No endpoints yet"
          command={exampleOf(site, 'POST', '/v1/webhooks', {
            url: 'https://localhost:3000/hook',
            events: ['message.received', 'message.status'],
          })}
        >
          <p>
            Endpoints appear here. Register one above or from your application, or run this with your receiver’s port:
          </p>
        </EmptyState>
      ) : (
        <VirtualList
          label="Endpoints"
          count={rows.length}
          keyOf={(index) => rows[index]?.id ?? ''}
          estimate={84}
          row={(index) => {
            const endpoint = rows[index];
            return endpoint && <Entry endpoint={endpoint} current={endpoint.id === current} />;
          }}
        />
      )}
      {registering && <RegisterDialog onClose={() => setRegistering(false)} />}
    </>
  );
}

function Entry({ endpoint, current }: { readonly endpoint: Endpoint; readonly current: boolean }) {
  const { id, url, events, status } = endpoint;
  return (
    <a class="endpoint-entry" href={endpointHref(id)} aria-current={current ? 'true' : undefined}>
      <span class="endpoint-top line">
        <span class="endpoint-url cut">{shortUrl(url)}</span>
        <StatusBadge status={status} />
      </span>
      <span class="faint endpoint-events cut small-text">{events.join(' · ')}</span>
      <FailureRun endpoint={endpoint} />
    </a>
  );
}
