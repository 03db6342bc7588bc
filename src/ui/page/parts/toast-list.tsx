/** The notices in the corner, and the words for screen readers. */
import { announced, dismiss, toasts } from '../core/toasts.js';
import { Icon } from './icon.js';

export function ToastList() {
  return (
    <>
      <div class="toasts" role="status">
        {toasts.value.map(({ id, tone, text, details }) => (
          <div key={id} class={`toast ${tone}`}>
            <Icon name={tone === 'good' ? 'check' : 'alert'} />
            <div>
              <p>{text}</p>
              {details.length > 0 && (
                <ul>
                  {details.map((detail) => (
                    <li key={detail}>{detail}</li>
                  ))}
                </ul>
              )}
            </div>
            <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
              <Icon name="close" size={14} />
            </button>
          </div>
        ))}
      </div>
      <p class="for-readers" aria-live="polite">
        {announced.value}
      </p>
    </>
  );
}
