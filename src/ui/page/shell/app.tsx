/** The page: the shell around the account in the address, or a request for the control token if it is needed. */
import { effect, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  accountList,
  alertCount,
  entrance,
  go,
  hrefOf,
  model,
  readAccounts,
  route,
  show,
  shown,
  taste,
} from '../core/index.js';
import { Notices } from '../parts/index.js';
import { panels } from '../panels/registry.js';
import { ClockStrip } from './clock-strip.js';
import { Header } from './header.js';
import { Overlays } from './overlays.js';
import { Navigation } from './navigation.js';
import { TokenDialog } from './token-dialog.js';
import { KeyRefused } from './key-refused.js';

const lastKey = taste('last-key', '');
/** The account for calls without a key. */
const defaultKey = 'test_default';

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
    <div class="shell">
      <a
        class="skip"
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
