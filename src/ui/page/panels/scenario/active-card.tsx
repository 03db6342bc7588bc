/** The active scenario: its name, description and origin, and buttons to switch to another one or to none. */
import { act, type ActiveScenario, here, model, restartScenario } from '../../core/index.js';
import { Button, CopyButton, Icon, RelativeTime } from '../../parts/index.js';
import { SwitchScenario } from './switch-scenario.js';

export function ActiveCard({ active }: { readonly active: ActiveScenario }) {
  const { name, description, file, activated_at: since } = active;
  const account = model.value;
  const none = async () => {
    await act(account.api.delete('/_sandbox/scenario'), 'No scenario is active: everything succeeds again.');
    await account.readScenario();
  };
  return (
    <header class={`scenario-head${name === null ? '' : ' armed-head'}`}>
      <span class="scenario-mark">
        <Icon name={name === null ? 'scenario' : 'bolt'} size={22} />
      </span>
      <div class="scenario-title">
        <h2>{name ?? 'No scenario is active'}</h2>
        <p>{name === null ? 'Every call succeeds, except those to magic numbers.' : description}</p>
        {name !== null && (
          <p class="faint scenario-facts small-text breaks">
            {since !== null && (
              <>
                since <RelativeTime at={since} /> ·{' '}
              </>
            )}
            {file === null || file === 'request body' ? (
              'from text, not from a file'
            ) : (
              <>
                <span class="mono">{file}</span> <CopyButton text={file} label="file name" />
              </>
            )}
          </p>
        )}
      </div>
      <div class="scenario-actions">
        <SwitchScenario current={name} />
        {name !== null && (
          <>
            <a class="button small" href={here('scenario', ['editor'], { from: 'active' })}>
              Edit source
            </a>
            <Button
              kind="small"
              title="Restarts rules, timeline and verdict; keeps messages"
              onClick={() => void restartScenario(account)}
            >
              Restart
            </Button>
            <Button kind="small" onClick={() => void none()}>
              Deactivate
            </Button>
          </>
        )}
      </div>
    </header>
  );
}
