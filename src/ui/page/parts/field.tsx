/** A labelled input, with an error or a hint below. */
import { cloneElement, type ComponentChildren, type VNode } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  readonly label: string;
  /** The input, which gets the attributes that connect it with the label and the hint. */
  readonly children: VNode;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
}

export function Field({ label, children, hint, error = null }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== null })}
      <p id={`${id}-hint`} class={error === null ? 'hint' : 'hint bad'} aria-live="polite">
        {error ?? hint}
      </p>
    </div>
  );
}

/** Returns a listener that does `work` in place of what the browser does with a form. */
export function submits(work: () => unknown): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    void work();
  };
}
