/** Registers an endpoint, as an application does. */
import { useState } from 'preact/hooks';
import { act, go, model } from '../../core/index.js';
import { Button, Field, FormDialog } from '../../parts/index.js';
import { eventTypes } from './filter.js';
import { endpointHref } from './place.js';

export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
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
        <input
          type="text"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          value={url}
          onInput={(event) => {
            setUrl(event.currentTarget.value);
            setError(null);
          }}
        />
      </Field>
      <p class="register-offer">
        <Button kind="quiet small" onClick={() => setUrl('https://sink.sandbox/app')}>
          Use built-in receiver
        </Button>
      </p>
      <fieldset class="choice">
        <legend>Events</legend>
        {eventTypes.map((type) => (
          <label key={type}>
            <input
              type="checkbox"
              checked={events.includes(type)}
              onChange={({ currentTarget }) =>
                setEvents(eventTypes.filter((each) => (each === type ? currentTarget.checked : events.includes(each))))
              }
            />{' '}
            {type}
          </label>
        ))}
      </fieldset>
      <Field label="Secret" hint="Generated if empty. Your own must start with whsec_.">
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={secret}
          onInput={(event) => setSecret(event.currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}
