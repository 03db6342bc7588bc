/** Asks for the control token of a sandbox that was started with one. */
import { useState } from 'preact/hooks';
import { tryToken } from '../core/accounts.js';
import { Dialog } from '../parts/dialog.js';
import { Field } from '../parts/field.js';

export function TokenDialog() {
  const [error, setError] = useState<string | null>(null);
  const [token, setToken] = useState('');
  const open = async () => {
    setError(token === '' ? 'Enter the value of --control-token.' : await tryToken(token));
  };
  return (
    <Dialog title="This sandbox requires a token" needed onClose={() => undefined}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <Field
          label="Control token"
          error={error}
          hint="The value of --control-token or SANDBOX_CONTROL_TOKEN. It is stored for this tab only."
        >
          {(attributes) => (
            <input
              {...attributes}
              type="password"
              autocomplete="off"
              autofocus
              value={token}
              onInput={(event) => setToken(event.currentTarget.value)}
            />
          )}
        </Field>
        <footer>
          <button type="submit" class="button primary">
            Open the page
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
