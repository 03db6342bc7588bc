/** Asks for the control token of a sandbox that was started with one. */
import { useState } from 'preact/hooks';
import { tryToken } from '../core/index.js';
import { Button, Dialog, Field, submits } from '../parts/index.js';

export function TokenDialog() {
  const [error, setError] = useState<string | null>(null);
  const [token, setToken] = useState('');
  const open = async () => {
    setError(token === '' ? 'Enter the value of --control-token.' : await tryToken(token));
  };
  return (
    <Dialog title="This sandbox requires a token" needed onClose={() => undefined}>
      <form onSubmit={submits(open)}>
        <Field
          label="Control token"
          error={error}
          hint="The value of --control-token or SANDBOX_CONTROL_TOKEN. It is stored for this tab only."
        >
          <input
            type="password"
            autocomplete="off"
            autofocus
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </Field>
        <footer>
          <Button kind="primary" type="submit">
            Open the page
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
