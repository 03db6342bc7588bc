/** The account as a whole: first steps, reset, snapshots, notifications, and deletion. */
import { useEffect, useState } from 'preact/hooks';
import {
  accountList,
  act,
  Api,
  counted,
  defaultKey,
  go,
  hrefOf,
  model,
  notifies,
  readAccounts,
  restartScenario,
  setNotifies,
  undoable,
} from '../../core/index.js';
import { Button, Card, Check, Checks, CopyButton, FormDialog, submits, TextInput } from '../../parts/index.js';
import { FirstSteps } from './first-steps.js';
import { Snapshots } from './snapshots.js';
import './account.css';

export function Account() {
  const { key } = model.value;
  useEffect(() => void readAccounts(), [key]);
  return (
    <div class="account full scrolls">
      <header class="account-head breaks">
        <h2>{key}</h2>
        <p class="faint">
          API key and name of this account <CopyButton text={key} label="API key" />
        </p>
      </header>
      <div class="account-cards grid gap-100">
        <FirstSteps />
        <ResetAccount />
        <Snapshots key={key} />
        <ForkAccount key={`fork ${key}`} />
        <Notifications />
        <DeleteAccount />
      </div>
    </div>
  );
}

type Kept = 'templates' | 'webhooks' | 'clock' | 'scenario';

const parts: readonly (readonly [Kept, string])[] = [
  ['templates', 'Templates'],
  ['webhooks', 'Endpoints'],
  ['clock', 'Time and mode of the clock'],
  ['scenario', 'Scenario, from its beginning'],
];

/** Resets the account except for the chosen parts, or restarts only its scenario. */
function ResetAccount() {
  const account = model.value;
  const { api, key, scenario } = account;
  const [keep, setKeep] = useState<readonly Kept[]>(['templates', 'webhooks']);
  const [busy, setBusy] = useState(false);
  const active = scenario.value?.name ?? null;
  const offered = parts.filter(([part]) => part !== 'scenario' || active !== null);
  const counts = accountList.value?.find((each) => each.key === key)?.counts;
  const kept = keep.filter((part) => offered.some(([each]) => each === part));
  const reset = async () => {
    setBusy(true);
    await undoable(
      api,
      'before-reset',
      'The account is reset.',
      async () => (await act(api.post('/_sandbox/reset', { body: { keep: [...kept] } }))) !== null,
    );
    setBusy(false);
    void readAccounts();
  };
  return (
    <Card title="Start over">
      <Checks legend="Keep" options={offered} chosen={kept} onChange={setKeep} />
      <p class="consequence faint">{consequence(counts, kept)}</p>
      <p class="wraps gap-50">
        <Button kind="danger" icon="restart" disabled={busy} onClick={() => void reset()}>
          Reset account
        </Button>
        {active !== null && (
          <Button
            title="Restarts rules, timeline and verdict; keeps messages and everything else"
            onClick={() => void restartScenario(account)}
          >
            Restart {active}
          </Button>
        )}
      </p>
    </Card>
  );
}

/** What a reset deletes and what it keeps. */
function consequence(counts: Readonly<Partial<Record<string, number>>> | undefined, kept: readonly Kept[]): string {
  const { messages = 0, requests = 0, events = 0, templates = 0, webhooks = 0 } = counts ?? {};
  const numbers: [number, string, boolean][] = [
    [messages, 'message', false],
    [events, 'event', false],
    [requests, 'request', false],
    [templates, 'template', kept.includes('templates')],
    [webhooks, 'endpoint', kept.includes('webhooks')],
  ];
  const words = (stays: boolean) =>
    numbers.flatMap(([count, noun, each]) => (count > 0 && each === stays ? [counted(count, noun)] : []));
  const [gone, stay] = [words(false), words(true)];
  const clock = kept.includes('clock') ? 'The clock stays as it is.' : 'The clock starts again.';
  return [
    gone.length === 0
      ? 'Removes customers, codes, run-time rules and history.'
      : `Removes ${gone.join(', ')} and everything else.`,
    ...(stay.length === 0 ? [] : [`Keeps ${stay.join(', ')}.`]),
    clock,
    'A snapshot is taken first, so you can undo it.',
  ].join(' ');
}

/** Copies the account to another key, so that an expensive setup is made only once. */
function ForkAccount() {
  const { api, key } = model.value;
  const [to, setTo] = useState('');
  const fork = async () => {
    const wanted = to.trim();
    const path = { key };
    const made = await act(
      api.post('/_sandbox/accounts/{key}/fork', { path, body: { to: wanted } }),
      `${key} is forked to ${wanted}.`,
    );
    if (!made) return;
    void readAccounts();
    go(hrefOf(wanted, 'account'));
  };
  return (
    <Card title="Fork account">
      <p class="faint">
        Copies records, scenario, rules and pending jobs to another key. The clock of the copy is frozen at this
        instant.
      </p>
      <form class="take-snapshot wraps gap-50" onSubmit={submits(fork)}>
        <TextInput
          aria-label="API key of the fork"
          placeholder="API key of the fork"
          required
          spellcheck={false}
          value={to}
          onText={setTo}
        />
        <Button type="submit">Fork</Button>
      </form>
    </Card>
  );
}

/** Whether the browser shows a notification if something fails while the page is not visible. */
function Notifications() {
  return (
    <Card title="Notifications">
      <fieldset class="choice">
        <Check checked={notifies.value} onCheck={(on) => void setNotifies(on)}>
          Notify me of failed expectations, paused endpoints and 5xx responses
        </Check>
      </fieldset>
      <p class="consequence faint">
        Only while this page is in the background. The page title always shows their number.
      </p>
    </Card>
  );
}

function DeleteAccount() {
  const { key } = model.value;
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    setAsking(false);
    const others = (accountList.value ?? []).map((each) => each.key).filter((each) => each !== key);
    // The page leaves the account first: its stream would create a new account with this key.
    go(hrefOf(others.includes(defaultKey) || others.length === 0 ? defaultKey : (others[0] ?? defaultKey), 'account'));
    const gone = new Api(null).delete('/_sandbox/accounts/{key}', { path: { key } });
    await act(gone, `The account ${key} is deleted.`);
    void readAccounts();
  };
  return (
    <Card title="Delete account">
      <p class="consequence faint">
        Deletes everything in {key}, its snapshots included. This cannot be undone; download a snapshot to keep it. The
        next call with this key starts an empty account.
      </p>
      <p class="wraps gap-50">
        <Button kind="danger" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      </p>
      {asking && (
        <FormDialog title={`Delete ${key}?`} onClose={() => setAsking(false)} does="Delete" danger onSubmit={remove}>
          <p>Messages, templates, endpoints, journal and snapshots of this account are deleted permanently.</p>
        </FormDialog>
      )}
    </Card>
  );
}
