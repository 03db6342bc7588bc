/** Snapshots of the account: take, restore, download, upload, delete. */
import { useRef, useState } from 'preact/hooks';
import {
  act,
  ApiError,
  download,
  exactWords,
  model,
  type SnapshotInfo,
  toast,
  undoable,
  useRead,
} from '../../core/index.js';
import { Button, Card, HelpLink, Icon, Menu, MenuItem, submits, TextInput } from '../../parts/index.js';

export function Snapshots() {
  const { api, stream, lives } = model.value;
  const [changes, setChanges] = useState(0);
  const page = useRead(
    () => api.get('/_sandbox/snapshots', { query: { limit: 1000, order: 'desc' } }).catch(() => null),
    [api, stream.connection.value.state, lives.value, changes],
  );
  const all = page?.items ?? null;
  const change = () => setChanges((count) => count + 1);
  return (
    <Card title="Snapshots">
      <p class="faint">
        A snapshot contains the whole account: records, clock, scenario and pending jobs. Restoring one replaces all of
        it. <HelpLink page="persistence.md#snapshots">More about snapshots</HelpLink>
      </p>
      <TakeSnapshot taken={all ?? []} onTaken={change} />
      {all?.length === 0 && <p class="faint">Snapshots that you take or upload appear here.</p>}
      {all !== null && all.length > 0 && (
        <ul class="snapshots" aria-label="Snapshots taken">
          {all.map((snapshot) => (
            <Entry key={snapshot.name} snapshot={snapshot} onChange={change} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function TakeSnapshot({ taken, onTaken }: { taken: readonly SnapshotInfo[]; onTaken: () => void }) {
  const { api } = model.value;
  const [name, setName] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const take = async () => {
    const used = new Set(taken.map((each) => each.name));
    let free = taken.length + 1;
    while (used.has(`snapshot-${free}`)) free += 1;
    const wanted = name.trim() === '' ? `snapshot-${free}` : name.trim();
    const info = await act(api.post('/_sandbox/snapshots', { body: { name: wanted } }), `Snapshot ${wanted} is taken.`);
    if (!info) return;
    setName('');
    onTaken();
  };
  const upload = async (chosen: File) => {
    const wanted = chosen.name.replace(/(\.snapshot)?\.json$/i, '').replaceAll(/[^A-Za-z0-9._-]/g, '-');
    const path = `/_sandbox/snapshots/${encodeURIComponent(wanted)}`;
    const stored = await act(
      api.send('put', path, await chosen.text()),
      `Snapshot ${wanted} is uploaded. Restore it to use it.`,
    );
    if (stored !== null) onTaken();
  };
  return (
    <form class="take-snapshot wraps gap-50" onSubmit={submits(take)}>
      <TextInput
        aria-label="Name of the snapshot"
        placeholder="Name (generated if empty)"
        spellcheck={false}
        value={name}
        onText={setName}
      />
      <Button kind="primary" type="submit">
        Take snapshot
      </Button>
      <Button onClick={() => file.current?.click()}>Upload</Button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Snapshot file"
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          if (chosen) void upload(chosen);
          currentTarget.value = '';
        }}
      />
    </form>
  );
}

function Entry({ snapshot, onChange }: { snapshot: SnapshotInfo; onChange: () => void }) {
  const { name, taken_at: at, size_bytes: bytes } = snapshot;
  const { api } = model.value;
  const path = { name };
  const restore = () =>
    undoable(api, 'before-restore', `The account is as it was in ${name}.`, async () => {
      return (await act(api.post('/_sandbox/snapshots/{name}/restore', { path }))) !== null;
    });
  const save = async () => {
    const snapshot = await act(api.get('/_sandbox/snapshots/{name}', { path }));
    if (snapshot) download(`${name}.json`, JSON.stringify(snapshot), 'application/json');
  };
  const remove = async () => {
    const kept = await api.get('/_sandbox/snapshots/{name}', { path }).catch((error: unknown) => {
      if (error instanceof ApiError) return null;
      throw error;
    });
    if ((await act(api.delete('/_sandbox/snapshots/{name}', { path }))) === null) return;
    onChange();
    toast('good', `Snapshot ${name} is deleted.`, [], {
      label: 'Undo',
      run: () => {
        if (kept) void act(api.put('/_sandbox/snapshots/{name}', { path, body: kept })).then(onChange);
      },
    });
  };
  return (
    <li>
      <span class="fills grid breaks">
        <span class="strong">{name}</span>
        <span class="faint">
          {exactWords(Date.parse(at)).replace(/:\d\d\.\d+ UTC$/, ' UTC')} · {sizeWords(bytes)}
        </span>
      </span>
      <Button kind="small" aria-label={`Restore ${name}`} onClick={() => void restore()}>
        Restore
      </Button>
      <Menu label={`More about ${name}`} button={<Icon name="more" />}>
        <MenuItem icon="file" onClick={() => void save()}>
          Download
        </MenuItem>
        <MenuItem icon="close" kind="bad" onClick={() => void remove()}>
          Delete
        </MenuItem>
      </Menu>
    </li>
  );
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
