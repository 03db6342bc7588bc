import { useState } from 'preact/hooks';
import { act, apiOf, clockWords, dayWords, go, hrefOf, later, model, toast, undoable, useRead } from '../core/index.js';
import { Button, Dialog, FormDialog, HelpLink, IconButton, submits, TextInput, useWork } from '../parts/index.js';
import { accountList, defaultKey, readAccounts } from './accounts.js';

/** Resets the account, without a question but with Undo. Templates and endpoints stay. */
export function resetAccount(): Promise<unknown> {
  const { api, key } = model.value;
  const reset = () => api.post('/_sandbox/reset', { body: { keep: ['templates', 'webhooks'] } });
  return act(undoable(api, 'before-reset', `${key} is reset.`, reset));
}

export function SnapshotsDialog({ onClose }: { onClose: () => void }) {
  const { api, key } = model.value;
  const [name, setName] = useState('');
  const [changes, setChanges] = useState(0);
  const { problem, run } = useWork();
  const query = { limit: 1000, order: 'desc' as const };
  const all = useRead(`snapshots ${changes}`, () => api.get('/_sandbox/snapshots', { query })).value?.items ?? [];
  const change = async (work: () => Promise<unknown>) => {
    if (await run(work)) setChanges(changes + 1);
  };
  const take = () => {
    const free = [...all.keys(), all.length].map((at) => `snapshot-${at + 1}`);
    const wanted = name.trim() || (free.find((each) => !all.some((known) => known.name === each)) ?? '');
    setName('');
    return change(() => api.post('/_sandbox/snapshots', { body: { name: wanted } }));
  };
  const restore = async (from: string) => {
    const call = () => api.post('/_sandbox/snapshots/{name}/restore', { path: { name: from } });
    if (await run(() => undoable(api, 'before-restore', `${key} is as it was in ${from}.`, call))) onClose();
  };
  const remove = (from: string) => change(() => api.delete('/_sandbox/snapshots/{name}', { path: { name: from } }));
  return (
    <Dialog title="Snapshots" onClose={onClose}>
      <p class="hint">
        A snapshot contains the whole account: records, clock, scenario and pending jobs.{' '}
        <HelpLink page="configuration.md#snapshots">More about snapshots</HelpLink>
      </p>
      <form class="row" onSubmit={submits(take)}>
        <span class="grow">
          <TextInput aria-label="Name of the snapshot" placeholder="Name (optional)" value={name} onText={setName} />
        </span>
        <Button kind="primary" type="submit" words="Take snapshot" />
      </form>
      {problem}
      {all.length === 0 && <p class="soft">Snapshots that you take appear here.</p>}
      <ul class="rows" aria-label="Snapshots">
        {all.map(({ name: each, taken_at: at, size_bytes: bytes }) => (
          <li key={each}>
            <span class="grow">
              <span class="cut strong sub-line">{each}</span>
              <span class="soft sub-line">
                {dayWords(Date.parse(at))} {clockWords(Date.parse(at))} UTC · {Math.ceil(bytes / 1000)} kB
              </span>
            </span>
            <Button kind="low" aria-label={`Restore ${each}`} onClick={() => void restore(each)} words="Restore" />
            <IconButton kind="low" icon="close" label={`Delete ${each}`} onClick={() => void remove(each)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Milliseconds until the page has left an account, and what it has asked there has come. */
const leaveMs = 300;

export function DeleteDialog({ onClose }: { onClose: () => void }) {
  // The page shows another account before this one is deleted.
  const [key] = useState(model.value.key);
  const remove = async () => {
    const others = (accountList.value ?? []).map((each) => each.key).filter((each) => each !== key);
    // The page leaves the account first: what it reads and hears there would create it again.
    go(hrefOf(others.includes(defaultKey) ? defaultKey : (others[0] ?? defaultKey), 'messages'));
    await new Promise<void>((resolve) => later(leaveMs, resolve));
    await apiOf(null).delete('/_sandbox/accounts/{key}', { path: { key } });
    toast('good', `The account ${key} is deleted.`);
    void readAccounts();
  };
  return (
    <FormDialog title={`Delete ${key}?`} does="Delete" danger onClose={onClose} onSubmit={remove}>
      <p>
        Messages, templates, endpoints, journal and snapshots of this account are deleted. This cannot be undone. The
        next call with this key starts an empty account.
      </p>
    </FormDialog>
  );
}
