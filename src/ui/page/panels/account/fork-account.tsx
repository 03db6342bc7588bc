/** Copies the account to another key, so that an expensive setup is made only once. */
import { useState } from 'preact/hooks';
import { act, go, hrefOf, model, readAccounts } from '../../core/index.js';
import { Button, submits } from '../../parts/index.js';

export function ForkAccount() {
  const { api, key } = model.value;
  const [to, setTo] = useState('');
  const fork = async () => {
    const wanted = to.trim();
    const path = { key };
    const made = await act(
      api.post('/_sandbox/accounts/{key}/fork', { path, body: { to: wanted } }),
      `${key} is forked to ${wanted}.`,
    );
    if (!made) return;
    void readAccounts();
    go(hrefOf(wanted, 'account'));
  };
  return (
    <section class="card" aria-label="Fork account">
      <h3>Fork account</h3>
      <p class="faint">
        Copies records, scenario, rules and pending jobs to another key. The clock of the copy is frozen at this
        instant.
      </p>
      <form class="take-snapshot" onSubmit={submits(fork)}>
        <input
          type="text"
          aria-label="API key of the fork"
          placeholder="API key of the fork"
          required
          autocomplete="off"
          spellcheck={false}
          value={to}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
        <Button type="submit">Fork</Button>
      </form>
    </section>
  );
}
