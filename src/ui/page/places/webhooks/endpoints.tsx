import { useState } from 'preact/hooks';
import { type Endpoint, go, here, model, toast, shortUrl, useRead } from '../../core/index.js';
import {
  Button,
  Check,
  chips,
  type Column,
  FormDialog,
  type ListProps,
  Opener,
  Records,
  State,
} from '../../parts/index.js';
import { stateColumn, TextField, timeColumn, useRecords } from '../../parts/index.js';
import { registration } from './deliveries.js';
import { eventTypes } from './emit.js';

/** `failing` from the first failed attempt until the endpoint responds, or is paused. */
function stateOf({ status, failing_since: since }: Endpoint) {
  return status === 'active' && since !== null ? 'failing' : status;
}

export function useEndpointStates() {
  const { api } = model.value;
  const read = () => api.get('/_sandbox/webhooks', { query: { limit: 1000 } });
  return useRead('states of endpoints', read, ['webhook', 'attempt']).value?.items.map(stateOf);
}

const columns: readonly Column<Endpoint>[] = [
  stateColumn('State', (endpoint) => <State status={stateOf(endpoint)} />),
  { title: 'URL', cell: ({ url }) => shortUrl(url), sub: ({ events }) => events.join(' · ') },
  { title: 'Events', width: 480, class: 'wide soft', cell: ({ events }) => events.join(' · ') },
  { ...timeColumn((endpoint) => endpoint.created_at), title: 'Registered', class: 'end soft figures wide' },
];

export function EndpointList(props: ListProps) {
  const { query } = props;
  const { api, site } = model.value;
  const failing = query['status'] === 'failing';
  // The sandbox calls a failing endpoint active until it is paused.
  const wanted = failing ? { ...query, status: 'active' } : query;
  const list = useRecords(wanted, ['status'], ['webhook'], (page) => api.get('/_sandbox/webhooks', { query: page }));
  const states = useEndpointStates();
  const count = (state: string) => states?.filter((each) => each === state).length;
  return (
    <Records
      one="endpoint"
      label="Endpoints"
      path={['webhooks', 'endpoints']}
      {...props}
      list={{ ...list, rows: list.rows?.filter((row) => !failing || stateOf(row) === 'failing') }}
      idOf={({ id }) => id}
      columns={columns}
      filters={[
        chips('status', 'State', states?.length, [
          ['failing', 'Failing', count('failing'), true],
          ['paused', 'Paused', count('paused'), true],
        ]),
      ]}
      search="URL or id"
      command={registration(site)}
      none="Receivers of events appear here. Register one with the button above or from your application, or run this with your receiver’s port:"
    />
  );
}

export function Register() {
  return (
    <Opener words="Register endpoint" icon="plus">
      {(close) => <RegisterDialog onClose={close} />}
    </Opener>
  );
}

function RegisterDialog({ onClose }: { onClose: () => void }) {
  const { api } = model.value;
  const [url, setUrl] = useState('https://');
  const [events, setEvents] = useState<readonly string[]>(eventTypes);
  const [secret, setSecret] = useState('');
  const register = async () => {
    const chosen = eventTypes.filter((type) => events.includes(type));
    const body = { url: url.trim(), events: chosen, ...(secret !== '' && { secret: secret.trim() }) };
    const made = await api.post('/_sandbox/webhooks', { body });
    toast('good', 'The endpoint is registered.');
    go(here('webhooks', ['endpoints', made.id]));
  };
  return (
    <FormDialog
      title="Register endpoint"
      does="Register endpoint"
      onClose={onClose}
      disabled={events.length === 0}
      onSubmit={register}
    >
      <TextField
        label="URL"
        hint="A local receiver may use plain HTTP. A URL that is known keeps its id and gets a new secret."
        inputMode="url"
        value={url}
        onText={setUrl}
      />
      <p>
        <Button kind="quiet low" onClick={() => setUrl('https://sink.sandbox/app')} words="Use the built-in receiver" />
      </p>
      <fieldset>
        <legend>Events</legend>
        {eventTypes.map((type) => (
          <Check
            key={type}
            checked={events.includes(type)}
            onCheck={(on) => setEvents(on ? [...events, type] : events.filter((each) => each !== type))}
          >
            {type}
          </Check>
        ))}
      </fieldset>
      <TextField
        label="Secret"
        hint="Generated if empty. Your own must start with whsec_."
        class="mono"
        value={secret}
        onText={setSecret}
      />
    </FormDialog>
  );
}
