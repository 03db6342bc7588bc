/** The account as a whole: reset, snapshots, deletion. */
import { useState } from 'preact/hooks';
import { accountList, act, apiOf, defaultKey, done, exactWords, go, hrefOf, model } from '../core/index.js';
import { readAccounts, type SnapshotInfo, succeeded, undoable, useRead } from '../core/index.js';
import { Button, Dialog, FormDialog, HelpLink, IconButton, submits, TextInput } from '../parts/index.js';

/** Resets the account, without a question but with Undo. Templates and endpoints stay. */
export function resetAccount(): Promise<boolean> {
  const { api, key } = model.value;
  return undoable(api, 'before-reset', `${key} is reset.`, () =>
    succeeded(api.POST('/_sandbox/reset', { body: { keep: ['templates', 'webhooks'] } })),
  );
}

export function SnapshotsDialog({ onClose }: { onClose: () => void }) {
  const { api } = model.value;
  const [name, setName] = useState('');
  const [changes, setChanges] = useState(0);
  const query = { limit: 1000, order: 'desc' as const };
  const all =
    useRead(`snapshots ${changes}`, () => done(api.GET('/_sandbox/snapshots', { params: { query } }))).value?.items ??
    [];
  const changed = () => setChanges(changes + 1);
  const take = async () => {
    const free = [...all.keys(), all.length].map((at) => `snapshot-${at + 1}`);
    const unused = free.find((each) => !all.some((known) => known.name === each)) ?? '';
    const wanted = name.trim() === '' ? unused : name.trim();
    const call = api.POST('/_sandbox/snapshots', { body: { name: wanted } });
    if (!(await act(done(call), `Snapshot ${wanted} is taken.`))) return;
    setName('');
    changed();
  };
  return (
    <Dialog title="Snapshots" onClose={onClose}>
      <p class="hint">
        A snapshot contains the whole account: records, clock, scenario and pending jobs.{' '}
        <HelpLink page="persistence.md#snapshots">More about snapshots</HelpLink>
      </p>
      <form class="row" onSubmit={submits(take)}>
        <span class="grow">
          <TextInput
            aria-label="Name of the snapshot"
            placeholder="Name (generated if empty)"
            value={name}
            onText={setName}
          />
        </span>
        <Button kind="primary" type="submit">
          Take snapshot
        </Button>
      </form>
      {all.length === 0 && <p class="soft">Snapshots that you take appear here.</p>}
      <ul class="rows" aria-label="Snapshots">
        {all.map((snapshot) => (
          <Snapshot key={snapshot.name} snapshot={snapshot} onChange={changed} onRestored={onClose} />
        ))}
      </ul>
    </Dialog>
  );
}

interface SnapshotProps {
  readonly snapshot: SnapshotInfo;
  readonly onChange: () => void;
  readonly onRestored: () => void;
}

function Snapshot({ snapshot: { name, taken_at: at, size_bytes: bytes }, onChange, onRestored }: SnapshotProps) {
  const { api, key } = model.value;
  const params = { path: { name } };
  const restore = async () => {
    const restored = await undoable(api, 'before-restore', `${key} is as it was in ${name}.`, () =>
      succeeded(api.POST('/_sandbox/snapshots/{name}/restore', { params })),
    );
    if (restored) onRestored();
  };
  const remove = async () => {
    if (await succeeded(api.DELETE('/_sandbox/snapshots/{name}', { params }), `Snapshot ${name} is deleted.`))
      onChange();
  };
  return (
    <li>
      <span class="grow">
        <span class="cut strong sub-line">{name}</span>
        <span class="soft cut sub-line">
          {exactWords(Date.parse(at)).replace(/:\d\d\.\d+ UTC$/, ' UTC')} · {Math.ceil(bytes / 1000)} kB
        </span>
      </span>
      <Button kind="low" aria-label={`Restore ${name}`} onClick={() => void restore()}>
        Restore
      </Button>
      <IconButton kind="low" icon="close" label={`Delete ${name}`} onClick={() => void remove()} />
    </li>
  );
}

export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { key } = model.value;
  const remove = async () => {
    onClose();
    const others = (accountList.value ?? []).map((each) => each.key).filter((each) => each !== key);
    // The page leaves the account first: its stream would create a new account with this key.
    go(hrefOf(others.includes(defaultKey) ? defaultKey : (others[0] ?? defaultKey), 'messages'));
    const call = apiOf(null).DELETE('/_sandbox/accounts/{key}', { params: { path: { key } } });
    await act(done(call), `The account ${key} is deleted.`);
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
