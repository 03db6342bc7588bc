/** The scenario: its active rules, its text and its verdict. */
import { here, model, type Route } from '../../core/index.js';
import { Tabs } from '../../parts/index.js';
import { ActiveCard } from './active-card.js';
import { Editor } from './editor.js';
import { InForce } from './in-force.js';
import { Library } from './library.js';
import { MagicTables } from './magic-tables.js';
import { originOf } from './origin.js';
import { tabOf, tabs } from './tab.js';
import './scenario.css';

/**
 * `scenario/TAB`; `scenario?rule=ID` shows a rule, `scenario/editor/NAME` opens a file, `scenario/editor?from=active`
 * opens the active scenario.
 */
export function Scenario({ route }: { readonly route: Route }) {
  const [name, file] = route.path;
  const tab = tabOf(name);
  const account = model.value;
  const active = account.scenario.value;
  const origin = originOf(file, route.query['from']);
  if (active === null) return <p class="scenario-note faint">Loading …</p>;
  return (
    <div class="scenario">
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
