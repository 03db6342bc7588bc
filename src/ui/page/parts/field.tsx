/** A labelled input, with an error or a hint below. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** Renders the input with these attributes. */
  readonly children: (attributes: {
    id: string;
    'aria-describedby': string;
    'aria-invalid': boolean;
  }) => ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
}

export function Field({ label, children, hint, error = null }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== null })}
      <p id={`${id}-hint`} class={error === null ? 'hint' : 'hint bad'} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  );
}
