/** A modal dialog: the browser's own, so that focus and Escape work as users expect. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { inDialog, toasts } from '../core/index.js';
import { Button, IconButton } from './button.js';
import { submits } from './field.js';
import { ToastList } from './toast-list.js';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Whether it can be closed only by a choice. */
  readonly needed?: boolean;
}

/** Open while it is rendered. */
export function Dialog({ title, onClose, children, needed = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const pressed = useRef<EventTarget | null>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog?.open === false) dialog.showModal();
    // The browser would focus the close button instead.
    dialog?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    inDialog.value = true;
    return () => {
      inDialog.value = false;
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      class="dialog boxed ink high curved-14 raised"
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!needed) onClose();
      }}
      onClose={() => {
        // Browsers do not let a page block Escape: a second one in a row always closes the dialog.
        if (needed) element.current?.showModal();
        else if (element.current) onClose();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => {
        // Ignores a text selection that began inside and ended outside.
        if (target === element.current && pressed.current === target && !needed) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          {!needed && <IconButton icon="close" label="Close" onClick={onClose} />}
        </header>
        {children}
      </div>
      <ToastList of={toasts.value} />
    </dialog>
  );
}

interface FormProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** The labels of the buttons. */
  readonly does: string;
  readonly keeps?: string;
  readonly onSubmit: () => unknown;
  /** Whether the action deletes something. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

/** A form in a dialog, with buttons to cancel and to submit. */
export function FormDialog(props: FormProps) {
  const { title, onClose, children, does, keeps = 'Cancel', onSubmit, danger = false, disabled = false } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submits(onSubmit)}>
        {children}
        <footer>
          <Button onClick={onClose}>{keeps}</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} disabled={disabled}>
            {does}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
