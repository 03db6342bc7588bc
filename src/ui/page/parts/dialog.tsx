/** A modal dialog: the browser's own, so that focus and Escape work as users expect. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { inDialog, toasts } from '../core/toasts.js';
import { Icon } from './icon.js';
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
      class="dialog"
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
          {!needed && (
            <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
      <ToastList of={toasts.value} />
    </dialog>
  );
}
