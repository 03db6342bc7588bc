/** The notices, below the header where no list or form has its buttons, and the announcements for screen readers. */
import { announced, dismiss, inDialog, type Toast, toasts } from '../core/index.js';
import { Button, IconButton } from './button.js';

export function Notices() {
  return (
    <>
      <ToastList of={inDialog.value ? [] : toasts.value} />
      <p class="for-readers" aria-live="polite">
        {announced.value}
      </p>
    </>
  );
}

export function ToastList({ of }: { of: readonly Toast[] }) {
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
