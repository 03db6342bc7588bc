/** Deletes the account with everything in it, including its snapshots. */
import { useState } from 'preact/hooks';
import { accountList, readAccounts } from '../../core/accounts.js';
import { act, Api } from '../../core/api.js';
import { model } from '../../core/current.js';
import { go } from '../../core/location.js';
import { hrefOf } from '../../core/route.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogAnswers } from '../../parts/dialog-answers.js';

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
      <p class="consequence">
        Deletes everything in {key}, its snapshots included. This cannot be undone; download a snapshot to keep it. The
        next call with this key starts an empty account.
      </p>
      <p class="account-actions">
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          Delete account
        </button>
      </p>
      {asking && (
        <Dialog title={`Delete ${key}?`} onClose={() => setAsking(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void remove();
            }}
          >
            <p>Messages, templates, endpoints, journal and snapshots of this account are deleted permanently.</p>
            <DialogAnswers does="Delete" onClose={() => setAsking(false)} danger />
          </form>
        </Dialog>
      )}
    </section>
  );
}
