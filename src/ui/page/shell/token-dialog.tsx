/** Asks for the control token of a sandbox that was started with one. */
import { useState } from 'preact/hooks';
import { tryToken } from '../core/accounts.js';
import { Dialog } from '../parts/dialog.js';
import { Field } from '../parts/field.js';

export function TokenDialog() {
  const [error, setError] = useState<string | null>(null);
  const [token, setToken] = useState('');
  const open = async () => {
    setError(token === '' ? 'Give the value of --control-token.' : await tryToken(token));
  };
  return (
    <Dialog title="This sandbox is guarded" needed onClose={() => undefined}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <Field
          label="Control token"
          error={error}
          hint="What --control-token or SANDBOX_CONTROL_TOKEN says. It is kept for this tab alone."
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
