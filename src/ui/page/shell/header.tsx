import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { counted, go, here, hrefOf, model, route, useRead } from '../core/index.js';
import { CopyButton, Icon, IconButton, Menu, MenuItem, MenuLink, State, submits } from '../parts/index.js';
import { TextInput } from '../parts/index.js';
import { useVerdict } from '../places/scenario/use-verdict.js';
import { DeleteDialog, resetAccount, SnapshotsDialog } from './account.js';
import { accountList, readAccounts } from './accounts.js';
import { ClockPill } from './clock-pill.js';
import type { Place } from './places.js';
import { dark, toggleTheme } from './theme.js';

export const searching = signal(false);

const dialogs = { snapshots: SnapshotsDialog, delete: DeleteDialog };

export function Header({ place }: { place: Place }) {
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const Opened = open && dialogs[open];
  return (
    <header class="head">
      <svg class="brand icon" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="#115e59" />
        <path d="M8 10a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-6l-5 5v-5a2 2 0 0 1-2-2z" fill="#5eead4" />
      </svg>
      <h1 class="for-readers">messaging-sandbox</h1>
      <AccountSwitch />
      <ScenarioChip />
      <ClockPill />
      <IconButton
        icon="search"
        label="Search (Ctrl+K or /)"
        aria-keyshortcuts="Control+K /"
        onClick={() => (searching.value = true)}
      />
      <Menu label="Menu" class="icon-button" menu="from-end" button={<Icon name="menu" />}>
        {() => (
          <>
            <MenuItem icon="restart" onClick={() => void resetAccount()}>
              <span class="grow">
                Reset account
                <span class="soft cut sub-line">Keeps templates and endpoints</span>
              </span>
            </MenuItem>
            <MenuItem icon="camera" onClick={() => setOpen('snapshots')} words="Snapshots …" />
            <MenuItem icon="close" kind="bad" onClick={() => setOpen('delete')} words="Delete account …" />
            <hr />
            <MenuItem icon={dark.value ? 'sun' : 'moon'} onClick={toggleTheme}>
              {dark.value ? 'Light theme' : 'Dark theme'}
            </MenuItem>
            <MenuLink href={`/_sandbox/docs/${place.help}`} icon="help" words={`About ${place.title.toLowerCase()}`} />
            <MenuLink href="/_sandbox/docs/README.md" icon="file" words="Documentation" />
            <MenuLink href="/_sandbox/docs" icon="link" words="API reference" />
          </>
        )}
      </Menu>
      {Opened && <Opened onClose={() => setOpen(null)} />}
    </header>
  );
}

/** The scenario that shapes the responses, with its verdict; the number of rules added by hand. */
function ScenarioChip() {
  const { api, scenario } = model.value;
  const name = scenario.value?.name ?? null;
  const rules = useRead(
    'rules added',
    async () => (await api.get('/_sandbox/rules', { query: { limit: 1000 } })).items.length,
    ['rule', 'scenario'],
  ).value;
  const state = useVerdict()?.state;
  if (name === null && !rules) return null;
  const words = name ?? `${rules} ${rules === 1 ? 'rule' : 'rules'}`;
  return (
    <a class="switch scenario-chip" href={here('scenario')} title={`Responses are shaped by ${words}`}>
      <Icon name="bolt" size={16} />
      <span class="name cut">{words}</span>
      {state && state.word !== 'no expectations' && <State status={state.word} tone={state.tone} />}
    </a>
  );
}

function AccountSwitch() {
  const { key } = model.value;
  return (
    <Menu
      label={`Account ${key}`}
      class="switch"
      onOpen={() => void readAccounts()}
      button={
        <>
          <span class="name cut">{key}</span>
          <Icon name="down" size={14} />
        </>
      }
    >
      {(close) => <Accounts close={close} />}
    </Menu>
  );
}

function Accounts({ close }: { close: () => void }) {
  const [typed, setTyped] = useState('');
  const { key: current } = model.value;
  const open = (key: string) => {
    close();
    go(hrefOf(key, route.value.place));
  };
  const known = (accountList.value ?? []).filter(({ key }) => key.toLowerCase().includes(typed.toLowerCase()));
  const isNew = typed !== '' && !known.some(({ key }) => key === typed);
  return (
    <>
      <form onSubmit={submits(() => typed !== '' && open(typed))}>
        <TextInput
          type="search"
          aria-label="Find an account, or enter a new key"
          placeholder="Find, or enter a new key"
          value={typed}
          onText={setTyped}
        />
      </form>
      {known.map(({ key, counts, scenario, clock_mode: mode }) => (
        <MenuItem key={key} aria-current={key === current} onClick={() => open(key)}>
          <span class="grow">
            <span class="cut strong sub-line">{key}</span>
            <span class="soft cut sub-line">
              {counts.messages} sent · {counted(counts.requests, 'call')} · {mode}
              {scenario !== null && ` · ${scenario}`}
            </span>
          </span>
          {key === current && <Icon name="check" size={16} />}
        </MenuItem>
      ))}
      {isNew && (
        <MenuItem icon="plus" onClick={() => open(typed)}>
          Open <span class="strong">{typed}</span>
        </MenuItem>
      )}
      <hr />
      <p class="hint">
        Each API key is an isolated account. <CopyButton text={current} label="this key" />
      </p>
    </>
  );
}
