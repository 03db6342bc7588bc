/** Registers an endpoint. */
import { useState } from 'preact/hooks';
import { act, done, go, here, model } from '../../core/index.js';
import { Button, Check, Field, FormDialog, TextInput } from '../../parts/index.js';
import { eventTypes } from './emit.js';

export function RegisterDialog({ onClose }: { onClose: () => void }) {
  const { api } = model.value;
  const [url, setUrl] = useState('https://');
  const [events, setEvents] = useState<readonly string[]>(eventTypes);
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<string | null>(null);
  const register = async () => {
    const given = url.trim();
    if (!/^https:\/\/[^\s/?#]/.test(given) || !URL.canParse(given)) {
      setError(`Invalid URL "${url}". Expected an https:// URL, such as https://localhost:3000/hook.`);
      return;
    }
    const chosen = eventTypes.filter((type) => events.includes(type));
    const body = { url: given, events: chosen, ...(secret !== '' && { secret: secret.trim() }) };
    const made = await act(done(api.POST('/_sandbox/webhooks', { body })), 'The endpoint is registered.');
    if (!made) return;
    onClose();
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
      <Field
        label="URL"
        error={error}
        hint="A local receiver may use plain HTTP. A URL that is known keeps its id and gets a new secret."
      >
        <TextInput
          inputMode="url"
          value={url}
          onText={(value) => {
            setUrl(value);
            setError(null);
          }}
        />
      </Field>
      <p>
        <Button kind="quiet low" onClick={() => setUrl('https://sink.sandbox/app')}>
          Use the built-in receiver
        </Button>
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
      <Field label="Secret" hint="Generated if empty. Your own must start with whsec_.">
        <TextInput class="mono" value={secret} onText={setSecret} />
      </Field>
    </FormDialog>
  );
}
