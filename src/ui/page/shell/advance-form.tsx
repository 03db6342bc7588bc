/** A field for the target of the clock: a duration, a time of day or a date. */
import { useId, useState } from 'preact/hooks';
import { here, model, moveOf } from '../core/index.js';
import { Button, submits } from '../parts/index.js';

export function AdvanceForm({ onStart }: { readonly onStart?: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const start = () => {
    const move = moveOf(typed, model.value.clock.now.value ?? 0);
    if (typeof move === 'string') {
      setError(move);
      return;
    }
    model.value.advances.start(move);
    setTyped('');
    onStart?.();
  };
  return (
    <form class="advance-form line" onSubmit={submits(start)}>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        aria-label="Advance by or to"
        aria-describedby={id}
        aria-invalid={error !== null}
        placeholder="23h59m or 18:30"
        title="A duration such as 23h59m, a time such as 18:30, or a date such as 2026-03-02 09:00. UTC."
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setError(null);
        }}
      />
      <Button kind="small" type="submit" aria-disabled={typed.trim() === ''}>
        Advance
      </Button>
      <p id={id} class="advance-error small-text" role="alert">
        {error}
        {error?.includes('reset the account') === true && (
          <>
            {' '}
            <a href={here('account')}>Reset account</a>
          </>
        )}
      </p>
    </form>
  );
}
