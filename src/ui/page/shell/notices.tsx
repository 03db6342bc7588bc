import { dismiss, toasts } from '../core/index.js';
import { Button, IconButton } from '../parts/index.js';

export function Notices() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, tone, text, details, action }) => (
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
