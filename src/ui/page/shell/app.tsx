import { effect, untracked } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { go, here, hrefOf, model, preference, replace, route, show, shown, useRead } from '../core/index.js';
import { Empty, FormDialog, Icon, movesInList, submits, TextField } from '../parts/index.js';
import { accountList, defaultKey, enterToken, guarded, readAccounts } from './accounts.js';
import { useEndpointStates } from '../places/webhooks/endpoints.js';
import { Header, searching } from './header.js';
import { Notices } from './notices.js';
import { type Place, places } from './places.js';
import { SearchDialog } from './search.js';
import { Strips } from './strips.js';

const lastKey = preference('last-key', '');

// Runs before anything is rendered, so that elements that both accounts share are kept, with the focus.
effect(() => {
  const { key } = route.value;
  if (key === null || guarded.value) return;
  lastKey.value = key;
  untracked(() => show(key));
});

export function App() {
  useEffect(() => void readAccounts(), []);
  return (
    <>
      {guarded.value ? <TokenDialog /> : <Chosen />}
      <Notices />
    </>
  );
}

/** Shows the account in the address; without one, the most likely one. */
function Chosen() {
  const { key, place } = route.value;
  useEffect(() => {
    if (key !== null || accountList.value === null) return;
    const keys = accountList.value.map((account) => account.key);
    const best = keys.includes(lastKey.value) ? lastKey.value : keys.includes(defaultKey) ? defaultKey : keys[0];
    go(hrefOf(best ?? defaultKey, place || places[0].id));
  }, [key, place, accountList.value]);
  if (key === null || shown.value?.key !== key) return <p class="loading">Looking for the sandbox …</p>;
  return <Shell />;
}

function Shell() {
  const { place: id } = route.value;
  const place = places.find((each) => each.id === id) ?? places[0];
  const { key, stream } = model.value;
  const View = place.view;
  useEffect(() => {
    document.title = `${place.title} · ${key} · messaging-sandbox`;
  }, [place, key]);
  // An address that names no place leads to the first one.
  useEffect(() => {
    if (id !== place.id) replace(here(place.id));
  }, [id]);
  useEffect(() => {
    const listeners = [searchByKey, movesInList];
    for (const listener of listeners) addEventListener('keydown', listener);
    return () => {
      for (const listener of listeners) removeEventListener('keydown', listener);
    };
  }, []);
  const connection = stream.connection.value;
  return (
    <div class="shell" data-connection={connection.state}>
      <a class="skip" href="#content" onClick={submits(() => document.getElementById('content')?.focus())}>
        Skip to content
      </a>
      <Header place={place} />
      <Strips />
      <Navigation current={place} key={key} />
      <main id="content" tabIndex={-1} key={`${key}/${place.id}`}>
        {connection.state === 'refused' ? <KeyRefused message={connection.message} /> : <View route={route.value} />}
      </main>
      {searching.value && <SearchDialog />}
    </div>
  );
}

/** Control+K opens the search, and `/` unless one is writing. */
function searchByKey(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const typing = target instanceof HTMLElement && target.matches('input, textarea, select');
  const wanted = ctrlKey || metaKey ? key.toLowerCase() === 'k' : key === '/' && !typing;
  if (!wanted || altKey || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  searching.value = true;
}

function Navigation({ current }: { current: Place }) {
  const { api } = model.value;
  const failed = useRead('failed messages', async () => (await api.get('/_sandbox/messages/count')).by_status.failed, [
    'message',
  ]).value;
  const pending = useRead(
    'pending templates',
    () => api.get('/_sandbox/templates', { query: { status: 'pending', limit: 1000 } }),
    ['template'],
  ).value;
  const broken = useEndpointStates()?.filter((state) => state !== 'active');
  const counts: Readonly<Record<string, readonly [count: number | undefined, words: string, bad?: boolean]>> = {
    messages: [failed, 'failed', true],
    webhooks: [broken?.length, 'failing or paused', true],
    templates: [pending?.items.length, 'pending'],
  };
  return (
    <nav class="nav" aria-label="Places">
      {places.map(({ id, title, brief = title, icon }) => {
        const [count = 0, words, bad = false] = counts[id] ?? [0, ''];
        return (
          <a key={id} href={here(id)} aria-current={id === current.id ? 'page' : undefined}>
            <Icon name={icon} />
            <span class="word">
              <span class="full">{title}</span>
              <span class="brief">{brief}</span>
            </span>
            {count > 0 && (
              <span class={bad ? 'count bad' : 'count'} title={`${count} ${words}`}>
                {count > 999 ? '999+' : count}
                <span class="for-readers"> {words}</span>
              </span>
            )}
          </a>
        );
      })}
    </nav>
  );
}

function KeyRefused({ message }: { message: string }) {
  // If the control token is missing, this call shows it, and the page asks for the token.
  useEffect(() => void readAccounts(), []);
  return (
    <Empty title="This key is not accepted">
      <p>{message}</p>
      <p>Choose another account above.</p>
    </Empty>
  );
}

function TokenDialog() {
  const [token, setToken] = useState('');
  return (
    <FormDialog title="This sandbox requires a token" does="Open the page" onSubmit={() => enterToken(token)}>
      <TextField
        label="Control token"
        hint="The value of --control-token or SANDBOX_CONTROL_TOKEN. It is stored for this tab only."
        type="password"
        required
        value={token}
        onText={setToken}
      />
    </FormDialog>
  );
}
