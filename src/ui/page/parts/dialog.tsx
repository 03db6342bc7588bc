/** Modal dialogs, the browser's own, so that focus, Escape and a click beside them work as users expect. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../core/index.js';
import { Button, type ButtonProps, IconButton } from './button.js';
import { Notice } from './detail.js';
import { submits } from './field.js';
import type { IconName } from './icon.js';

interface Props {
  readonly title: string;
  /** Without it, it can be closed only by a choice. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog?.open === false) dialog.showModal();
    // The browser would focus the close button instead.
    dialog?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      class="dialog"
      ref={element}
      aria-labelledby={id}
      {...{ closedby: onClose ? 'any' : 'none' }}
      onClose={() => {
        if (!onClose) element.current?.showModal();
        else if (element.current) onClose();
      }}
    >
      <div>
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && <IconButton kind="low" icon="close" label="Close" onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  );
}

/**
 * The work of a form, one thing at a time. An error of the sandbox is a notice, to be shown in the form.
 * @returns the notice; what runs the work, and says whether it succeeded; and what removes the notice
 */
export function useWork() {
  const [error, setError] = useState<ApiError | null>(null);
  const busy = useRef(false);
  const run = async (work: () => unknown): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    try {
      await work();
      setError(null);
      return true;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      setError(problem);
      return false;
    } finally {
      busy.current = false;
    }
  };
  const problem = error && (
    <div role="alert">
      <Notice tone="bad">{error.words.join(' ')}</Notice>
    </div>
  );
  return { problem, run, forget: () => setError(null) };
}

interface FormProps extends Props {
  readonly does: string;
  /** The dialog closes when it has succeeded; an error of the sandbox stands in it. */
  readonly onSubmit: () => unknown;
  /** True if it stays open after it has succeeded, to show the result. */
  readonly stays?: boolean;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

export function FormDialog({ title, onClose, children, does, onSubmit, ...rest }: FormProps) {
  const { danger = false, disabled = false, stays = false } = rest;
  const { problem, run } = useWork();
  const submit = async () => {
    if ((await run(onSubmit)) && !stays) onClose?.();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submits(submit)}>
        {children}
        {problem}
        <footer>
          {onClose && <Button onClick={onClose}>Cancel</Button>}
          <Button type="submit" kind={danger ? 'primary danger' : 'primary'} disabled={disabled} words={does} />
        </footer>
      </form>
    </Dialog>
  );
}

interface OpenerProps extends ButtonProps {
  readonly words: string;
  readonly icon?: IconName;
  readonly children: (close: () => void) => ComponentChildren;
}

export function Opener({ words, kind = 'low', children, ...rest }: OpenerProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)} {...rest} words={words} />
      {open && children(() => setOpen(false))}
    </>
  );
}
