/** The page: the shell around the account in the address, or a request for the control token if it is needed. */
import { effect, untracked } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import {
  accountList,
  alertCount,
  defaultKey,
  entrance,
  go,
  here,
  hrefOf,
  model,
  readAccounts,
  route,
  show,
  shown,
  taste,
  tryToken,
} from '../core/index.js';
import { panels, shownPanels } from '../panels/registry.js';
import { Button, Dialog, EmptyState, Field, Icon, Notices, submits, TextInput } from '../parts/index.js';
import { ClockStrip } from './clock-control.js';
import { Header } from './header.js';
import { Overlays } from './overlays.js';

const lastKey = taste('last-key', '');

// Runs before anything is rendered, so that elements that both accounts share are kept, with the focus.
effect(() => {
  const { key } = route.value;
  if (key === null || entrance.value === 'guarded') return;
  lastKey.value = key;
  untracked(() => show(key));
});

export function App() {
  useEffect(() => void readAccounts(), []);
  return (
    <>
      <Entrance />
      <Notices />
    </>
  );
}

function Entrance() {
  return entrance.value === 'guarded' ? <TokenDialog /> : <Chosen />;
}

/** Shows the account in the address; without one, the most likely one. */
function Chosen() {
  const { key, panel } = route.value;
  useEffect(() => {
    if (key !== null || accountList.value === null) return;
    const keys = accountList.value.map((account) => account.key);
    const best = keys.includes(lastKey.value) ? lastKey.value : keys.includes(defaultKey) ? defaultKey : keys[0];
    go(hrefOf(best ?? defaultKey, panel || panels[0].id));
  }, [key, panel, accountList.value]);
  if (key === null || shown.value?.key !== key) return <p class="starting faint">Looking for the sandbox …</p>;
  return <Shell />;
}

function Shell() {
  const { panel: id } = route.value;
  const panel = panels.find((each) => each.id === id) ?? panels[0];
  const { connection } = model.value.stream;
  const View = panel.view;
  useEffect(() => {
    const count = alertCount.value === 0 ? '' : `(${alertCount.value}) `;
    document.title = `${count}${panel.title} · ${model.value.key} · messaging-sandbox`;
  }, [panel, model.value, alertCount.value]);
  return (
    <div class="shell grid">
      <a
        class="skip curved absolute"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        Skip to content
      </a>
      <Header />
      <ClockStrip />
      <Navigation current={panel.id} />
      <main id="content" tabIndex={-1} key={`${model.value.key}/${panel.id}`}>
        {connection.value.state === 'refused' ? (
          <KeyRefused message={connection.value.message} />
        ) : (
          <View route={route.value} />
        )}
      </main>
      <Overlays />
    </div>
  );
}

function KeyRefused({ message }: { message: string }) {
  // If the control token is missing, this call shows it, and the page asks for the token.
  useEffect(() => void readAccounts(), []);
  return (
    <EmptyState icon="key" title="This key is not accepted">
      <p>{message}</p>
      <p>Choose another account above.</p>
    </EmptyState>
  );
}

function TokenDialog() {
  const [error, setError] = useState<string | null>(null);
  const [token, setToken] = useState('');
  const open = async () => {
    setError(token === '' ? 'Enter the value of --control-token.' : await tryToken(token));
  };
  return (
    <Dialog title="This sandbox requires a token" needed onClose={() => undefined}>
      <form onSubmit={submits(open)}>
        <Field
          label="Control token"
          error={error}
          hint="The value of --control-token or SANDBOX_CONTROL_TOKEN. It is stored for this tab only."
        >
          <TextInput type="password" autofocus value={token} onText={setToken} />
        </Field>
        <footer>
          <Button kind="primary" type="submit">
            Open the page
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Navigation({ current }: { current: string }) {
  return (
    <nav class="navigation flex surface scrolls" aria-label="Panels">
      {shownPanels.map(({ id, title, icon, badge }) => {
        const count = badge?.(model.value) ?? 0;
        return (
          <a key={id} href={here(id)} title={title} aria-current={id === current ? 'page' : undefined}>
            <span class="relative">
              <Icon name={icon} size={20} />
              {count > 0 && (
                <span class="navigation-badge absolute round centred">
                  {count > 99 ? '99+' : count}
                  <span class="for-readers"> waiting</span>
                </span>
              )}
            </span>
            <span class="navigation-title">{title}</span>
          </a>
        );
      })}
    </nav>
  );
}
