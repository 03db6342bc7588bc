/** A menu of all scenario files; a click activates one. */
import { Icon, Menu, MenuItem } from '../../parts/index.js';
import { activateKnown, useKnown } from './known.js';

export function SwitchScenario({ current }: { readonly current: string | null }) {
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
      {(close) => <Choices current={current} close={close} />}
    </Menu>
  );
}

function Choices({ current, close }: { readonly current: string | null; readonly close: () => void }) {
  const known = useKnown();
  if (known === null) return <p class="menu-note faint">Loading …</p>;
  return (
    <ul class="menu-list">
      {known.map(({ name, description, valid }) => (
        <li key={name}>
          <MenuItem
            disabled={!valid}
            aria-current={name === current}
            onClick={() => {
              close();
              void activateKnown(name);
            }}
          >
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
