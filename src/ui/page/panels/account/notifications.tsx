/** Whether the browser says so when something goes wrong while one looks elsewhere. */
import { notifies, setNotifies } from '../../core/alerts.js';

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
      <p class="consequence">
        Only while this page is in the background. The title of the page counts them in any case.
      </p>
    </section>
  );
}
