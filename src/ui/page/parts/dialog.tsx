/** A question on top of the page: the browser's own dialog, so focus and Escape work as people expect. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { inDialog, toasts } from '../core/toasts.js';
import { Icon } from './icon.js';
import { ToastList } from './toast-list.js';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** It cannot be closed without a choice. */
  readonly needed?: boolean;
}

/** Open as long as it is drawn. */
export function Dialog({ title, onClose, children, needed = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const pressed = useRef<EventTarget | null>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog?.open === false) dialog.showModal();
    // Not at the button that closes it, where the browser would begin.
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
        // A browser does not allow a dialog to block: the second Escape in a row always closes it.
        if (needed) element.current?.showModal();
        else if (element.current) onClose();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => {
        // Not where a selection ends that began inside.
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
