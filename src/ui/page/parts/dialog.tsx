/** Modal dialogs, the browser's own, so that focus, Escape and a click beside them work as users expect; and notices. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { callService, dismiss, go, inDialog, type Toast, toasts } from '../core/index.js';
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

/** Open while it is rendered. */
export function Dialog({ title, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
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
      <ToastList of={toasts.value} />
    </dialog>
  );
}

interface FormProps extends Props {
  /** The label of the button. */
  readonly does: string;
  readonly onSubmit: () => unknown;
  /** Whether the action deletes something. */
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

/** A form in a dialog, with buttons to cancel and to submit. */
export function FormDialog({ title, onClose, children, does, onSubmit, danger = false, disabled = false }: FormProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submits(onSubmit)}>
        {children}
        <footer>
          {onClose && <Button onClick={onClose}>Cancel</Button>}
          <Button type="submit" kind={danger ? 'danger' : 'primary'} disabled={disabled}>
            {does}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface ServiceProps extends Props {
  readonly does: string;
  readonly onClose: () => void;
  readonly path: string;
  readonly body: object;
  /** @returns the address of what the call has made */
  readonly made: (response: Readonly<Record<string, string>>) => string;
}

/** A form that calls the service as the application does, shows its error, or opens what the call has made. */
export function ServiceDialog({ title, does, onClose, children, path, body, made }: ServiceProps) {
  const [error, setError] = useState<string | null>(null);
  const submit = async () => {
    const result = await callService(path, body);
    setError(result.error);
    if (result.error !== null) return;
    onClose();
    go(made(result.body as Record<string, string>));
  };
  return (
    <FormDialog title={title} does={does} onClose={onClose} onSubmit={submit}>
      {children}
      {error !== null && <Notice tone="bad">{error}</Notice>}
    </FormDialog>
  );
}

interface OpenerProps extends ButtonProps {
  /** The content of the button. */
  readonly words: string;
  readonly icon?: IconName;
  /** The dialog. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function Opener({ words, kind = 'low', children, ...rest }: OpenerProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)} {...rest}>
        {words}
      </Button>
      {open && children(() => setOpen(false))}
    </>
  );
}

/** The notices of the page; those that come while a dialog is open are in it. */
export function Notices() {
  return <ToastList of={inDialog.value ? [] : toasts.value} />;
}

function ToastList({ of }: { of: readonly Toast[] }) {
  return (
    <div class="toasts" role="status">
      {of.map(({ id, tone, text, details, action }) => (
        <div key={id} class={`toast ${tone}`}>
          <div>
            <p>{text}</p>
            {details.map((detail, at) => (
              <p key={at} class="soft">
                {detail}
              </p>
            ))}
          </div>
          {action && (
            <Button
              kind="low"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton kind="low" icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
