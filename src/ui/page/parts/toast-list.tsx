/** The notices in the corner, and the announcements for screen readers. */
import { announced, dismiss, inDialog, type Toast, toasts } from '../core/index.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

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
    <div class="toasts grid gap-50" role="status">
      {of.map(({ id, tone, text, details, action }) => (
        <div key={id} class={`toast boxed top high curved-10 raised flex gap-60 breaks ${tone}`}>
          <Icon name={tone === 'good' ? 'check' : 'alert'} />
          <div>
            <p>{text}</p>
            {details.length > 0 && (
              <ul>
                {details.map((detail, at) => (
                  <li key={at}>{detail}</li>
                ))}
              </ul>
            )}
          </div>
          {action && (
            <Button
              kind="small"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
