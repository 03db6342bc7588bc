/** Whether the browser shows a notification if something fails while the page is not visible. */
import { notifies, setNotifies } from '../../core/index.js';

export function Notifications() {
  return (
    <section class="card" aria-label="Notifications">
      <h3>Notifications</h3>
      <fieldset class="choice">
        <label>
          <input
            type="checkbox"
            checked={notifies.value}
            onChange={(event) => void setNotifies(event.currentTarget.checked)}
          />{' '}
          Notify me of failed expectations, paused endpoints and 5xx responses
        </label>
      </fieldset>
      <p class="consequence faint">
        Only while this page is in the background. The page title always shows their number.
      </p>
    </section>
  );
}
