/** The account as a whole: reset, snapshots, deletion. */
import { useState } from 'preact/hooks';
import {
  accountList,
  act,
  apiOf,
  defaultKey,
  done,
  download,
  exactWords,
  go,
  hrefOf,
  model,
  readAccounts,
  sendText,
  type SnapshotInfo,
  succeeded,
  toast,
  undoable,
  upload,
  useRead,
} from '../core/index.js';
import { Button, Check, Dialog, FormDialog, HelpLink, IconButton, submits, TextInput } from '../parts/index.js';
import { type AccountDialog, type Kept, resetAccount } from './reset.js';

export function AccountDialogs({ dialog, onClose }: { dialog: AccountDialog; onClose: () => void }) {
  if (dialog === 'reset') return <ResetDialog onClose={onClose} />;
  return dialog === 'snapshots' ? <SnapshotsDialog onClose={onClose} /> : <DeleteDialog onClose={onClose} />;
}

const parts: readonly (readonly [Kept, string])[] = [
  ['templates', 'Templates'],
  ['webhooks', 'Endpoints'],
  ['clock', 'Time and mode of the clock'],
  ['scenario', 'Scenario, from its beginning'],
];

function ResetDialog({ onClose }: { onClose: () => void }) {
  const [keep, setKeep] = useState<readonly Kept[]>(['templates', 'webhooks']);
  const reset = async () => {
    if (await resetAccount(keep)) onClose();
  };
  return (
    <FormDialog title="Reset account" does="Reset" danger onClose={onClose} onSubmit={reset}>
      <fieldset>
        <legend>Keep</legend>
        {parts.map(([part, words]) => (
          <Check
            key={part}
            checked={keep.includes(part)}
            onCheck={(on) => setKeep(on ? [...keep, part] : keep.filter((each) => each !== part))}
          >
            {words}
          </Check>
        ))}
      </fieldset>
      <p class="hint">
        Removes messages, customers, codes, requests, events and deliveries. A snapshot is taken first, so you can undo
        it.
      </p>
    </FormDialog>
  );
}

function SnapshotsDialog({ onClose }: { onClose: () => void }) {
  const { api, key } = model.value;
  const [name, setName] = useState('');
  const [changes, setChanges] = useState(0);
  const all =
    useRead(`snapshots ${changes}`, () =>
      done(api.GET('/_sandbox/snapshots', { params: { query: { limit: 1000, order: 'desc' } } })),
    ).value?.items ?? [];
  const changed = () => setChanges(changes + 1);
  const take = async () => {
    const used = new Set(all.map((each) => each.name));
    let free = all.length + 1;
    while (used.has(`snapshot-${free}`)) free += 1;
    const wanted = name.trim() === '' ? `snapshot-${free}` : name.trim();
    const info = await act(
      done(api.POST('/_sandbox/snapshots', { body: { name: wanted } })),
      `Snapshot ${wanted} is taken.`,
    );
    if (!info) return;
    setName('');
    changed();
  };
  const add = () =>
    upload('.json,application/json', (text, file) => {
      const wanted = file.replace(/(\.snapshot)?\.json$/i, '').replaceAll(/[^A-Za-z0-9._-]/g, '-');
      const path = `/_sandbox/snapshots/${encodeURIComponent(wanted)}`;
      void act(
        sendText(key, 'PUT', path, text, 'application/json'),
        `Snapshot ${wanted} is uploaded. Restore it to use it.`,
      ).then(changed);
    });
  return (
    <Dialog title="Snapshots" onClose={onClose}>
      <p class="hint">
        A snapshot contains the whole account: records, clock, scenario and pending jobs.{' '}
        <HelpLink page="persistence.md#snapshots">More about snapshots</HelpLink>
      </p>
      <form onSubmit={submits(take)}>
        <div class="row">
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
          <Button onClick={add}>Upload</Button>
        </div>
      </form>
      {all.length === 0 && <p class="soft">Snapshots that you take or upload appear here.</p>}
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
    const good = `${key} is as it was in ${name}.`;
    const restored = await undoable(api, 'before-restore', good, async () => {
      return (await act(done(api.POST('/_sandbox/snapshots/{name}/restore', { params })))) !== null;
    });
    if (restored) onRestored();
  };
  const save = async () => {
    const snapshot = await act(done(api.GET('/_sandbox/snapshots/{name}', { params })));
    if (snapshot) download(`${name}.json`, JSON.stringify(snapshot), 'application/json');
  };
  const remove = async () => {
    const kept = await done(api.GET('/_sandbox/snapshots/{name}', { params })).catch(() => null);
    if (!(await succeeded(api.DELETE('/_sandbox/snapshots/{name}', { params })))) return;
    onChange();
    const undo = () => {
      if (kept) void act(done(api.PUT('/_sandbox/snapshots/{name}', { params, body: kept }))).then(onChange);
    };
    toast('good', `Snapshot ${name} of ${key} is deleted.`, [], { label: 'Undo', run: undo });
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
      <IconButton kind="low" icon="download" label={`Download ${name}`} onClick={() => void save()} />
      <IconButton kind="low" icon="close" label={`Delete ${name}`} onClick={() => void remove()} />
    </li>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
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
