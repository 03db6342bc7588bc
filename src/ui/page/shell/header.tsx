/** The header: the account, its time, active rules and scenarios, and the state of the connection. */
import { useState } from 'preact/hooks';
import {
  accountList,
  counted,
  dark,
  go,
  here,
  hrefOf,
  model,
  readAccounts,
  route,
  toggleTheme,
} from '../core/index.js';
import { Button, CopyButton, Icon, IconButton, Menu, MenuItem, submits, TextInput } from '../parts/index.js';
import { ClockControl } from './clock-control.js';
import { overlay } from './overlays.js';

export function Header() {
  return (
    <header class="header line gap-60 surface ruled">
      <span class="brand" aria-hidden="true">
        <svg viewBox="0 0 32 32" width="26" height="26">
          <rect width="32" height="32" rx="9" fill="var(--brand)" />
          <path
            d="M8 10a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-6l-5 5v-5a2 2 0 0 1-2-2z"
            fill="var(--brand-mark)"
          />
        </svg>
      </span>
      <h1 class="for-readers">messaging-sandbox</h1>
      <AccountSwitcher />
      <ArmedBadge />
      <ClockControl />
      <ConnectionDot />
      <IconButton
        icon="search"
        label="Search"
        aria-keyshortcuts="Control+K /"
        title="Search (Ctrl+K or /)"
        onClick={() => (overlay.value = 'search')}
      />
      <a
        class="icon-button help-button"
        href={`/_sandbox/docs/web-ui.md#${route.value.panel}`}
        target="_blank"
        rel="noreferrer"
        aria-label="Help"
        title="About this panel, in the documentation"
      >
        <Icon name="help" />
      </a>
      <IconButton
        icon={dark.value ? 'sun' : 'moon'}
        label={dark.value ? 'Light theme' : 'Dark theme'}
        title={dark.value ? 'Light theme' : 'Dark theme'}
        onClick={toggleTheme}
      />
    </header>
  );
}

function ArmedBadge() {
  const { scenario, rules } = model.value;
  const name = scenario.value?.name ?? null;
  const count = rules.rows.length;
  if (name === null && count === 0) return null;
  const words = [...(name === null ? [] : [name]), ...(count === 0 ? [] : [counted(count, 'rule')])];
  const title = `Responses are affected by ${words.join(' + ')}`;
  return (
    <a
      class="armed toned warn inline gap-35 strong shrinks round relative small-text"
      href={here('scenario')}
      title={title}
      aria-label={title}
    >
      <span class="armed-pulse absolute" aria-hidden="true" />
      <Icon name="bolt" size={14} />
      <span class="armed-words cut">{words.join(' + ')}</span>
    </a>
  );
}

/** Shows whether the live stream is connected; if not, it is a button to reconnect at once. */
function ConnectionDot() {
  const { stream } = model.value;
  const { state } = stream.connection.value;
  if (state === 'live') {
    return (
      <span class="connection inline gap-40 small-text faint relative live" role="status">
        <span class="dot" aria-hidden="true" />
        <span class="connection-words">Live</span>
      </span>
    );
  }
  const words = { connecting: 'Connecting', waiting: 'Reconnecting', refused: 'Refused' }[state];
  return (
    <span class={`connection inline gap-40 small-text faint relative ${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      <span class="connection-words">{words}</span>
      {state !== 'connecting' && (
        <Button kind="quiet small" onClick={() => stream.retry()}>
          Try now
        </Button>
      )}
    </span>
  );
}

function AccountSwitcher() {
  const { key } = model.value;
  return (
    <Menu
      label={`Account ${key}`}
      class="account-button inline pointer curved gap-35 strong shrinks"
      onOpen={() => void readAccounts()}
      button={
        <>
          <span class="account-name cut">{key}</span>
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
    go(hrefOf(key, route.value.panel));
  };
  const known = (accountList.value ?? []).filter(({ key }) => key.toLowerCase().includes(typed.toLowerCase()));
  return (
    <div class="accounts">
      <form
        onSubmit={submits(() => {
          if (typed !== '') open(typed);
        })}
      >
        <TextInput
          type="search"
          aria-label="Find an account, or enter a new key"
          placeholder="Find, or enter a new key"
          value={typed}
          onText={setTyped}
        />
      </form>
      <ul class="menu-list scrolls">
        {known.map(({ key, counts, scenario, clock_mode: mode }) => (
          <li key={key}>
            <MenuItem aria-current={key === current} onClick={() => open(key)}>
              <span class="menu-words breaks">
                <span class="strong">{key}</span>
                <span class="faint">
                  {counts.messages} sent · {counts.requests} calls · clock {mode}
                  {scenario !== null && ` · ${scenario}`}
                </span>
              </span>
              {key === current && <Icon name="check" size={16} />}
            </MenuItem>
          </li>
        ))}
      </ul>
      {typed !== '' && !known.some(({ key }) => key === typed) && (
        <MenuItem icon="plus" onClick={() => open(typed)}>
          Open <span class="strong">{typed}</span>
        </MenuItem>
      )}
      <a class="menu-item line" href={here('account')}>
        <Icon name="restart" size={16} /> Reset, snapshots, delete account
      </a>
      <p class="menu-note faint">
        Each API key is an isolated account. <CopyButton text={current} label="this key" words />
      </p>
    </div>
  );
}
