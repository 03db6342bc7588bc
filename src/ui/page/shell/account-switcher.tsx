/** The account on the page: the keys that the sandbox has seen, and a field for another key. */
import { useState } from 'preact/hooks';
import { accountList, go, here, hrefOf, model, readAccounts, route } from '../core/index.js';
import { CopyButton, Icon, Menu, MenuItem, submits } from '../parts/index.js';

export function AccountSwitcher() {
  const { key } = model.value;
  return (
    <Menu
      label={`Account ${key}`}
      class="account-button"
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

function Accounts({ close }: { readonly close: () => void }) {
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
        <input
          type="search"
          aria-label="Find an account, or enter a new key"
          placeholder="Find, or enter a new key"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <ul class="menu-list">
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
