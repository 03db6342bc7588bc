/** Resets the account except for the chosen parts, or restarts only its scenario. */
import { useState } from 'preact/hooks';
import { type Account, accountList, act, model, readAccounts, restartScenario, undoable } from '../../core/index.js';
import { Button } from '../../parts/index.js';

type Kept = 'templates' | 'webhooks' | 'clock' | 'scenario';

const parts: readonly (readonly [Kept, string])[] = [
  ['templates', 'Templates'],
  ['webhooks', 'Endpoints'],
  ['clock', 'Time and mode of the clock'],
  ['scenario', 'Scenario, from its beginning'],
];

export function ResetAccount() {
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
    await undoable(api, 'before-reset', 'The account is reset.', async () => {
      const done = await act(api.post('/_sandbox/reset', { body: { keep: [...kept] } }).then(() => true));
      return done === true;
    });
    setBusy(false);
    void readAccounts();
  };
  return (
    <section class="card" aria-label="Start over">
      <h3>Start over</h3>
      <fieldset class="choice">
        <legend>Keep</legend>
        {offered.map(([part, words]) => (
          <label key={part}>
            <input
              type="checkbox"
              checked={kept.includes(part)}
              onChange={({ currentTarget: { checked } }) =>
                setKeep(checked ? [...keep, part] : keep.filter((each) => each !== part))
              }
            />{' '}
            {words}
          </label>
        ))}
      </fieldset>
      <p class="consequence faint">{consequence(counts, kept)}</p>
      <p class="account-actions">
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
    </section>
  );
}

/** What a reset deletes and what it keeps. */
function consequence(counts: Account['counts'] | undefined, kept: readonly Kept[]): string {
  const { messages = 0, requests = 0, events = 0, templates = 0, webhooks = 0 } = counts ?? {};
  const numbers: [number, string, string, boolean][] = [
    [messages, 'message', 'messages', false],
    [events, 'event', 'events', false],
    [requests, 'request', 'requests', false],
    [templates, 'template', 'templates', kept.includes('templates')],
    [webhooks, 'endpoint', 'endpoints', kept.includes('webhooks')],
  ];
  const words = (stays: boolean) =>
    numbers
      .filter(([count, , , each]) => count > 0 && each === stays)
      .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
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
