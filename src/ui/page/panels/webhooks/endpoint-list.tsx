/** Registered endpoints, newest first, with their problems. */
import { useState } from 'preact/hooks';
import { act, clockWords, dayWords, type Endpoint, exampleOf, go, model, spanWords } from '../../core/index.js';
import {
  Button,
  Checks,
  EmptyState,
  Field,
  FormDialog,
  StatusBadge,
  TextInput,
  VirtualList,
} from '../../parts/index.js';
import { eventTypes } from './filter.js';
import { pauseAfterMs } from './ladder.js';
import { endpointHref, shortUrl } from './place.js';

export function EndpointList({ current }: { current: string | undefined }) {
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
          rows={rows}
          keyOf={({ id }) => id}
          estimate={84}
          row={(endpoint) => <Entry endpoint={endpoint} current={endpoint.id === current} />}
        />
      )}
      {registering && <RegisterDialog onClose={() => setRegistering(false)} />}
    </>
  );
}

function Entry({ endpoint, current }: { endpoint: Endpoint; current: boolean }) {
  const { id, url, events, status } = endpoint;
  return (
    <a class="endpoint-entry grid ruled" href={endpointHref(id)} aria-current={current ? 'true' : undefined}>
      <span class="gap-50 line">
        <span class="fills strong cut">{shortUrl(url)}</span>
        <StatusBadge status={status} />
      </span>
      <span class="faint endpoint-events cut small-text">{events.join(' · ')}</span>
      <FailureRun endpoint={endpoint} />
    </a>
  );
}

export function FailureRun({ endpoint }: { endpoint: Endpoint }) {
  const { failing_since: since, status } = endpoint;
  if (status === 'paused' || since === null) return null;
  const sinceMs = Date.parse(since);
  const deadlineMs = sinceMs + pauseAfterMs;
  const nowMs = model.value.clock.second.value ?? sinceMs;
  const part = Math.min(1, Math.max(0, (nowMs - sinceMs) / pauseAfterMs));
  return (
    <span class="failure-run bad grid gap-25 small-text">
      <span class="failure-bar clips" aria-hidden="true">
        <span style={{ width: `${part * 100}%` }} />
      </span>
      <span>
        Fails since {clockWords(sinceMs)}, paused in {spanWords(deadlineMs - nowMs)}
        <span class="for-readers">
          , on {dayWords(deadlineMs)} at {clockWords(deadlineMs)}
        </span>
      </span>
    </span>
  );
}

function RegisterDialog({ onClose }: { onClose: () => void }) {
  const { api, webhooks } = model.value;
  const [url, setUrl] = useState('https://');
  const [events, setEvents] = useState<readonly (typeof eventTypes)[number][]>(eventTypes);
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<string | null>(null);
  const known = webhooks.rows.some((each) => each.url === url.trim());
  const register = async () => {
    if (!/^https:\/\/[^\s/?#]/.test(url.trim()) || !URL.canParse(url.trim())) {
      setError(`Invalid URL "${url}". Expected an https:// URL, such as https://localhost:3000/hook.`);
      return;
    }
    const body = { url: url.trim(), events: [...events], ...(secret !== '' && { secret: secret.trim() }) };
    const made = await act(api.post('/_sandbox/webhooks', { body }), 'The endpoint is registered.');
    if (!made) return;
    onClose();
    go(endpointHref(made.id));
  };
  return (
    <FormDialog
      title="Register endpoint"
      onClose={onClose}
      does="Register endpoint"
      disabled={events.length === 0}
      onSubmit={register}
    >
      <Field
        label="URL"
        error={error}
        hint={
          known
            ? 'Already registered: it keeps its id and gets a new secret.'
            : 'Starts with https://. A local receiver may use plain HTTP.'
        }
      >
        <TextInput
          inputMode="url"
          spellcheck={false}
          value={url}
          onText={(value) => {
            setUrl(value);
            setError(null);
          }}
        />
      </Field>
      <p class="register-offer">
        <Button kind="quiet small" onClick={() => setUrl('https://sink.sandbox/app')}>
          Use built-in receiver
        </Button>
      </p>
      <Checks
        legend="Events"
        options={eventTypes.map((type) => [type, type] as const)}
        chosen={events}
        onChange={setEvents}
      />
      <Field label="Secret" hint="Generated if empty. Your own must start with whsec_.">
        <TextInput spellcheck={false} value={secret} onText={setSecret} />
      </Field>
    </FormDialog>
  );
}
