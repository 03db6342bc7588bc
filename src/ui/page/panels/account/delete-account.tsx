/** Deletes the account with everything in it, including its snapshots. */
import { useState } from 'preact/hooks';
import { accountList, act, Api, go, hrefOf, model, readAccounts } from '../../core/index.js';
import { Button, FormDialog } from '../../parts/index.js';

const defaultKey = 'test_default';

export function DeleteAccount() {
  const { key } = model.value;
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    setAsking(false);
    const others = (accountList.value ?? []).map((each) => each.key).filter((each) => each !== key);
    // The page leaves the account first: its stream would create a new account with this key.
    go(hrefOf(others.includes(defaultKey) || others.length === 0 ? defaultKey : (others[0] ?? defaultKey), 'account'));
    const api = new Api(null);
    await act(
      api.delete('/_sandbox/accounts/{key}', { path: { key } }).then(() => true),
      `The account ${key} is deleted.`,
    );
    void readAccounts();
  };
  return (
    <section class="card" aria-label="Delete account">
      <h3>Delete account</h3>
      <p class="consequence faint">
        Deletes everything in {key}, its snapshots included. This cannot be undone; download a snapshot to keep it. The
        next call with this key starts an empty account.
      </p>
      <p class="account-actions">
        <Button kind="danger" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      </p>
      {asking && (
        <FormDialog title={`Delete ${key}?`} onClose={() => setAsking(false)} does="Delete" danger onSubmit={remove}>
          <p>Messages, templates, endpoints, journal and snapshots of this account are deleted permanently.</p>
        </FormDialog>
      )}
    </section>
  );
}
