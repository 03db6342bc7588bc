/** The scenario: its active rules, its text and its verdict. */
import { act, type ActiveScenario, here, model, restartScenario, type Route } from '../../core/index.js';
import { Button, CopyButton, Icon, Menu, MenuItem, RelativeTime, Tabs } from '../../parts/index.js';
import { Editor } from './editor.js';
import { InForce } from './in-force.js';
import { activateKnown, useKnown } from './known.js';
import { Library, MagicTables } from './library.js';
import { originOf } from './origin.js';
import './scenario.css';

/**
 * `scenario/TAB`; `scenario?rule=ID` shows a rule, `scenario/editor/NAME` opens a file, `scenario/editor?from=active`
 * opens the active scenario.
 */
export function Scenario({ route }: { route: Route }) {
  const [name, file] = route.path;
  const tab = tabOf(name);
  const account = model.value;
  const active = account.scenario.value;
  const origin = originOf(file, route.query['from']);
  if (active === null) return <p class="scenario-note centred faint">Loading …</p>;
  return (
    <div class="scenario full scrolls">
      <ActiveCard active={active} />
      <Tabs
        label="Views of the scenario"
        current={tab}
        tabs={tabs.map(({ id, title }) => ({ id, title, href: here('scenario', id === 'now' ? [] : [id]) }))}
      />
      <div class="scenario-view">
        {tab === 'now' && <InForce active={active} rule={route.query['rule']} />}
        {tab === 'editor' && <Editor key={`${account.key}/${origin.id}`} origin={origin} active={active.name} />}
        {tab === 'library' && <Library />}
        {tab === 'magic' && <MagicTables />}
      </div>
    </div>
  );
}

/** The views of the panel, by their names in the address. */
export const tabs = [
  { id: 'now', title: 'Active' },
  { id: 'editor', title: 'Editor' },
  { id: 'library', title: 'Library' },
  { id: 'magic', title: 'Magic' },
] as const;

type TabId = (typeof tabs)[number]['id'];

function tabOf(name: string | undefined): TabId {
  return tabs.find(({ id }) => id === name)?.id ?? 'now';
}

function ActiveCard({ active }: { active: ActiveScenario }) {
  const { name, description, file, activated_at: since } = active;
  const account = model.value;
  const none = async () => {
    await act(account.api.delete('/_sandbox/scenario'), 'No scenario is active: everything succeeds again.');
    await account.readScenario();
  };
  return (
    <header class={`scenario-head boxed top curved-14 wraps gap-75 surface${name === null ? '' : ' armed-head'}`}>
      <span class={`scenario-mark toned middle ${name === null ? 'off' : 'warn'}`}>
        <Icon name={name === null ? 'scenario' : 'bolt'} size={22} />
      </span>
      <div class="scenario-title shrinks">
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
      <div class="wraps gap-40">
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

function SwitchScenario({ current }: { current: string | null }) {
  const label = current === null ? 'Choose a scenario' : 'Switch';
  return (
    <Menu
      label={label}
      named
      class="button small primary"
      button={
        <>
          {label} <Icon name="down" size={14} />
        </>
      }
    >
      <Choices current={current} />
    </Menu>
  );
}

function Choices({ current }: { current: string | null }) {
  const known = useKnown();
  if (known === null) return <p class="menu-note faint">Loading …</p>;
  return (
    <ul class="menu-list scrolls">
      {known.map(({ name, description, valid }) => (
        <li key={name}>
          <MenuItem disabled={!valid} aria-current={name === current} onClick={() => void activateKnown(name)}>
            <span class="menu-words breaks">
              <span class="strong">{name}</span>
              <span class="faint">{valid ? description : 'Has errors: see the library.'}</span>
            </span>
            {name === current && <Icon name="check" size={16} />}
          </MenuItem>
        </li>
      ))}
    </ul>
  );
}
